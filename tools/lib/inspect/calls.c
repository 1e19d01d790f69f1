/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/calls.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

static calls *of_thread(call_chains *c, uint32_t context)
{
    while (c->thread_count <= context) {
        c->thread = memory_room(c->thread, c->thread_count, &c->thread_max, sizeof *c->thread);
        c->thread[c->thread_count++] = (calls){0};
    }
    return &c->thread[context];
}

static calls *current(call_chains *c, const processor *p, size_t *base)
{
    *base = p->depth ? c->base[p->depth] : 0;
    return p->depth ? &c->handlers : of_thread(c, p->thread);
}

static void exception(call_chains *c, const processor *p)
{
    if (p->change == PROCESSOR_RETURNED) {
        if (c->handlers.depth > c->base[p->depth + 1])
            c->handlers.depth = c->base[p->depth + 1];
        return;
    }
    if (p->change == PROCESSOR_CHAINED && c->handlers.depth > c->base[p->depth])
        c->handlers.depth = c->base[p->depth];
    c->base[p->depth] = p->depth > 1 ? c->handlers.depth : 0;
    c->handlers.depth = c->base[p->depth];
}

void calls_feed(call_chains *c, processor *p, const full_event *event)
{
    size_t base;
    if (event->kind == FULL_EXCEPTION) {
        exception(c, p);
        c->sp = p->registers[13];
        return;
    }
    if (!event->passed || !event->completed)
        return;
    calls *own = current(c, p, &base);
    const full_instruction *i = event->instruction;
    uint32_t sp = c->sp; /* before the instruction */
    c->sp = p->registers[13];
    while (own->depth > base && (own->all[own->depth - 1].sp < sp ||
                                 (own->all[own->depth - 1].back == i->pc && own->all[own->depth - 1].sp == sp)))
        own->depth--;
    const thumb_insn *insn = processor_insn(p, i);
    if (insn->flow != THUMB_CALL && insn->flow != THUMB_CALL_INDIRECT)
        return;
    own->all = memory_room(own->all, own->depth, &own->max, sizeof *own->all);
    own->all[own->depth++] = (call){i->pc, i->pc + i->size, sp, p->context};
}

const call *calls_own(call_chains *c, const processor *p, size_t *count)
{
    size_t base;
    calls *own = current(c, p, &base);
    *count = own->depth - base;
    return own->all ? own->all + base : own->all;
}

void calls_free(call_chains *c)
{
    for (size_t i = 0; i < c->thread_count; i++)
        free(c->thread[i].all);
    free(c->thread);
    free(c->handlers.all);
    *c = (call_chains){0};
}
