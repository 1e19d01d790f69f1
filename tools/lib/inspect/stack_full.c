/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/stack.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/inspect/calls.h"

/* The deepest so far of a context. */
typedef struct deepest {
    uint64_t bytes, own, at;
    uint32_t top, least;
    bool process;
    call *chain; /* the last one: where it stood */
    size_t count, max;
} deepest;

typedef struct measure {
    processor *p;
    call_chains calls;
    deepest *of; /* by index of the context */
    size_t of_count, of_max;
    uint32_t main_top;
    uint32_t *thread_top; /* by index of the context */
    size_t top_count, top_max;
} measure;

static deepest *deepest_of(measure *m, uint32_t context)
{
    while (m->of_count <= context) {
        m->of = memory_room(m->of, m->of_count, &m->of_max, sizeof *m->of);
        m->of[m->of_count++] = (deepest){0};
    }
    return &m->of[context];
}

/* The highest stack pointer of the stack in use. */
static uint32_t top_of(measure *m, uint32_t sp)
{
    uint32_t *top = &m->main_top;
    if (m->p->process) {
        while (m->top_count <= m->p->thread) {
            m->thread_top = memory_room(m->thread_top, m->top_count, &m->top_max, sizeof *m->thread_top);
            m->thread_top[m->top_count++] = 0;
        }
        top = &m->thread_top[m->p->thread];
    }
    if (sp > *top)
        *top = sp;
    return *top;
}

static void add(deepest *d, call link)
{
    d->chain = memory_room(d->chain, d->count, &d->max, sizeof *d->chain);
    d->chain[d->count++] = link;
}

static void add_calls(deepest *d, const call *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(d, all[i]);
}

static void snapshot(measure *m, deepest *d)
{
    const processor *p = m->p;
    d->count = 0;
    if (!p->process && p->depth) {
        for (uint32_t n = 0; n < p->depth; n++) {
            const processor_active *above = &p->active[n];
            uint32_t context = n ? p->active[n - 1].context : p->thread;
            if (above->process)
                continue; /* it stands on another stack */
            if (n)
                add_calls(d, m->calls.handlers.all + m->calls.base[n], m->calls.base[n + 1] - m->calls.base[n]);
            else if (p->thread < m->calls.thread_count)
                add_calls(d, m->calls.thread[p->thread].all, m->calls.thread[p->thread].depth);
            add(d, (call){above->at, 0, above->below, context});
        }
    }
    size_t count;
    const call *own = calls_own(&m->calls, p, &count);
    add_calls(d, own, count);
    add(d, (call){p->pc, 0, p->registers[13], p->context});
}

static void note(measure *m, uint64_t time)
{
    const processor *p = m->p;
    uint32_t sp = p->registers[13], top = top_of(m, sp);
    if (!sp)
        return;
    deepest *d = deepest_of(m, p->context);
    const processor_active *active = p->depth ? &p->active[p->depth - 1] : NULL;
    uint32_t base = !active ? top : active->process ? active->begin : active->below;
    if (base - sp > d->own && base >= sp)
        d->own = base - sp;
    if (top - sp <= d->bytes && d->count)
        return;
    d->bytes = top - sp;
    d->at = time;
    d->top = top;
    d->least = sp;
    d->process = p->process;
    snapshot(m, d);
}

/* `before`: the stack pointer when the activation began. Above the stack's top: it stands on another stack. */
static stack_link link_of(const measure *m, const call *at, uint32_t before)
{
    const image *im = m->p->im;
    const image_symbol *function = image_function(&im->symbols, at->site);
    const image_line *line = image_line_at(im, at->site);
    return (stack_link){.function = function ? function->name : NULL,
                        .file = line ? line->file : NULL,
                        .line = line ? line->line : 0,
                        .context = m->p->contexts[at->context].number,
                        .bytes = at->sp < before ? before - at->sp : 0};
}

static void give(stacks *out, const measure *m, uint32_t context)
{
    const deepest *d = &m->of[context];
    const processor_context *c = &m->p->contexts[context];
    if (!d->count)
        return;
    out->all = memory_room(out->all, out->count, &out->max, sizeof *out->all);
    stack_use *use = &out->all[out->count++];
    *use = (stack_use){.context = c->number,
                       .process = d->process,
                       .bytes = d->bytes,
                       .own = d->own,
                       .at = d->at,
                       .top = d->top,
                       .least = d->least,
                       .link = memory_zero(d->count, sizeof *use->link),
                       .link_count = d->count};
    vectors_name_from(m->p->im, c->number, c->entry, use->name, sizeof use->name);
    for (size_t i = 0; i < d->count; i++)
        use->link[i] = link_of(m, &d->chain[i], i && d->chain[i - 1].sp < d->top ? d->chain[i - 1].sp : d->top);
}

static int by_context(const void *a, const void *b)
{
    uint32_t x = ((const stack_use *)a)->context, y = ((const stack_use *)b)->context;
    return x < y ? -1 : x > y;
}

const char *stacks_full(stacks *out, full_reader *reader, const image *im)
{
    static full_event event;
    measure m = {.p = processor_new(im), .main_top = vectors_word(im, 0)};
    while (full_next(reader, &event) > 0) {
        processor_feed(m.p, &event);
        calls_feed(&m.calls, m.p, &event);
        if (event.kind == FULL_EXCEPTION || event.written & FULL_REGISTER(13))
            note(&m, event.time);
        if (!(event.time & 0xfffff))
            progress_show(event.time, "instructions");
    }
    progress_end();
    *out = (stacks){0};
    for (uint32_t i = 0; i < m.of_count; i++) {
        give(out, &m, i);
        free(m.of[i].chain);
    }
    if (out->count)
        qsort(out->all, out->count, sizeof *out->all, by_context);
    free(m.of);
    free(m.thread_top);
    calls_free(&m.calls);
    processor_free(m.p);
    return full_error(reader);
}

void stacks_free(stacks *out)
{
    for (size_t i = 0; i < out->count; i++)
        free(out->all[i].link);
    free(out->all);
    *out = (stacks){0};
}
