/* SPDX-License-Identifier: MIT */
/* Calls and instructions by function (functions.h) from a recording with probes. Activations are those of the replay
 * (tools/lib/recording/replay.h), so the calls are the entries that `weft dump` prints; a path's instructions are those
 * of tools/lib/machine/costs.h. A function that jumps to another at its end (a tail call) is left then, so its caller
 * calls the other. A call that does not return keeps its caller on the stack. */
#ifndef WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_PROBES_H
#define WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_PROBES_H

#include "tools/lib/image/program.h"
#include "tools/lib/machine/costs.h"
#include "tools/lib/profile/functions.h"
#include "tools/lib/profile/functions_choice.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/events.h"
#include "tools/lib/recording/script.h"

/* Adds the program's functions to the tables: function i is descriptor i. */
void functions_of_program(functions *all, const program *app);
/* Shares what a path of the program cost among its lines, evenly, what is left over to the first ones. */
void functions_share(functions *all, program *app, uint32_t path, uint64_t cost);
/* Adds a recording. NULL, or what does not fit; the text is valid until the next call. */
const char *functions_feed(functions *all, const container *file, program *app, functions_choice choice,
                           functions_seen *seen);
/* The same with what is known of the program already, for callers that feed many recordings. */
const char *functions_feed_known(functions *all, const container *file, program *app, scripts *paths, path_costs *costs,
                                 functions_choice choice, functions_seen *seen);

/* Told of each event of the chosen contexts, and of each gap, after it was added to the tables: all->total is the
 * time, functions_charged() the chain that a path was charged to. */
typedef struct functions_watch {
    void *own;
    void (*event)(void *own, const functions *all, const replay_event *event);
} functions_watch;

/* functions_feed with a watcher; NULL: none. */
const char *functions_feed_watched(functions *all, const container *file, program *app, functions_choice choice,
                                   functions_seen *seen, const functions_watch *watch);

#endif
