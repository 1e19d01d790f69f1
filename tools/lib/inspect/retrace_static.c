/* SPDX-License-Identifier: MIT */
/* Encodings of the exclusive loads and stores: ARMv7-M Architecture Reference Manual, A7.7. */
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/inspect/retrace_parts.h"
#include "tools/lib/machine/decode_in.h"
#include "tools/lib/machine/writes.h"

#define BIT(n) (UINT64_C(1) << (n))
#define ARGUMENTS 0xfu /* r0..r3 */

/* Of a load or store that is exclusive or ordered (lda, stl), the address, the size and the register, which the
 * decoder leaves open. */
static void complete_exclusive(thumb_insn *insn)
{
    uint32_t first = retrace_half(insn, 0), second = retrace_half(insn, 1), size = second >> 4 & 15;
    bool word = (first & 0xffe0) == 0xe840, part = (first & 0xffe0) == 0xe8c0 && size >= 4 && (size & 3) != 3;
    if (insn->size != 4 || insn->memory == THUMB_NO_MEMORY || (!word && !part))
        return;
    insn->base = (uint8_t)(first & 15);
    insn->offset = word ? (int32_t)(4 * (second & 0xff)) : 0;
    insn->access_size = (uint8_t)(word ? 4 : 1u << (size & 3));
    insn->data[0] = (uint8_t)(second >> 12);
    insn->list = BIT(insn->data[0]);
}

/* Of an instruction that is not decoded: each register, the stack's only if it stands where a base does. */
static uint64_t may_write(const thumb_insn *insn)
{
    uint64_t stack = (retrace_half(insn, 0) & 15) == 13 ? BIT(13) : 0;
    return 0x5fff | stack | BIT(THUMB_FLAGS);
}

retrace_static *retrace_static_at(retrace *r, uint32_t pc, unsigned condition, bool clobbers)
{
    uint32_t number = numbering_find(&r->statics_of, pc | clobbers); /* the lowest bit of an address is clear */
    if (number < r->static_max && number < r->statics_of.count && r->statics[number])
        return r->statics[number];
    const uint8_t *bytes = image_bytes(r->im, pc, 2);
    unsigned size = bytes ? thumb_size((uint16_t)(bytes[0] | bytes[1] << 8)) : 0;
    bytes = bytes ? image_bytes(r->im, pc, size) : NULL;
    if (!bytes)
        return NULL;
    number = numbering_of(&r->statics_of, pc | clobbers);
    size_t before = r->static_max;
    r->statics = memory_room(r->statics, number, &r->static_max, sizeof *r->statics);
    memset(r->statics + before, 0, (r->static_max - before) * sizeof *r->statics);
    retrace_static *s = r->statics[number] = memory_zero(1, sizeof *s);
    bool known = thumb_decode_in(&s->insn, r->im, pc, bytes, size, condition);
    complete_exclusive(&s->insn);
    s->insn.reads |= clobbers ? ARGUMENTS : 0;
    s->i = (full_instruction){.number = number, .pc = pc, .size = (uint8_t)size, .condition = (uint8_t)condition};
    memcpy(s->i.bytes, bytes, size);
    s->i.writes = clobbers ? RETRACE_CALL_WRITES | BIT(THUMB_FLAGS)
                  : known  ? thumb_writes((uint16_t)retrace_half(&s->insn, 0), (uint16_t)retrace_half(&s->insn, 1),
                                          condition < THUMB_ALWAYS)
                           : may_write(&s->insn);
    return s;
}

retrace_static *retrace_step_static(retrace *r, size_t i)
{
    const track_step *step = &r->steps[i];
    if (!r->step_statics[i])
        r->step_statics[i] = retrace_static_at(r, step->pc, step->condition, step->call);
    return r->step_statics[i];
}
