/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/transfer.h"

#include "tools/lib/rerun/operate.h"
#include "tools/lib/rerun/pending.h"

#define VECTOR_TABLE 0xe000ed08u /* VTOR */
#define COPROCESSORS 0xe000ed88u /* CPACR: what was stored, of the FPU; 0 at reset */
#define SYSTICK_CONTROL 0xe000e010u
#define SYSTICK_INTERRUPT 2u
#define ENABLE_FIRST 0xe000e100u /* NVIC_ISER */
#define ENABLE_LAST 0xe000e13fu
#define COPROCESSORS_FPU 0x00f00000u

/* One access of an instruction: the location that is loaded or stored. */
typedef struct part {
    uint32_t address;
    uint8_t location, size;
    bool pc, two; /* two: a double, of this location and the next */
} part;

typedef struct transfer {
    part parts[FULL_ACCESSES_MAX];
    unsigned count;
    bool store, sign;
    bool writeback;
    uint8_t base;
    uint32_t base_after;
} transfer;

static void add_part(transfer *t, uint32_t address, unsigned location, unsigned size)
{
    if (t->count < FULL_ACCESSES_MAX)
        t->parts[t->count++] = (part){address, (uint8_t)location, (uint8_t)size, false, false};
}

/* ---- what decode.h describes ---- */

static bool loads_pc(const rerun_code *code)
{
    const thumb_insn *insn = &code->insn;
    uint16_t first = rerun_first(code), second = rerun_second(code);
    if (insn->memory != THUMB_LOAD)
        return false;
    if (insn->size == 2)
        return (first & 0xff00) == 0xbd00;
    if (insn->multiple)
        return insn->data[0] == THUMB_NONE && second & 0x8000;
    return insn->access_size == 4 && (first & 0xff70) == 0xf850 && second >> 12 == 15;
}

static rerun_status plan_listed(const rerun_machine *m, const rerun_code *code, transfer *t)
{
    const thumb_insn *insn = &code->insn;
    thumb_state state;
    uint32_t address;
    uint64_t needs = (insn->base < 15 ? RERUN_BIT(insn->base) : 0) | (insn->index < 15 ? RERUN_BIT(insn->index) : 0);
    for (unsigned i = 0; i < 17; i++)
        state.r[i] = m->core.word[i];
    if (!rerun_knows(&m->core, needs))
        return RERUN_PLACE_UNKNOWN;
    if (!thumb_address(insn, &state, &address))
        return RERUN_NO_INSTRUCTION;
    if (insn->data[0] != THUMB_NONE && insn->multiple) {
        add_part(t, address, insn->data[0], 4);
        add_part(t, address + 4, insn->data[1], 4);
    } else {
        for (unsigned loc = 0; loc < 15; loc++)
            if (insn->list >> loc & 1) {
                add_part(t, address, loc, insn->access_size);
                address += insn->access_size;
            }
    }
    if (loads_pc(code)) {
        add_part(t, address, 0, 4);
        t->parts[t->count - 1].pc = true;
    }
    t->sign = insn->sign;
    t->writeback = insn->writeback && insn->base < 15 && !(insn->memory == THUMB_LOAD && insn->list >> insn->base & 1);
    t->base = insn->base;
    t->base_after = insn->base < 15 ? m->core.word[insn->base] + (uint32_t)insn->delta : 0;
    return t->count ? RERUN_DONE : RERUN_NO_INSTRUCTION;
}

/* ---- by their encodings ---- */

