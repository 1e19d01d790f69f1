/* SPDX-License-Identifier: MIT */
/* Instructions with a form (tools/lib/machine/thumb_insn.h). Of the flags, each bit is known or not by itself: a
 * comparison makes all of N, Z, C and V known, a move leaves V as it was. */
#include "tools/lib/rerun/operate.h"

static bool is_sum(unsigned form)
{
    return (form >= THUMB_ADD && form <= THUMB_RSB) || form == THUMB_CMP || form == THUMB_CMN;
}

static bool is_logic(unsigned form)
{
    return form == THUMB_MOV || form == THUMB_MVN || (form >= THUMB_AND && form <= THUMB_BIC) || form == THUMB_TST ||
           form == THUMB_TEQ;
}

static bool is_shift(unsigned form)
{
    return form >= THUMB_LSL && form <= THUMB_ROR;
}

/* A modified immediate of a wide instruction that is rotated: only then it changes C. */
static bool is_rotated(const rerun_code *code)
{
    uint16_t first = rerun_first(code), second = rerun_second(code);
    bool modified = code->insn.size == 4 && (first & 0xfa00) == 0xf000 && !(second & 0x8000);
    return modified && (first & 0x400 || second & 0x4000);
}

/* Whether the shifter makes C, whatever it was. */
static bool makes_carry(const rerun_core *core, const rerun_code *code)
{
    const thumb_insn *insn = &code->insn;
    if (is_shift(insn->form))
        return ((insn->rm == THUMB_NONE ? insn->imm : core->word[insn->rm & 15]) & 0xff) != 0;
    return (insn->shift_kind && insn->shift_amount) || is_rotated(code);
}

static uint32_t flags_made(const rerun_core *core, const rerun_code *code)
{
    if (is_sum(code->insn.form))
        return RERUN_N | RERUN_Z | RERUN_C | RERUN_V;
    return RERUN_N | RERUN_Z |
           (is_logic(code->insn.form) || is_shift(code->insn.form) ? (makes_carry(core, code) ? RERUN_C : 0) : 0);
}

static void set_flags(rerun_core *core, const rerun_code *code, const thumb_state *state, bool known)
{
    uint32_t value = 0, made = flags_made(core, code);
    if (known && !thumb_compute(&code->insn, state, THUMB_FLAGS, &value))
        known = false;
    if (is_rotated(code) && is_logic(code->insn.form))
        value = (value & ~RERUN_C) | (code->insn.imm >> 31 ? RERUN_C : 0);
    rerun_set_flags(core, value, known ? made : RERUN_N | RERUN_Z | RERUN_C | RERUN_V, known ? made : 0);
}

bool rerun_compute(rerun_core *core, const rerun_code *code)
{
    const thumb_insn *insn = &code->insn;
    if (insn->form == THUMB_OPAQUE || insn->memory)
        return false;
    thumb_state state;
    for (unsigned i = 0; i < 17; i++)
        state.r[i] = core->word[i];
    uint64_t writes = code->instruction.writes;
    uint64_t reads = insn->form == THUMB_LINK ? 0 : insn->reads & ~RERUN_BIT(THUMB_FLAGS);
    bool carries = insn->form == THUMB_ADC || insn->form == THUMB_SBC;
    bool known = rerun_knows(core, reads) && (!carries || core->flags_known & RERUN_C);
    uint32_t values[15] = {0};
    for (unsigned loc = 0; loc < 15; loc++)
        if (writes >> loc & 1 && known && !thumb_compute(insn, &state, loc, &values[loc]))
            return false;
    if (writes >> THUMB_FLAGS & 1)
        set_flags(core, code, &state, known);
    for (unsigned loc = 0; loc < 15; loc++)
        if (writes >> loc & 1)
            rerun_set(core, loc, values[loc], known);
    return true;
}
