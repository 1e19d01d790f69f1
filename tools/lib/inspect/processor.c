/* SPDX-License-Identifier: MIT */
/* Register addresses and encodings: ARMv7-M and ARMv8-M Architecture Reference Manuals. */
#include "tools/lib/inspect/processor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/decode_in.h"

#define SYST_CSR 0xe000e010u
#define NVIC_ISER 0xe000e100u
#define NVIC_ICER 0xe000e180u
#define NVIC_ISPR 0xe000e200u
#define NVIC_ICPR 0xe000e280u
#define NVIC_IPR 0xe000e400u
#define NVIC_END 0xe000e5f0u
#define SCB_ICSR 0xe000ed04u
#define SCB_AIRCR 0xe000ed0cu
#define SCB_SHPR 0xe000ed18u
#define SCB_SHPR_END 0xe000ed24u
#define NVIC_STIR 0xe000ef00u
#define IRQ_BASE 16u

enum { NMI = 2, HARD_FAULT = 3, SVC = 11 };
enum { SYSM_PRIMASK = 16, SYSM_BASEPRI, SYSM_BASEPRI_MAX, SYSM_FAULTMASK, SYSM_CONTROL };

struct processor_own {
    size_t context_max;
    who_runs who;
    thumb_insn **insns; /* by number of the static instruction; NULL: not decoded yet */
    size_t insn_max;
};

static uint32_t add_context(processor *p, uint32_t number, uint32_t entry)
{
    p->contexts = memory_room(p->contexts, p->context_count, &p->own->context_max, sizeof *p->contexts);
    p->contexts[p->context_count] = (processor_context){.number = number, .entry = entry};
    return p->context_count++;
}

processor *processor_new(const image *im)
{
    processor *p = memory_zero(1, sizeof *p);
    p->im = im;
    p->own = memory_zero(1, sizeof *p->own);
    p->level = PROCESSOR_IDLE;
    p->group = 1;
    for (uint32_t i = 0; i < PROCESSOR_EXCEPTIONS; i++)
        p->pended[i] = PROCESSOR_NEVER;
    p->enabled[NMI] = p->enabled[PROCESSOR_PENDSV] = true;
    p->registers[13] = vectors_word(im, 0);
    add_context(p, 0, 0);
    return p;
}

void processor_free(processor *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->own->insn_max; i++)
        free(p->own->insns[i]);
    free(p->own->insns);
    who_runs_free(&p->own->who);
    free(p->own);
    free(p->contexts);
    free(p);
}

const thumb_insn *processor_insn(processor *p, const full_instruction *i)
{
    struct processor_own *own = p->own;
    if (i->number >= own->insn_max) {
        size_t max = own->insn_max;
        own->insn_max = i->number < 512 ? 1024 : 2 * (size_t)i->number;
        own->insns = memory_grow(own->insns, own->insn_max, sizeof *own->insns);
        memset(own->insns + max, 0, (own->insn_max - max) * sizeof *own->insns);
    }
    if (!own->insns[i->number]) {
        own->insns[i->number] = memory_zero(1, sizeof **own->insns);
        thumb_decode_in(own->insns[i->number], p->im, i->pc, i->bytes, i->size, i->condition);
    }
    return own->insns[i->number];
}

/* ---- who may interrupt ---- */

static int group_of(const processor *p, unsigned priority)
{
    return (int)(priority >> p->group << p->group);
}

static int urgency(const processor *p, uint32_t exception)
{
    return exception == NMI ? -2 : exception == HARD_FAULT ? -1 : group_of(p, p->priority[exception]);
}

static void update_level(processor *p)
{
    int level = PROCESSOR_IDLE;
    for (uint32_t i = 0; i < p->depth; i++) {
        int own = urgency(p, p->active[i].number);
        level = own < level ? own : level;
    }
    if (p->basepri && group_of(p, p->basepri) < level)
        level = group_of(p, p->basepri);
    if (p->primask && level > 0)
        level = 0;
    if (p->faultmask && level > -1)
        level = -1;
    p->version++;
    p->level = level;
}

bool processor_open(const processor *p, uint32_t exception)
{
    return p->enabled[exception] && urgency(p, exception) < p->level;
}

/* ---- what stores set ---- */

static void set_enabled(processor *p, uint32_t exception, bool to)
{
    p->enabled[exception] = to;
    p->enabled_once[exception] |= to;
}