static rerun_status plan_floats(const rerun_machine *m, const rerun_code *code, transfer *t)
{
    uint16_t first = rerun_first(code), second = rerun_second(code);
    bool up = first & 0x80, before = first & 0x100, back = first & 0x20, wide = second & 0x100;
    unsigned base = first & 15, words = second & 0xff, reg = second >> 12;
    unsigned loc = RERUN_FLOAT + (wide ? 2 * (reg | (first >> 2 & 16)) : reg << 1 | (first >> 6 & 1));
    bool one = before && !back;
    if (base < 15 && !rerun_knows(&m->core, RERUN_BIT(base)))
        return RERUN_PLACE_UNKNOWN;
    uint32_t from = base < 15 ? m->core.word[base] : (code->insn.pc + 4) & ~3u;
    uint32_t address = one ? (up ? from + 4 * words : from - 4 * words) : before ? from - 4 * words : from;
    unsigned count = one ? 1 : wide ? words / 2 : words;
    for (unsigned i = 0; i < count && loc < RERUN_LOCATIONS; i++) {
        add_part(t, address, loc, wide ? 8 : 4);
        t->parts[t->count - 1].two = wide;
        address += wide ? 8 : 4;
        loc += wide ? 2 : 1;
    }
    t->writeback = back;
    t->base = (uint8_t)base;
    t->base_after = up ? from + 4 * words : from - 4 * words;
    return t->count ? RERUN_DONE : RERUN_NO_INSTRUCTION;
}

/* ldrex, strex, lda, stl and their kin, ldrt, strt: one register. */
static rerun_status plan_single(const rerun_machine *m, const rerun_code *code, transfer *t)
{
    uint16_t first = rerun_first(code), second = rerun_second(code);
    unsigned base = first & 15, offset = 0, size;
    if ((first & 0xffe0) == 0xe840) {
        offset = 4 * (second & 0xff);
        size = 4;
    } else if ((first & 0xffe0) == 0xe8c0 && (second & 0x40 || second & 0x80)) {
        size = 1u << (second >> 4 & 3);
    } else if ((first & 0xfe80) == 0xf800 && (second & 0xf00) == 0xe00) {
        offset = second & 0xff;
        size = 1u << (first >> 5 & 3);
        t->sign = first & 0x100;
    } else {
        return RERUN_NO_INSTRUCTION;
    }
    if (base == 15 || size > 4)
        return RERUN_NO_INSTRUCTION;
    if (!rerun_knows(&m->core, RERUN_BIT(base)))
        return RERUN_PLACE_UNKNOWN;
    add_part(t, m->core.word[base] + offset, second >> 12, size);
    return RERUN_DONE;
}

/* ---- doing it ---- */

static uint64_t extended(uint64_t value, unsigned size, bool sign)
{
    if (!sign || size >= 4)
        return value;
    unsigned shift = 32 - 8 * size;
    return (uint32_t)((int32_t)((uint32_t)value << shift) >> shift);
}

static void note_access(full_event *event, const part *p, bool store, uint64_t value, bool known)
{
    uint32_t at = event->access_count++;
    event->accesses[at] = (full_access){p->address, p->size, store, known ? value : 0};
    event->unknown |= known ? 0 : RERUN_BIT(at);
}

static bool enables(uint32_t address, uint64_t value, bool known)
{
    if (address == SYSTICK_CONTROL)
        return !known || value & SYSTICK_INTERRUPT;
    return address >= ENABLE_FIRST && address <= ENABLE_LAST && (!known || value);
}

static void do_store(rerun_machine *m, const part *p, full_event *event)
{
    const rerun_core *core = &m->core;
    uint64_t value = core->word[p->location];
    bool known = rerun_knows(core, RERUN_BIT(p->location));
    if (p->two) {
        value |= (uint64_t)core->word[p->location + 1] << 32;
        known = known && rerun_knows(core, RERUN_BIT(p->location + 1));
    }
    if (p->size < 4)
        value &= (UINT64_C(1) << (8 * p->size)) - 1;
    note_access(event, p, true, value, known);
    if (p->address == VECTOR_TABLE) {
        m->vectors = known ? (uint32_t)value : m->vectors;
        m->vectors_known = known;
    }
    if (p->address == COPROCESSORS) {
        m->coprocessors = (uint32_t)value & COPROCESSORS_FPU;
        m->coprocessors_unknown = !known;
    }
    m->enabled |= enables(p->address, value, known);
    if (rerun_is_device(p->address))
        rerun_pending_store(m, p->address, p->size, value, known);
    rerun_store(m->space, p->address, p->size, value, known);
    m->stores++;
}

