/* SPDX-License-Identifier: MIT */
/* Takes the events of a replay into tables (functions_probes.h): of a whole recording, or of a range of its
 * frames. For functions_*.c only. */
#ifndef WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_FEEDER_H
#define WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_FEEDER_H

#include <pthread.h>

#include "tools/lib/base/numbering.h"
#include "tools/lib/image/program.h"
#include "tools/lib/machine/costs.h"
#include "tools/lib/profile/functions.h"
#include "tools/lib/profile/functions_choice.h"
#include "tools/lib/profile/timeline.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/events.h"
#include "tools/lib/recording/script.h"

enum { FUNCTIONS_RARE = 65535 };

/* What a path says each time it is taken. */
typedef struct cost_note {
    uint64_t count, cost;
    uint32_t least, more, rare;  /* rare: what one execution in FUNCTIONS_RARE may take more */
    function_place call;         /* the call that it ends with */
    bool estimated, span, stays; /* stays: it ends with a call that does not return */
} cost_note;

/* The last path of each activation of a context; FUNCTIONS_NONE: none has ended. */
typedef struct open_paths {
    uint32_t context; /* first: by_context */
    uint32_t *path;
    size_t depth, max;
} open_paths;

typedef struct feeder {
    functions *all;
    program *app;
    functions_choice choice;
    functions_seen *seen;
    scripts *paths;
    path_costs *costs;
    numbering numbers;
    cost_note *notes; /* by number */
    size_t note_count, note_max;
    const container *file;
    size_t gap;            /* the first gap of the file that the run has not come to yet */
    timeline *time;        /* NULL: costs are instructions */
    uint64_t took;         /* by it: the last path */
    const cost_note *last; /* of the path that was reported last, in any context */
    open_paths *open;
    size_t open_count, open_max, open_last; /* open_last: the one used last */
    /* Of a range of frames: */
    const struct feeder *whole; /* has the notes of all its paths; NULL: this is no range */
    pthread_mutex_t *asking;    /* held to ask for costs_lead */
    bool stacks_only;           /* what it adds to the tables is of no use */
} feeder;

/* The note of a path, which is made if there is none. Valid until the next call. */
cost_note *functions_note_of(feeder *f, uint32_t path);
/* Whether a path ends with a call that does not return. */
bool functions_path_stays(const feeder *f, const replay_script *script);
/* The open activations of a context, which are none at first. Valid until the next call. */
open_paths *functions_open_of(feeder *f, uint32_t context);
/* One more of them; its last path. */
void functions_open_push(open_paths *open, uint32_t path);
/* Takes an event into the tables, if its context is wanted. False: it is not. */
bool functions_take(feeder *f, const replay_event *event);
/* Frees what a feeder keeps itself. */
void functions_feeder_free(feeder *f);

#endif
