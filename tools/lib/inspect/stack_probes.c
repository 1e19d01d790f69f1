/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/unwind.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/by_context.h"

#define EXCEPTION_FRAME 32u /* bytes that the core stores at an exception, without floating point */

/* The activations of a context. */
typedef struct chain {
    uint32_t context;   /* first: by_context */
    uint32_t *function; /* numbers, outermost first */
    size_t depth, max;
    uint64_t bytes;   /* the sum of their frames */
    uint64_t deepest; /* the most so far, with what it interrupted */
    uint64_t own;
    uint64_t at;
    stack_link *link;
    size_t link_count, link_max;
} chain;

typedef struct listening {
    const functions *all;
    const program *app;
    uint32_t *frame; /* by function */
    chain *of;
    size_t count, max, last; /* last: the one used last */
    uint32_t *order;         /* contexts with activations: the one that began last is the last */
    size_t order_count, order_max;
} listening;

static chain *chain_of(listening *l, uint32_t context)
{
    l->of = by_context(l->of, &l->count, &l->max, sizeof *l->of, context, &l->last);
    return &l->of[l->last];
}

static uint32_t frame_of(const listening *l, uint32_t function)
{
    return l->frame[function] == STACK_UNKNOWN ? 0 : l->frame[function];
}

static void add_links(listening *l, chain *to, const chain *from)
{
    for (size_t i = 0; i < from->depth; i++) {
        const function_cost *f = &l->all->all[from->function[i]];
        uint32_t bytes = l->frame[from->function[i]];
        if (bytes != STACK_UNKNOWN && !i && vectors_is_handler(from->context))
            bytes += EXCEPTION_FRAME;
        to->link = memory_room(to->link, to->link_count, &to->link_max, sizeof *to->link);
        to->link[to->link_count++] = (stack_link){f->name, f->place.file, f->place.line, from->context, bytes};
    }
}

/* The context's stack grew. Handlers stand on what they interrupt: the main stack. Threads have one each. */
static void note(listening *l, uint32_t context, uint64_t time)
{
    chain *c = chain_of(l, context);
    uint64_t sum = c->bytes;
    for (size_t i = 0; vectors_is_handler(context) && i < l->order_count; i++) {
        uint32_t other = l->order[i];
        if (other != context && other < VECTORS_THREAD)
            sum += chain_of(l, other)->bytes;
    }
    c = chain_of(l, context);
    c->own = c->bytes > c->own ? c->bytes : c->own;
    if (sum <= c->deepest && c->link_count)
        return;
    c->deepest = sum;
    c->at = time;
    c->link_count = 0;
    for (size_t i = 0; vectors_is_handler(context) && i < l->order_count; i++)
        if (l->order[i] != context && l->order[i] < VECTORS_THREAD)
            add_links(l, c, chain_of(l, l->order[i]));
    add_links(l, c, c);
}

static void entered(void *own, const functions_moment *at, uint32_t number)
{
    listening *l = own;
    uint32_t context = at->context;
    chain *c = chain_of(l, context);
    c->function = memory_room(c->function, c->depth, &c->max, sizeof *c->function);
    c->function[c->depth++] = number;
    c->bytes += frame_of(l, number);
    if (c->depth == 1) {
        c->bytes += vectors_is_handler(context) ? EXCEPTION_FRAME : 0;
        l->order = memory_room(l->order, l->order_count, &l->order_max, sizeof *l->order);
        l->order[l->order_count++] = context;
    }
    note(l, context, at->time);
}

static void left(void *own, const functions_moment *at, uint32_t function)
{
    listening *l = own;
    uint32_t context = at->context;
    chain *c = chain_of(l, context);
    (void)function;
    if (!c->depth)
        return;
    c->bytes -= frame_of(l, c->function[--c->depth]);
    if (c->depth)
        return;
    c->bytes = 0;
    size_t i = l->order_count;
    while (i && l->order[i - 1] != context)
        i--;
    if (i) {
        memmove(l->order + i - 1, l->order + i, (l->order_count - i) * sizeof *l->order);
        l->order_count--;
    }
}

static int context_order(const void *a, const void *b)
{
    uint32_t x = ((const stack_use *)a)->context, y = ((const stack_use *)b)->context;
    return x < y ? -1 : x > y;
}

/* Hands a context's links over. */
static void give(stacks *out, const listening *l, chain *c)
{
    out->all = memory_room(out->all, out->count, &out->max, sizeof *out->all);
    stack_use *use = &out->all[out->count++];
    *use = (stack_use){.context = c->context,
                       .process = c->context >= VECTORS_THREAD,
                       .bytes = c->deepest,
                       .own = c->own,
                       .at = c->at,
                       .link = c->link,
                       .link_count = c->link_count};
    const image *im = program_image(l->app);
    uint32_t entry = vectors_is_handler(c->context) ? vectors_word(im, c->context) : 0;
    vectors_name_from(im, c->context, entry, use->name, sizeof use->name);
    for (size_t i = 0; i < use->link_count; i++)
        out->unknown += use->link[i].bytes == STACK_UNKNOWN;
}

const char *stacks_probes(stacks *out, const container *file, program *app, functions_seen *seen)
{
    functions *all = functions_new();
    functions_of_program(all, app);
    const descriptors *known = program_descriptors(app);
    listening l = {.all = all, .app = app, .frame = memory_zero(known->count + 1, sizeof *l.frame)};
    unwind *sizes = unwind_open(program_image(app));
    for (size_t i = 0; i < known->count; i++)
        l.frame[i] = unwind_frame(sizes, known->function[i].address & ~1u);
    functions_listen(all, (functions_listener){.own = &l, .enter = entered, .leave = left});
    const char *error = functions_feed(all, file, app, (functions_choice){0}, seen);
    *out = (stacks){0};
    for (size_t i = 0; i < l.count; i++) {
        give(out, &l, &l.of[i]);
        free(l.of[i].function);
    }
    if (out->count)
        qsort(out->all, out->count, sizeof *out->all, context_order);
    free(l.of);
    free(l.order);
    free(l.frame);
    unwind_close(sizes);
    functions_free(all);
    return error;
}
