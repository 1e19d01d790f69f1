/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/inspect/retrace_parts.h"
#include "tools/lib/recording/by_context.h"

#define STACK_SIZE 0x10000u   /* of each context */
#define EXC_THREAD 0xfffffff9 /* EXC_RETURN: back to thread mode; to a handler */
#define EXC_HANDLER 0xfffffff1
#define KEPT 0x2ff0u /* r4..r11, sp: a function gives them back as they were */

void retrace_context_reset(retrace_context *c, uint32_t index)
{
    c->depth = c->item_count = 0;
    c->known = RETRACE_SP;
    c->state.r[13] = RETRACE_STACKS + (index + 1) * STACK_SIZE;
}

void retrace_context_free(retrace_context *c)
{
    free(c->calls);
    free(c->items);
}

uint32_t retrace_context_of(retrace *r, uint32_t number)
{
    size_t known = r->context_count, at = 0;
    r->contexts = by_context(r->contexts, &r->context_count, &r->context_max, sizeof *r->contexts, number, &at);
    if (r->context_count > known)
        retrace_context_reset(&r->contexts[at], (uint32_t)at);
    return (uint32_t)at;
}

retrace_activation *retrace_enter(retrace *r)
{
    retrace_context *c = retrace_here(r);
    if (!c->depth)
        retrace_context_reset(c, r->context);
    else if (c->calls[c->depth - 1].led)
        c->calls[c->depth - 1].called = true;
    else
        c->known &= ~RETRACE_CLOBBERED;
    c->calls = memory_room(c->calls, c->depth, &c->max, sizeof *c->calls);
    c->calls[c->depth] = (retrace_activation){.entered = c->state, .known = c->known};
    return &c->calls[c->depth++];
}

void retrace_leave(retrace *r)
{
    retrace_context *c = retrace_here(r);
    if (!c->depth)
        return;
    const retrace_activation *a = &c->calls[--c->depth];
    for (unsigned reg = 4; reg < 14; reg++)
        if (KEPT >> reg & 1)
            c->state.r[reg] = a->entered.r[reg];
    c->known = (c->known & ~KEPT) | (a->known & KEPT);
}

static bool is_exception(uint32_t number)
{
    return number && number < VECTORS_THREAD;
}

uint32_t retrace_running(const processor *p)
{
    return p->contexts[p->context].number;
}

static bool is_active(const processor *p, uint32_t number)
{
    for (uint32_t i = 0; i < p->depth; i++)
        if (p->active[i].number == number)
            return true;
    return false;
}

/* A handler has ended if none of its functions is active. */
void retrace_exception(retrace *r, full_event *event)
{
    const processor *p = r->p;
    uint32_t from = p->depth ? p->active[p->depth - 1].number : 0, to = r->wanted;
    uint32_t index = retrace_context_of(r, from); /* first: it may move the contexts */
    bool ended = p->depth && !r->contexts[index].depth;
    bool entry = is_exception(to) && !is_active(p, to) && !ended;
    if (!is_exception(to) && !p->depth && r->contexts[r->context].number != retrace_running(p)) {
        entry = true; /* threads changed: by an exception without probes */
        to = PROCESSOR_PENDSV;
    } else if (!entry && is_exception(to)) {
        to = p->depth > 1 ? p->active[p->depth - 2].number : p->contexts[p->thread].number;
    }
    *event = (full_event){.kind = FULL_EXCEPTION, .time = r->time, .from = from, .to = to, .entry = entry};
    event->frame = entry ? 4 * (p->depth + 1) : 0;
    index = retrace_context_of(r, to);
    const retrace_context *c = &r->contexts[index];
    for (unsigned reg = 0; reg < 16; reg++)
        event->registers[reg] = reg < 14 && c->known >> reg & 1 ? c->state.r[reg] : 0;
    event->registers[14] = from ? EXC_HANDLER : EXC_THREAD;
    event->pc = entry ? vectors_word(r->im, to) & ~1u : 0;
}

bool retrace_mask(retrace *r, full_event *event)
{
    static const retrace_static mask = {.i = {.size = 2, .bytes = {0x72, 0xb6}, .condition = THUMB_ALWAYS},
                                        .insn = {.size = 2, .bytes = {0x72, 0xb6}}};
    static const retrace_static unmask = {.i = {.size = 2, .bytes = {0x62, 0xb6}, .condition = THUMB_ALWAYS},
                                          .insn = {.size = 2, .bytes = {0x62, 0xb6}}};
    bool comes = is_exception(r->wanted) && r->wanted != retrace_running(r->p) && !is_active(r->p, r->wanted);
    bool change = r->masked ? !r->p->primask && !comes : false;
    if (r->masked && comes) {
        r->masked = false;
        change = true;
    }
    if (!change)
        return false;
    r->given = r->masked ? &mask : &unmask;
    *event = (full_event){
        .kind = FULL_EXECUTED, .time = r->time++, .instruction = &r->given->i, .passed = true, .completed = true};
    return true;
}
