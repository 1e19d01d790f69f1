/* SPDX-License-Identifier: MIT */
/* Which ways of an execution lead back to the head of a loop: those to an instruction that control came by, when each
 * function is walked in depth from where it is entered. A jump backward to the common end of two branches is none, and
 * a loop that is tested at its end is entered at the test, which is its head:
 *
 *     10        b 20        entered here
 *     12        nop
 *     20        cmp         the head: control comes from 10, and from 12 once for each turn
 *     22        bne 12 */
#ifndef WEFT_TOOLS_LIB_PROFILE_EXECUTED_LOOPS_H
#define WEFT_TOOLS_LIB_PROFILE_EXECUTED_LOOPS_H

#include "tools/lib/profile/execution.h"

/* By way. From malloc. */
bool *executed_back_ways(const execution *run);

#endif