static void set_bits(processor *p, uint32_t first, uint64_t value, uint32_t size, bool to)
{
    for (uint32_t bit = 0; bit < 8 * size; bit++)
        if (value >> bit & 1 && IRQ_BASE + first + bit < PROCESSOR_EXCEPTIONS)
            set_enabled(p, IRQ_BASE + first + bit, to);
    p->version++;
}

static void pend(processor *p, uint32_t exception, uint64_t time, bool to)
{
    if (exception >= PROCESSOR_EXCEPTIONS)
        return;
    if (!to)
        p->pended[exception] = PROCESSOR_NEVER;
    else if (p->pended[exception] == PROCESSOR_NEVER)
        p->pended[exception] = time;
}

static void pend_bits(processor *p, uint32_t first, uint64_t value, uint32_t size, uint64_t time, bool to)
{
    for (uint32_t bit = 0; bit < 8 * size; bit++)
        if (value >> bit & 1)
            pend(p, IRQ_BASE + first + bit, time, to);
}

static void set_priorities(processor *p, uint32_t first, uint64_t value, uint32_t size)
{
    for (uint32_t i = 0; i < size && first + i < PROCESSOR_EXCEPTIONS; i++)
        p->priority[first + i] = (uint8_t)(value >> 8 * i);
    update_level(p);
}

static void store_icsr(processor *p, uint32_t value, uint64_t time)
{
    if (value >> 28 & 1)
        pend(p, PROCESSOR_PENDSV, time, true);
    if (value >> 27 & 1)
        pend(p, PROCESSOR_PENDSV, time, false);
    if (value >> 26 & 1)
        pend(p, PROCESSOR_SYSTICK, time, true);
    if (value >> 25 & 1)
        pend(p, PROCESSOR_SYSTICK, time, false);
    if (value >> 31)
        pend(p, NMI, time, true);
}

static void store_nvic(processor *p, const full_access *a, uint64_t time)
{
    uint32_t at = a->address & 0x7f;
    if (a->address >= NVIC_IPR && a->address < NVIC_END)
        set_priorities(p, IRQ_BASE + a->address - NVIC_IPR, a->value, a->size);
    else if (a->address >= NVIC_ISER && a->address < NVIC_ICER)
        set_bits(p, 8 * at, a->value, a->size, true);
    else if (a->address >= NVIC_ICER && a->address < NVIC_ISPR)
        set_bits(p, 8 * at, a->value, a->size, false);
    else if (a->address >= NVIC_ISPR && a->address < NVIC_ICPR)
        pend_bits(p, 8 * at, a->value, a->size, time, true);
    else if (a->address >= NVIC_ICPR && a->address < NVIC_ICPR + 0x80)
        pend_bits(p, 8 * at, a->value, a->size, time, false);
}

bool processor_decides(uint32_t address)
{
    return address == SYST_CSR || address == SCB_AIRCR || (address >= NVIC_ISER && address < NVIC_ISPR) ||
           (address >= NVIC_IPR && address < NVIC_END) || (address >= SCB_SHPR && address < SCB_SHPR_END);
}

static void store(processor *p, const full_access *a, uint64_t time)
{
    if (a->address == SYST_CSR) {
        set_enabled(p, PROCESSOR_SYSTICK, a->value >> 1 & 1);
        p->version++;
    } else if (a->address == SCB_ICSR) {
        store_icsr(p, (uint32_t)a->value, time);
    } else if (a->address == SCB_AIRCR && a->value >> 16 == 0x05fa) {
        p->group = (uint8_t)((a->value >> 8 & 7) + 1);
        update_level(p);
    } else if (a->address >= SCB_SHPR && a->address < SCB_SHPR_END) {
        set_priorities(p, 4 + a->address - SCB_SHPR, a->value, a->size);
    } else if (a->address == NVIC_STIR) {
        pend(p, IRQ_BASE + (a->value & 0x1ff), time, true);
    } else {
        store_nvic(p, a, time);
    }
}

/* ---- what instructions set ---- */

static void use_process_stack(processor *p, bool process)
{
    p->process = process;
    p->contexts[p->thread].process = process;
}

static void msr(processor *p, unsigned sysm, uint32_t value)
{
    if (sysm == SYSM_PRIMASK)
        p->primask = value & 1;
    else if (sysm == SYSM_FAULTMASK)
        p->faultmask = value & 1;
    else if (sysm == SYSM_BASEPRI)
        p->basepri = (uint8_t)value;
    else if (sysm == SYSM_BASEPRI_MAX && (uint8_t)value && (!p->basepri || (uint8_t)value < p->basepri))
        p->basepri = (uint8_t)value;
    else if (sysm == SYSM_CONTROL && !p->depth)
        use_process_stack(p, value >> 1 & 1);
    else
        return;
    update_level(p);
}

