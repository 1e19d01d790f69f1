/* SPDX-License-Identifier: MIT */
/* Branches that may be taken or not. */
#ifndef WEFT_TOOLS_LIB_MACHINE_BRANCH_H
#define WEFT_TOOLS_LIB_MACHINE_BRANCH_H

#include "tools/lib/machine/decode.h"

/* Whether a branch predictor predicts it: b with a condition, cbz, cbnz, and every branch out of an IT block. Not one
 * that goes to the next instruction in any case. */
bool thumb_is_conditional(const thumb_insn *insn);
/* Whether such a branch is taken. `passed`: its IT condition held. `state`: the registers that it reads. */
bool thumb_is_taken(const thumb_insn *insn, bool passed, const thumb_state *state);
/* Whether it leads to an address that is known and not above its own. */
bool thumb_is_backward(const thumb_insn *insn);

#endif
