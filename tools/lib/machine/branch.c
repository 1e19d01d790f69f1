/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/branch.h"

bool thumb_is_conditional(const thumb_insn *insn)
{
    bool direct = insn->flow == THUMB_BRANCH;
    if (insn->flow == THUMB_NEXT || (direct && insn->target == insn->pc + insn->size))
        return false;
    return insn->condition < THUMB_ALWAYS || (direct && insn->falls);
}

bool thumb_is_taken(const thumb_insn *insn, bool passed, const thumb_state *state)
{
    uint16_t first = (uint16_t)(insn->bytes[0] | insn->bytes[1] << 8);
    if (insn->condition < THUMB_ALWAYS)
        return passed;
    if (insn->size == 2 && (first & 0xf500) == 0xb100) /* cbz; bit 11: cbnz */
        return (state->r[first & 7] != 0) == (first >> 11 & 1);
    return thumb_holds(insn->size == 2 ? first >> 8 & 15 : first >> 6 & 15, state->r[THUMB_FLAGS]);
}

bool thumb_is_backward(const thumb_insn *insn)
{
    return insn->flow == THUMB_BRANCH && insn->target <= insn->pc;
}
