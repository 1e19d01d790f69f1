/* SPDX-License-Identifier: MIT */
/* Loops that copy or clear a structure: the compiler makes them of a single statement, so they have no probe, and they
 * go round a fixed number of times: a pointer advances until it meets another one, which is a known distance away.
 * Values are followed as a symbol plus an offset, through registers and those words of the frame whose address is not
 * taken; a symbol is named after the step where nothing more is known, and stands for what was there when that was
 * executed last. (What an earlier round left has another name, since ways meet at the head of each loop.)
 *
 * Such a loop is a run of instructions without branches, from its head to a `bne` back. The branch is taken out of the
 * graph, and stands for the other rounds.
 *
 *     entered with            r1 = r0 + 32
 *     head: str r2, [r0], #8  r0 advances by 8 each round
 *           cmp r0, r1
 *           bne head          after rounds 1 to 4, r0 is 24, 16, 8, 0 before r1: 4 rounds. The branch stands for the
 *                             other 3, so its `more` is 9 instructions */
#ifndef WEFT_TOOLS_LIB_MACHINE_TRIPS_H
#define WEFT_TOOLS_LIB_MACHINE_TRIPS_H

#include "tools/lib/machine/routine.h"

/* Takes these branches out, and gives them `more` and `more_own`; joins and needs are known. */
void trips_settle(routine *r);

#endif
