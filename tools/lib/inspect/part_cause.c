/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/part_cause.h"

#include "tools/lib/inspect/part_reading.h"
#include "tools/lib/machine/decode.h"
#include "tools/lib/machine/thumb.h"

enum {
    BACK_MAX = 32,       /* instructions before the branch among which what set its flags is looked for */
    JUMPS_MAX = 8,       /* instructions after the branch of a line that only lead on to the next line */
    LAST = 2 * BACK_MAX, /* instructions before the parting of two builds that are looked at */
    REGISTERS = 0x7fff,  /* r0..r14 as a mask */
};

static bool decode_at(const image *im, uint32_t pc, thumb_insn *insn)
{
    const uint8_t *first = image_bytes(im, pc, 2);
    unsigned size = first ? thumb_size((uint16_t)(first[0] | first[1] << 8)) : 0;
    const uint8_t *bytes = size ? image_bytes(im, pc, size) : NULL;
    return bytes && thumb_decode(insn, pc, bytes, size, THUMB_ALWAYS);
}

static bool sets_flags(const thumb_insn *insn, const part_step *before, const part_step *after)
{
    return insn->form == THUMB_CMP || insn->form == THUMB_CMN || insn->form == THUMB_TST || insn->form == THUMB_TEQ ||
           before->r[15] != after->r[15];
}

static void take_operand(part_operand *to, const part_step *setter, unsigned reg)
{
    to->setter = setter->id;
    to->time = setter->time;
    to->reg = reg;
    to->value = setter->r[reg];
}

/* ---- one build ---- */

/* The first register of `reads` whose values differ before both steps. */
static bool find_register(uint64_t reads, const part_step *x, const part_step *y, part_operand found[2])
{
    for (unsigned i = 0; i <= 15; i++) {
        if (!(reads >> i & 1) || x->r[i] == y->r[i])
            continue;
        take_operand(&found[0], x, i);
        take_operand(&found[1], y, i);
        return true;
    }
    return false;
}

/* Of the flags: what the instruction that set them read. */
static bool find_setter(const part_context *c, const part_side *a, part_operand found[2])
{
    thumb_insn insn;
    for (uint64_t back = 1; back <= c->common && back < BACK_MAX; back++) {
        const part_step *after = part_step_at(&c->at[0], c->common - back);
        const part_step *x = part_step_at(&c->at[0], c->common - back - 1);
        const part_step *y = part_step_at(&c->at[1], c->common - back - 1);
        if (!after || !x || !y || !decode_at(a->im, x->id, &insn))
            return false;
        if (sets_flags(&insn, x, after))
            return find_register(insn.reads & REGISTERS, x, y, found);
    }
    return false;
}

static bool cause_of_one(const part_context *c, const part_side *a, part_operand found[2])
{
    thumb_insn insn;
    const part_step *x = c->common ? part_step_at(&c->at[0], c->common - 1) : NULL;
    const part_step *y = c->common ? part_step_at(&c->at[1], c->common - 1) : NULL;
    if (!x || !y || !decode_at(a->im, x->id, &insn))
        return false;
    found[0].branch = found[1].branch = x->id;
    return find_register(insn.reads & REGISTERS, x, y, found) || /* cbz, bx, a table */
           find_setter(c, a, found);
}

/* ---- two builds ---- */

/* What decided on one side: the step before which the operands had their values, and which registers they are. */
typedef struct decision {
    const part_step *setter;
    uint64_t reads;
} decision;

static bool is_it(const image *im, uint32_t pc)
{
    uint8_t conditions[4];
    const uint8_t *first = image_bytes(im, pc, 2);
    return first && thumb_it((uint16_t)(first[0] | first[1] << 8), conditions) > 0;
}

/* Before the end of the steps stands a branch that depends on something, or an `it` whose instructions were executed or
 * skipped; after it only these and what leads on. */
static bool find_decision(const image *im, const part_step *steps, size_t count, decision *d, uint32_t *branch)
{
    thumb_insn insn;
    size_t at = count;
    bool depends = false;
    while (at && count - at < JUMPS_MAX && !depends) {
        if (!decode_at(im, steps[--at].id, &insn))
            return false;
        depends = (insn.flow == THUMB_BRANCH && insn.falls) || insn.flow == THUMB_SWITCH || is_it(im, steps[at].id);
    }
    *branch = depends ? steps[at].id : 0;
    *d = (decision){depends ? &steps[at] : NULL, insn.reads & REGISTERS};
    for (size_t back = 1; depends && !d->reads && back <= at && back < BACK_MAX; back++) {
        const part_step *before = &steps[at - back];
        if (!decode_at(im, before->id, &insn))
            return false;
        if (sets_flags(&insn, before, before + 1))
            *d = (decision){before, insn.reads & REGISTERS};
    }
    return depends && d->reads;
}

static bool cause_of_two(const part_context *c, const part_side *const side[2], part_operand found[2])
{
    part_step last[2][LAST];
    decision d[2];
    for (unsigned i = 0; i < 2; i++) {
        const part_step *parting = part_step_at(&c->at[i], c->common);
        size_t count = parting ? part_last(side[i], c->number, parting->time, last[i], LAST) : 0;
        if (!count || !find_decision(side[i]->im, last[i], count, &d[i], &found[i].branch))
            return false;
    }
    /* What decided on one side decided on the other if it is the same line. */
    if (part_line(side[0], found[0].branch) != part_line(side[1], found[1].branch))
        return false;
    for (; d[0].reads && d[1].reads; d[0].reads &= d[0].reads - 1, d[1].reads &= d[1].reads - 1) {
        for (unsigned i = 0; i < 2; i++)
            take_operand(&found[i], d[i].setter, (unsigned)__builtin_ctzll(d[i].reads));
        if (found[0].value != found[1].value)
            return true;
    }
    return false;
}

bool part_cause(const part_context *c, const part_side *a, const part_side *b, part_operand found[2])
{
    if (a->app)
        return false;
    return a->by_lines ? cause_of_two(c, (const part_side *const[2]){a, b}, found) : cause_of_one(c, a, found);
}
