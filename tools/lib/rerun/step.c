/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/step.h"

#include "tools/lib/machine/thumb.h"
#include "tools/lib/rerun/operate.h"
#include "tools/lib/rerun/request.h"
#include "tools/lib/rerun/transfer.h"

/* ---- conditions ---- */

static bool condition_known(const rerun_core *core, unsigned condition)
{
    static const uint32_t needs[7] = {
        RERUN_Z, RERUN_C, RERUN_N, RERUN_V, RERUN_C | RERUN_Z, RERUN_N | RERUN_V, RERUN_N | RERUN_Z | RERUN_V};
    return condition >= THUMB_ALWAYS || !(needs[condition / 2] & ~core->flags_known);
}

static bool holds(const rerun_core *core, unsigned condition)
{
    return condition >= THUMB_ALWAYS || thumb_holds((uint8_t)condition, core->word[THUMB_FLAGS]);
}

static unsigned branch_condition(const rerun_code *code)
{
    uint16_t first = rerun_first(code);
    if (code->insn.size == 2)
        return (first & 0xf000) == 0xd000 ? first >> 8 & 15u : THUMB_ALWAYS;
    return rerun_second(code) & 0x1000 ? THUMB_ALWAYS : first >> 6 & 15u;
}

/* ---- branches ---- */

static rerun_status compare_branch(rerun_core *core, const rerun_code *code, uint32_t *next)
{
    uint16_t first = rerun_first(code);
    unsigned reg = first & 7;
    if (!rerun_knows(core, RERUN_BIT(reg)))
        return RERUN_WAY_UNKNOWN;
    if ((core->word[reg] != 0) == (first >> 11 & 1))
        *next = code->insn.target;
    return RERUN_DONE;
}

static rerun_status branch(rerun_core *core, const rerun_code *code, uint32_t *next)
{
    uint16_t first = rerun_first(code);
    if (code->insn.size == 4 && thumb_is_loop(first, rerun_second(code)))
        return RERUN_NO_INSTRUCTION;
    if (code->insn.size == 2 && (first & 0xf500) == 0xb100)
        return compare_branch(core, code, next);
    unsigned condition = branch_condition(code);
    if (!condition_known(core, condition))
        return RERUN_WAY_UNKNOWN;
    if (holds(core, condition))
        *next = code->insn.target;
    return RERUN_DONE;
}

/* tbb, tbh; their access is one of the event's. */
static rerun_status table_branch(rerun_machine *m, const rerun_code *code, full_event *event, uint32_t *next)
{
    uint16_t first = rerun_first(code), second = rerun_second(code);
    unsigned base = first & 15, index = second & 15;
    bool halves = second & 0x10;
    uint64_t needs = (base < 15 ? RERUN_BIT(base) : 0) | RERUN_BIT(index), distance;
    if (!rerun_knows(&m->core, needs))
        return RERUN_WAY_UNKNOWN;
    uint32_t from = base < 15 ? m->core.word[base] : code->insn.pc + 4;
    uint32_t address = from + (m->core.word[index] << halves);
    if (!rerun_load(m->space, address, halves ? 2 : 1, &distance))
        return RERUN_WAY_UNKNOWN;
    event->accesses[event->access_count++] = (full_access){address, halves ? 2 : 1, false, distance};
    *next = code->insn.pc + 4 + 2 * (uint32_t)distance;
    return RERUN_DONE;
}

/* bx, blx, mov pc, add pc. */
static rerun_status register_branch(rerun_core *core, const rerun_code *code, uint32_t *next)
{
    uint16_t first = rerun_first(code);
    unsigned reg = first >> 3 & 15;
    bool adds = (first & 0xff00) == 0x4400;
    if (code->insn.size != 2 || (first & 0xfc00) != 0x4400)
        return RERUN_NO_INSTRUCTION;
    if (!rerun_knows(core, RERUN_BIT(reg)))
        return RERUN_WAY_UNKNOWN;
    *next = adds ? code->insn.pc + 4 + core->word[reg] : core->word[reg];
    return RERUN_DONE;
}

