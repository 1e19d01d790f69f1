/* SPDX-License-Identifier: MIT */
/* Loops of machine code that ran, by the jumps that close them. */
#ifndef WEFT_TOOLS_LIB_INSPECT_PART_LOOPS_H
#define WEFT_TOOLS_LIB_INSPECT_PART_LOOPS_H

#include "tools/lib/inspect/part_side.h"

/* An instruction: how often it ran, and how often the next one of its context stood at its own address or below. */
typedef struct part_executed {
    uint32_t pc;
    uint64_t count, back;
} part_executed;

/* Adds a row of PART_LOOP per loop that turned, which stands where the last jump back to its head stands: how often it
 * was entered, and how often such jumps led back. Sorts `all`. */
void part_loops_add(part_side *s, part_executed *all, size_t count);

#endif
