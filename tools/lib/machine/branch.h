/* SPDX-License-Identifier: MIT */
/* Branches that may be taken or not. */
#ifndef WEFT_TOOLS_LIB_MACHINE_BRANCH_H
#define WEFT_TOOLS_LIB_MACHINE_BRANCH_H

#include "tools/lib/machine/decode.h"

/* Whether a branch predictor has a say: b with a condition, cbz, cbnz, and all that leaves from an IT block. Not one
 * that goes to the next instruction in any case. */
bool thumb_is_conditional(const thumb_insn *insn);
/* Such a branch is taken; `passed`: its IT condition held, `state`: the registers that it reads. */
bool thumb_is_taken(const thumb_insn *insn, bool passed, const thumb_state *state);
/* It leads to an address that is known and not above its own. */
bool thumb_is_backward(const thumb_insn *insn);

#endif
