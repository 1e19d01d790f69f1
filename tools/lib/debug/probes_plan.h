/* SPDX-License-Identifier: MIT */
/* What the record of a path means as instants: the instructions that ran, in order, and which items of the path's
 * script (tools/lib/recording/events.h) each of them did. Private to the room.
 *
 * `exact`: all are instructions that the path executes, by the machine code (tools/lib/machine/tracks.h), and each
 * recorded item stands at the call of its probe. Else the code is not understood that far: there is an instant for each
 * block and each line of an access, at the first instruction of that line. */
#ifndef WEFT_TOOLS_LIB_DEBUG_PROBES_PLAN_H
#define WEFT_TOOLS_LIB_DEBUG_PROBES_PLAN_H

#include "tools/lib/machine/tracks.h"
#include "tools/lib/recording/events.h"

typedef struct probes_step {
    uint32_t pc;
    uint32_t items; /* of the script that are done when it has executed */
} probes_step;

typedef struct probes_plan {
    uint32_t path;
    bool exact;
    uint32_t count;
    uint32_t lead; /* of a path that begins with a call: the steps up to that call; else 0 */
    uint32_t function;
    probes_step *steps;
} probes_plan;

/* Never NULL; freed by probes_plan_free. */
probes_plan *probes_plan_new(program *app, tracks *code, const replay_script *script);
void probes_plan_free(probes_plan *p);

#endif
