/* SPDX-License-Identifier: MIT */
/* What a load gave, by what was done with it: the code compares it and branches, and the path says which way. */
#include "tools/lib/inspect/retrace_parts.h"
#include "tools/lib/machine/thumb.h"

enum { STEPS = 8, EQUAL = 0, DIFFERENT = 1 }; /* STEPS: between the load and the branch, in what compilers make */

/* The branch is taken, or not taken, where the register is 0 (cbz, cbnz), or where Z is set (b with a condition). */
typedef struct question {
    bool asked, on_register, if_taken;
    unsigned reg;
} question;

static question question_of(const thumb_insn *insn)
{
    unsigned first = insn->bytes[0] | (unsigned)insn->bytes[1] << 8;
    if (insn->flow != THUMB_BRANCH || !insn->falls || insn->condition != THUMB_ALWAYS)
        return (question){.asked = false};
    if (insn->size == 2 && (first & 0xf500) == 0xb100)
        return (question){.asked = true, .on_register = true, .if_taken = !(first & 0x800), .reg = first & 7};
    unsigned condition = insn->size == 2 ? first >> 8 & 15 : first >> 6 & 15;
    return (question){.asked = condition == EQUAL || condition == DIFFERENT, .if_taken = condition == EQUAL};
}

/* Of a load of `size` bytes without a sign, their register keeps them in this instruction. */
static bool keeps(const retrace_static *s, unsigned reg, uint32_t size)
{
    const thumb_insn *insn = &s->insn;
    if (!(s->i.writes >> reg & 1))
        return true;
    bool same = insn->rd == reg && insn->rm == reg && !insn->shift_amount;
    return same && ((insn->form == THUMB_UXTB && size == 1) || (insn->form == THUMB_UXTH && size <= 2));
}

/* Whether the path goes on after step i as it does where the answer is yes. */
static bool is_so(const retrace *r, size_t i, const thumb_insn *branch, question q)
{
    if (i + 1 >= r->step_count || branch->target == branch->pc + branch->size)
        return false;
    uint32_t to = r->steps[i + 1].pc;
    return to == (q.if_taken ? branch->target : branch->pc + branch->size);
}

bool retrace_ahead(retrace *r, const thumb_insn *load, unsigned reg, uint64_t *value)
{
    const retrace_static *compared = NULL;
    if (!r->steps || reg > 12 || load->sign || load->multiple || load->condition != THUMB_ALWAYS)
        return false;
    for (size_t i = r->step_at + 1; i < r->step_count && i <= r->step_at + STEPS; i++) {
        const track_step *step = &r->steps[i];
        retrace_static *s = retrace_step_static(r, i);
        if (!s || step->call || step->probe || s->insn.condition != THUMB_ALWAYS)
            return false;
        question q = question_of(&s->insn);
        if (q.asked && (q.on_register ? q.reg == reg : compared != NULL)) {
            *value = q.on_register ? 0 : compared->insn.imm;
            return is_so(r, i, &s->insn, q);
        }
        if (s->insn.flow != THUMB_NEXT || !keeps(s, reg, load->access_size))
            return false;
        if (s->insn.form == THUMB_CMP && s->insn.rn == reg && s->insn.rm == THUMB_NONE)
            compared = s;
        else if (s->i.writes >> THUMB_FLAGS & 1)
            compared = NULL;
    }
    return false;
}
