/* SPDX-License-Identifier: MIT */
/* A whole recording's replay on all cores, for callers that need neither addresses nor values: how calls nest, which
 * paths ended, how many accesses there are of each kind. The result is that of replay.h for any number of threads.
 * Memory: as for a replay, per thread, and the open activations of a few ranges. */
#ifndef WEFT_TOOLS_LIB_RECORDING_REPLAY_ALL_H
#define WEFT_TOOLS_LIB_RECORDING_REPLAY_ALL_H

#include "tools/lib/recording/replay.h"

/* What the scripts of a model say of all its paths (for a program: scripts_needs). */
typedef struct replay_needs {
    bool memory; /* there are accesses, or values */
    bool frames; /* a script's `frames` is set: which activation goes on may depend on a recorded address */
} replay_needs;

/* Gets the events in order, by the calling thread: none of kinds REPLAY_BLOCK, REPLAY_ACCESS and REPLAY_VALUE. */
typedef struct replay_taker {
    void *own;
    void (*take)(void *own, const replay_event *event); /* NULL: no event is wanted */
    unsigned left_out;                                  /* kinds that it does not need, either: bits REPLAY_KIND */
} replay_taker;

typedef struct replay_totals {
    char error[400];          /* empty, or as replay_error: then the taker got events that are of no use */
    uint64_t unresolved;      /* replay_unresolved */
    replay_accesses accesses; /* replay_accesses_of */
} replay_totals;

/* Several threads ask the model at once. */
void replay_all(const container *file, replay_model model, replay_needs needs, const replay_taker *taker,
                replay_totals *totals);

#endif
