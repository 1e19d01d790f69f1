/* SPDX-License-Identifier: MIT */
/* Which calls are open where a range of frames begins or ends: in a replay, in what its feeder knows of their paths,
 * and in the tables. These differ after calls that do not return. */
#ifndef WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_STAND_H
#define WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_STAND_H

#include "tools/lib/profile/functions_feeder.h"
#include "tools/lib/profile/functions_parts.h"
#include "tools/lib/recording/replay_range.h"

/* Of a context; outermost first. */
typedef struct stand_context {
    uint32_t context; /* first: by_context */
    replay_call *replayed;
    uint32_t *paths;       /* last paths */
    functions_call *calls; /* in the tables */
    size_t replayed_count, path_count, call_count;
} stand_context;

typedef struct functions_stand {
    stand_context *all; /* those with open calls, and perhaps others */
    size_t count, max, at;
} functions_stand;

/* Where a replay and its feeder are now. */
functions_stand functions_stand_of(const replay *r, const feeder *f);
/* Begins a replay and a feeder, which are new, there. */
void functions_stand_begin(const functions_stand *stand, replay *r, feeder *f);
bool functions_stand_equal(const functions_stand *a, const functions_stand *b);
void functions_stand_free(functions_stand *stand);

#endif
