/* SPDX-License-Identifier: MIT */
/* What each path of a program says about the activation that it belongs to. Memory: 16 bytes per distinct path, and its
 * script. */
#ifndef WEFT_TOOLS_LIB_PROFILE_PATH_NOTES_H
#define WEFT_TOOLS_LIB_PROFILE_PATH_NOTES_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/events.h"

typedef struct path_note {
    uint32_t function;        /* number among the descriptors */
    bool entry;               /* it begins at the routine's entry */
    bool leaves;              /* it leaves the routine for good */
    uint32_t arrives, caught; /* as in replay_script */
} path_note;

typedef struct path_notes path_notes;

/* `app` outlives it. */
path_notes *path_notes_new(const program *app);
void path_notes_free(path_notes *all);
/* Valid until the next call. NULL: the program does not have the path. */
const path_note *path_notes_of(path_notes *all, uint32_t path);
/* Of a path that path_notes_of was asked for and gave. Several threads may ask at once. */
const path_note *path_notes_known(const path_notes *all, uint32_t path);

/* True if the path leaves its routine for good. A call that does not return may be a longjmp back into it. */
bool path_leaves(const descriptors *known, const replay_script *script);

#endif
