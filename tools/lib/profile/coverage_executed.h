/* SPDX-License-Identifier: MIT */
/* The coverage of an execution (execution.h), from the machine code and its line table: no descriptors are needed, so
 * it is to be had of any image with debug information.
 *
 * A line counts how often control came to its instructions from another line of the same activation, plus the turns of
 * a loop that lies wholly on it. A branch is a conditional branch of the machine or a jump through a table; its ways
 * are those of the machine, in the order of their addresses. A line that the compiler has moved or merged counts as the
 * machine code has it. */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_EXECUTED_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_EXECUTED_H

#include "tools/lib/profile/coverage_tables.h"
#include "tools/lib/profile/execution.h"

/* Fills the tables; the image of the run outlives them. */
void coverage_executed(coverage *all, const execution *run);

#endif
