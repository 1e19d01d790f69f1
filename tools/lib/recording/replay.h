/* SPDX-License-Identifier: MIT */
/* The global order of what happened: routine entries and exits, blocks, paths, accesses, values, switches of context,
 * gaps. A container holds path numbers, and addresses without their sites. A model says what a path number stands for;
 * usually that is a program (script.h). Memory: two frames, the distinct paths, and the contexts.
 *
 * Order. Accesses, values and path records are in exact global order, interrupts included. Entries, exits and blocks
 * come as late as their path allows, right before the access or record that follows them. So if an interrupt came
 * between two accesses of a path, the blocks between them are reported after it.
 *
 *     replay *events = replay_open(file, (replay_model){paths, scripts_model});
 *     for (replay_event event; replay_next(events, &event);) ...
 *     if (replay_error(events)) ...                       the container does not fit the model; exit status 1
 *     replay_close(events); */
#ifndef WEFT_TOOLS_LIB_RECORDING_REPLAY_H
#define WEFT_TOOLS_LIB_RECORDING_REPLAY_H

#include "tools/lib/recording/container.h"
#include "tools/lib/recording/events.h"

typedef struct replay replay;
replay *replay_open(const container *file, replay_model model);
void replay_close(replay *events);
/* Events of these kinds (bits REPLAY_KIND) do not come from here on. That saves their time: most are blocks, accesses
 * and values. */
void replay_leave_out(replay *events, unsigned kinds);
/* False: the end, or an error. */
bool replay_next(replay *events, replay_event *event);
/* NULL, or a sentence: what does not fit, and where. */
const char *replay_error(const replay *events);
/* Accesses and values that came as REPLAY_UNRESOLVED so far. */
uint64_t replay_unresolved(const replay *events);
/* Accesses so far, those that were left out too. */
replay_accesses replay_accesses_of(const replay *events);
/* Those of them whose address is not known, since it follows from one that is missing. */
uint64_t replay_unknown(const replay *events);

#endif
