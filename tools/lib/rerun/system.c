/* SPDX-License-Identifier: MIT */
/* Special registers (ARMv7-M architecture reference manual, B1.4, B5.2), and what changes nothing here. */
#include "tools/lib/rerun/operate.h"

enum { MSP = 8, PSP = 9, PRIMASK = 16, BASEPRI = 17, BASEPRI_MAX = 18, FAULTMASK = 19, CONTROL = 20 };

static bool uses(const rerun_core *core, unsigned stack)
{
    return (stack == PSP) == (core->process_stack && !core->exception);
}

static bool read_special(const rerun_core *core, unsigned which, uint32_t *value, bool *known)
{
    *known = true;
    switch (which) {
    case MSP:
    case PSP:
        *value = uses(core, which) ? core->word[RERUN_SP] : core->other_sp;
        *known = uses(core, which) ? rerun_knows(core, RERUN_BIT(RERUN_SP)) : core->other_sp_known;
        return true;
    case PRIMASK:
        *value = core->primask;
        return true;
    case BASEPRI:
    case BASEPRI_MAX:
        *value = core->basepri;
        return true;
    case FAULTMASK:
        *value = core->faultmask;
        return true;
    case CONTROL:
        *value = (core->unprivileged ? 1u : 0) | (core->process_stack ? 2u : 0) | (core->floats_used ? 4u : 0);
        return true;
    default:
        *value = (which & 1 ? core->exception : 0) | (which & 4 ? 0 : core->word[THUMB_FLAGS] & RERUN_APSR);
        *known = which & 4 || (core->flags_known & RERUN_APSR) == RERUN_APSR;
        return which < 8;
    }
}

static void change_stack(rerun_core *core, bool process)
{
    if (core->exception || process == core->process_stack)
        return;
    uint32_t sp = core->word[RERUN_SP];
    bool known = rerun_knows(core, RERUN_BIT(RERUN_SP));
    rerun_set(core, RERUN_SP, core->other_sp, core->other_sp_known);
    core->other_sp = known ? sp : 0;
    core->other_sp_known = known;
    core->process_stack = process;
}

static bool write_special(rerun_core *core, unsigned which, unsigned mask, uint32_t value, bool known)
{
    bool masks = which >= PRIMASK && which <= CONTROL;
    if (masks && (!known || core->unprivileged))
        return core->unprivileged && !core->exception;
    switch (which) {
    case MSP:
    case PSP:
        if (uses(core, which))
            rerun_set(core, RERUN_SP, value & ~3u, known);
        else {
            core->other_sp = known ? value & ~3u : 0;
            core->other_sp_known = known;
        }
        return true;
    case PRIMASK:
        core->primask = value & 1;
        return true;
    case BASEPRI:
        core->basepri = value & 0xff;
        return true;
    case BASEPRI_MAX:
        if ((value & 0xff) && (!core->basepri || (value & 0xff) < core->basepri))
            core->basepri = value & 0xff;
        return true;
    case FAULTMASK:
        core->faultmask = value & 1;
        return true;
    case CONTROL:
        change_stack(core, value & 2);
        core->unprivileged = value & 1;
        core->floats_used = value & 4;
        return true;
    default: {
        uint32_t bits = (mask & 2 ? 0xf8000000u : 0) | (mask & 1 ? RERUN_GE : 0);
        rerun_set_flags(core, value, bits, known ? ~0u : 0);
        return which < 4;
    }
    }
}

/* cpsie, cpsid: bit 4 disables, bit 1 is PRIMASK, bit 0 FAULTMASK. */
static bool change_masks(rerun_core *core, uint16_t first)
{
    if ((first & 0xffe8) != 0xb660)
        return false;
    if (core->unprivileged && !core->exception)
        return true;
    uint32_t on = first >> 4 & 1;
    core->primask = first & 2 ? on : core->primask;
    core->faultmask = first & 1 ? on : core->faultmask;
    return true;
}

static bool is_idle(uint16_t first, uint16_t second, unsigned size)
{
    if (size == 2)
        return (first & 0xff00) == 0xbf00 && !(first & 15); /* nop, wfi, wfe, sev, yield */
    bool hint = first == 0xf3af && (second & 0xff00) == 0x8000;
    bool barrier = first == 0xf3bf && (second & 0xff00) == 0x8f00; /* clrex, dsb, dmb, isb */
    bool preload = ((first & 0xfe10) == 0xf810) && second >> 12 == 15 && (first & 0x60) == 0;
    return hint || barrier || preload;
}

bool rerun_system(rerun_core *core, const rerun_code *code)
{
    uint16_t first = rerun_first(code), second = rerun_second(code);
    uint32_t value;
    bool known;
    if (code->insn.size == 2)
        return change_masks(core, first) || is_idle(first, second, 2);
    if (first == 0xf3ef && (second & 0xf000) == 0x8000) {
        if (!read_special(core, second & 0xff, &value, &known))
            return false;
        rerun_set(core, second >> 8 & 15, value, known);
        return true;
    }
    if ((first & 0xfff0) == 0xf380 && (second & 0xf300) == 0x8000) {
        unsigned from = first & 15;
        return write_special(core, second & 0xff, second >> 10 & 3, core->word[from],
                             rerun_knows(core, RERUN_BIT(from)));
    }
    if (!is_idle(first, second, 4))
        return false;
    if (first == 0xf3bf && (second & 0xf0) == 0x20)
        core->exclusive = false; /* clrex */
    return true;
}