static void special(processor *p, const full_instruction *i)
{
    uint32_t first = i->bytes[0] | (uint32_t)i->bytes[1] << 8, second = i->bytes[2] | (uint32_t)i->bytes[3] << 8;
    if (i->size == 2 && (first & 0xffec) == 0xb660) { /* cpsie, cpsid */
        bool mask = first & 0x10;
        p->primask = first & 2 ? mask : p->primask;
        p->faultmask = first & 1 ? mask : p->faultmask;
        update_level(p);
    } else if (i->size == 4 && (first & 0xfff0) == 0xf380 && (second & 0xf300) == 0x8000) {
        msr(p, second & 0xff, p->registers[first & 15]);
    }
}

static void execute(processor *p, const full_event *event)
{
    const full_instruction *i = event->instruction;
    p->change = PROCESSOR_SAME;
    p->pc = i->pc;
    if (!event->passed)
        return;
    if (event->completed && (i->bytes[1] == 0xb6 || (i->bytes[1] == 0xf3 && i->size == 4)))
        special(p, i);
    for (uint32_t k = 0; k < event->access_count; k++)
        if (event->accesses[k].store && event->accesses[k].address >> 16 == 0xe000)
            store(p, &event->accesses[k], event->time);
    uint32_t at = 0;
    for (uint64_t written = event->written & 0x7fff; written; written &= written - 1)
        p->registers[__builtin_ctzll(written)] = event->values[at++];
}

bool processor_written(const full_event *event, unsigned r, uint32_t *value)
{
    if (!(event->written >> r & 1))
        return false;
    *value = event->values[__builtin_popcountll(event->written & ((UINT64_C(1) << r) - 1))];
    return true;
}

/* ---- exceptions ---- */

static uint32_t context_of(processor *p, uint32_t number, uint32_t entry)
{
    for (uint32_t i = 0; i < p->context_count; i++)
        if (p->contexts[i].number == number)
            return i;
    return add_context(p, number, entry);
}

/* Thread mode goes on, or a handler has started in place of one that goes there: perhaps it is another thread by now.
 * A switch may come before the new one has run. */
static void take_thread(processor *p)
{
    uint32_t known = p->context_count, thread = context_of(p, p->own->who.thread, 0);
    if (thread == known)
        p->contexts[thread].process = true;
    p->switched = thread != p->thread;
    p->thread = thread;
}

static void enter(processor *p, const full_event *event)
{
    bool chained = who_runs_is_chained(&p->own->who, event);
    processor_active next = {.number = event->to,
                             .context = context_of(p, event->to, event->pc),
                             .below = p->registers[13],
                             .at = p->pc,
                             .begin = event->registers[13],
                             .process = p->process};
    who_runs_event(&p->own->who, event);
    if (chained) {
        const processor_active *ended = &p->active[--p->depth];
        next.below = ended->below;
        next.at = ended->at;
        next.process = ended->process;
    }
    if (!p->depth && chained)
        take_thread(p);
    else if (!p->depth)
        p->contexts[p->thread].sp = next.below;
    if (p->depth < PROCESSOR_NESTED)
        p->active[p->depth++] = next;
    p->process = false;
    p->context = next.context;
    p->change = chained ? PROCESSOR_CHAINED : PROCESSOR_ENTERED;
    p->pended[event->to] = PROCESSOR_NEVER;
}

static void leave(processor *p, const full_event *event)
{
    bool nmi = p->depth && p->active[p->depth - 1].number == NMI;
    p->faultmask = p->faultmask && nmi;
    who_runs_event(&p->own->who, event);
    p->depth = p->own->who.depth;
    if (p->depth) {
        p->context = p->active[p->depth - 1].context;
        p->process = false;
    } else {
        take_thread(p);
        processor_context *thread = &p->contexts[p->thread];
        if (!thread->entry && thread->number) {
            thread->entry = event->pc;
            vectors_begin(p->im, thread->number, thread->entry);
        }
        p->context = p->thread;
        p->process = thread->process;
    }
    p->change = PROCESSOR_RETURNED;
}

void processor_feed(processor *p, const full_event *event)
{
    if (event->kind == FULL_EXECUTED) {
        execute(p, event);
        return;
    }
    p->switched = false;
    if (event->entry)
        enter(p, event);
    else
        leave(p, event);
    memcpy(p->registers, event->registers, sizeof p->registers);
    p->pc = event->pc;
    update_level(p);
}