static bool load(rerun_machine *m, const part *p, uint64_t *value)
{
    if (rerun_load(m->space, p->address, p->size, value))
        return true;
    if (p->address == VECTOR_TABLE && p->size == 4 && m->vectors_known) {
        *value = m->vectors;
        return true;
    }
    if (p->address == COPROCESSORS && p->size == 4 && !m->coprocessors_unknown) {
        *value = m->coprocessors;
        return true;
    }
    return m->from.load && m->from.load(m->from.own, p->address, p->size, value);
}

/* The words that are loaded go to the core only after all accesses. */
static rerun_status do_loads(rerun_machine *m, const transfer *t, full_event *event, uint32_t *next)
{
    uint64_t values[FULL_ACCESSES_MAX];
    bool known[FULL_ACCESSES_MAX];
    for (unsigned i = 0; i < t->count; i++) {
        const part *p = &t->parts[i];
        known[i] = load(m, p, &values[i]);
        if (p->pc && !known[i])
            return RERUN_WAY_UNKNOWN;
    }
    for (unsigned i = 0; i < t->count; i++) {
        const part *p = &t->parts[i];
        note_access(event, p, false, values[i], known[i]);
        m->unanswered += rerun_is_device(p->address) && !known[i];
        if (p->pc) {
            *next = (uint32_t)values[i];
            continue;
        }
        rerun_set(&m->core, p->location, (uint32_t)extended(values[i], p->size, t->sign), known[i]);
        if (p->two)
            rerun_set(&m->core, p->location + 1u, (uint32_t)(values[i] >> 32), known[i]);
    }
    return RERUN_DONE;
}

static bool is_exclusive(const rerun_code *code, bool *store)
{
    uint16_t first = rerun_first(code), second = rerun_second(code);
    *store = !(first & 0x10);
    return code->insn.size == 4 && ((first & 0xffe0) == 0xe840 || ((first & 0xffe0) == 0xe8c0 && second & 0x40));
}

/* strex: it stores only while the monitor holds its address, and says so. */
static bool refused(rerun_machine *m, const rerun_code *code)
{
    uint16_t first = rerun_first(code), second = rerun_second(code);
    unsigned result = (first & 0xffe0) == 0xe840 ? second >> 8 & 15 : second & 15;
    bool held = m->core.exclusive;
    m->core.exclusive = false;
    rerun_set(&m->core, result, !held, true);
    return !held;
}

rerun_status rerun_transfer(rerun_machine *m, const rerun_code *code, full_event *event, uint32_t *next)
{
    const thumb_insn *insn = &code->insn;
    bool floats = insn->size == 4 && (rerun_first(code) & 0xfe00) == 0xec00, exclusive_store;
    bool exclusive = is_exclusive(code, &exclusive_store);
    transfer t = {.store = insn->memory == THUMB_STORE};
    rerun_status status = floats                                          ? plan_floats(m, code, &t)
                          : insn->access_size && insn->base != THUMB_NONE ? plan_listed(m, code, &t)
                                                                          : plan_single(m, code, &t);
    if (status != RERUN_DONE)
        return status;
    if (t.store) {
        if (!exclusive || !refused(m, code))
            for (unsigned i = 0; i < t.count; i++)
                do_store(m, &t.parts[i], event);
    } else {
        status = do_loads(m, &t, event, next);
        m->core.exclusive |= exclusive && status == RERUN_DONE;
    }
    if (status == RERUN_DONE && floats)
        m->core.floats_used = true;
    if (status == RERUN_DONE && t.writeback)
        rerun_set(&m->core, t.base, t.base_after, true);
    return status;
}