static rerun_status flow(rerun_machine *m, const rerun_code *code, full_event *event, uint32_t *next)
{
    rerun_core *core = &m->core;
    rerun_status status = RERUN_DONE;
    uint16_t second = rerun_second(code);
    bool table = code->insn.size == 4 && (rerun_first(code) & 0xfff0) == 0xe8d0 && (second & 0xffe0) == 0xf000;
    switch (code->insn.flow) {
    case THUMB_BRANCH:
        return branch(core, code, next);
    case THUMB_CALL:
        *next = code->insn.target;
        break;
    case THUMB_CALL_INDIRECT:
        status = register_branch(core, code, next);
        break;
    default:
        return table ? table_branch(m, code, event, next) : register_branch(core, code, next);
    }
    if (status == RERUN_DONE)
        rerun_set(core, RERUN_LR, (code->insn.pc + code->insn.size) | 1, true);
    return status;
}

/* ---- one instruction ---- */

/* The result of what is not known here is not known either. */
static rerun_status leave_unknown(rerun_core *core, const rerun_code *code)
{
    const thumb_insn *insn = &code->insn;
    uint16_t first = rerun_first(code);
    bool traps = insn->size == 2
                     ? (first & 0xff00) == 0xbe00 || (first & 0xff00) == 0xdf00 || (first & 0xff00) == 0xde00
                     : !code->instruction.writes;
    if (insn->unknown || insn->memory || traps)
        return RERUN_NO_INSTRUCTION;
    for (unsigned loc = 0; loc < RERUN_LOCATIONS; loc++)
        if (code->instruction.writes >> loc & 1 && loc != THUMB_FLAGS)
            rerun_set(core, loc, 0, false);
    if (code->instruction.writes >> THUMB_FLAGS & 1)
        rerun_set_flags(core, 0, RERUN_APSR, 0);
    return RERUN_DONE;
}

static rerun_status begin_block(rerun_core *core, const rerun_code *code)
{
    uint8_t conditions[4];
    int count = thumb_it(rerun_first(code), conditions);
    core->conditional = (uint8_t)count;
    for (int i = 0; i < count; i++)
        core->conditions[4 - count + i] = conditions[i];
    return RERUN_DONE;
}

static rerun_status execute(rerun_machine *m, const rerun_code *code, full_event *event, uint32_t *next)
{
    rerun_core *core = &m->core;
    uint8_t conditions[4];
    if (code->insn.size == 2 && thumb_it(rerun_first(code), conditions))
        return begin_block(core, code);
    if (code->insn.memory)
        return rerun_transfer(m, code, event, next);
    if (code->insn.flow != THUMB_NEXT)
        return flow(m, code, event, next);
    if (code->insn.size == 2 && (rerun_first(code) & 0xff00) == 0xdf00) { /* svc */
        m->calls = true;
        return RERUN_DONE;
    }
    if (rerun_is_request(code)) {
        bool ends;
        rerun_status status = rerun_request(m, &ends);
        return ends ? RERUN_ENDED : status;
    }
    if (rerun_compute(core, code) || rerun_float(core, code) || rerun_system(core, code) || rerun_operate(core, code))
        return RERUN_DONE;
    return leave_unknown(core, code);
}

static void list_values(const rerun_core *core, full_event *event)
{
    for (uint64_t left = event->written; left; left &= left - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(left);
        uint32_t value = loc == THUMB_FLAGS ? core->word[loc] & RERUN_APSR : core->word[loc];
        event->values[event->value_count++] = value;
    }
    event->unknown_values = event->written & ~core->known;
}

rerun_status rerun_step(rerun_machine *m, full_event *event)
{
    rerun_core *core = &m->core;
    const rerun_code *code = rerun_next(m);
    if (!code)
        return RERUN_NO_CODE;
    event->kind = FULL_EXECUTED;
    event->instruction = &code->instruction;
    event->completed = true;
    event->written = event->unknown = event->unknown_values = 0;
    event->value_count = event->access_count = 0;
    if (!condition_known(core, code->insn.condition))
        return RERUN_WAY_UNKNOWN;
    event->passed = holds(core, code->insn.condition);
    uint32_t next = code->insn.pc + code->insn.size;
    uint8_t conditional = core->conditional;
    rerun_status status = event->passed ? execute(m, code, event, &next) : RERUN_DONE;
    if (status != RERUN_DONE && status != RERUN_ENDED)
        return status;
    if (conditional)
        core->conditional = conditional - 1;
    if (event->passed)
        event->written = code->instruction.writes;
    list_values(core, event);
    core->pc = next >= 0xff000000u ? next : next & ~1u;
    return status;
}
