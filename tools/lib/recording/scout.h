/* SPDX-License-Identifier: MIT */
/* Looks ahead in the control stream for the next path record of a context: the path that its events until then belong
 * to. */
#ifndef WEFT_TOOLS_LIB_RECORDING_SCOUT_H
#define WEFT_TOOLS_LIB_RECORDING_SCOUT_H

#include "tools/lib/recording/events.h"
#include "tools/lib/recording/window.h"

typedef struct scout {
    const container *file;
    replay_model model;
    frame_window *current; /* the frame in replay. Its window is left where it is */
    frame_window *ahead;   /* the scout's own */
} scout;

typedef struct scout_found {
    const replay_script
        *script;              /* NULL: the record is not there, since a gap, a new recording or the end comes first */
    int64_t accesses, values; /* if measured: of the script and, if these are more than it has, of the paths after it,
                                 made before the place where the search began */
} scout_found;

/* Seeks from `at` on, and passes `passed_by` path records of the context by. `measured`: also finds how much of the
 * path came before; `at` is then at the start of a stretch. False: the model does not have a path on the way. */
bool scout_seek(scout *s, place at, uint32_t context, bool measured, uint32_t passed_by, scout_found *result);

#endif
