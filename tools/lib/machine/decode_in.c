/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/decode_in.h"

#include "tools/lib/image/attributes.h"

static bool is_far_jump(const thumb_insn *insn, const image *im)
{
    const image_symbol *f = image_function(&im->symbols, insn->pc);
    return f && insn->target > f->address && insn->target - f->address < f->size && attributes_v6m(im);
}

bool thumb_decode_in(thumb_insn *insn, const image *im, uint32_t pc, const uint8_t *bytes, unsigned size,
                     unsigned condition)
{
    bool known = thumb_decode(insn, pc, bytes, size, condition);
    if (known && im && insn->flow == THUMB_CALL && is_far_jump(insn, im)) {
        insn->flow = THUMB_BRANCH;
        insn->falls = false;
    }
    return known;
}
