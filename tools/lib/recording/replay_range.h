/* SPDX-License-Identifier: MIT */
/* A replay of a range of frames, for recordings of paths alone. What it needs of earlier ranges is which activations
 * are open where it begins; the caller says it:
 *
 *     replay *r = replay_open_range(file, model, first, end);
 *     replay_begin_call(r, context, call);             outermost first, for each that is open
 *     for (replay_event event; replay_next(r, &event);) ...
 *
 * Its events are those that replay_open gives for these frames. */
#ifndef WEFT_TOOLS_LIB_RECORDING_REPLAY_RANGE_H
#define WEFT_TOOLS_LIB_RECORDING_REPLAY_RANGE_H

#include <stddef.h>

#include "tools/lib/recording/replay.h"

/* An open activation. */
typedef struct replay_call {
    uint32_t function;
    uint32_t caught; /* of its last path: replay_script */
} replay_call;

/* TRACE frame `first` is the first one of the range; or it is 0. */
replay *replay_open_range(const container *file, replay_model model, size_t first, size_t end);
void replay_begin_call(replay *r, uint32_t context, replay_call call);

/* The open activations of its contexts, as they are now. */
size_t replay_context_count(const replay *r);
uint32_t replay_context_number(const replay *r, size_t index);
/* How many there are in it. */
size_t replay_context_depth(const replay *r, size_t index);
/* One of them; 0: the outermost. */
replay_call replay_context_call(const replay *r, size_t index, size_t depth);

/* As if a path of the context ended, and as if a gap came, whatever the frames hold: events for replay_pending. False:
 * no function has the path. */
bool replay_pass_path(replay *r, uint32_t context, uint32_t path);
void replay_pass_gap(replay *r);
/* The next event of these. False: there are no more. */
bool replay_pending(replay *r, replay_event *event);

#endif
