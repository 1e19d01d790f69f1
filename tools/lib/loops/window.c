/* SPDX-License-Identifier: MIT */
#include "tools/lib/loops/window.h"

#include <stdlib.h>

#include "core/loopnest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/recording/terms.h"

enum {
    OUT_SIZE = 1 << 21, /* bytes of the detector's output that are read at once */
    /* What the detector gets for symbol 0. It writes small symbols twice, where a loop of 2 iterations would be
     * longer. */
    FIRST = 64
};

/* While symbols come, their number is not known. So a loop's item is LOOP | its number, until all loops get their
 * items. */
#define LOOP 0x80000000u

struct nest_window {
    weft_loopnest_config config;
    weft_loopnest detector;
    weft_writer out; /* terms that were not read yet */
    numbering symbols;
    nest *nest;      /* its loops so far, inner ones first */
    uint32_t *items; /* of the root, then of the bodies that are open */
    size_t count, max;
    struct {
        size_t items; /* before the body */
        uint32_t iterations;
    } open[TERMS_DEPTH_MAX];
    unsigned depth;
};

static size_t power_of_two(size_t least)
{
    size_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

nest_window *nest_window_open(uint32_t terms, uint32_t depth)
{
    nest_window *w = memory_zero(1, sizeof *w);
    weft_loopnest_config *c = &w->config;
    c->window = terms;
    c->depth_max = depth;
    c->terms_max = power_of_two(terms);
    c->buckets_max = 2 * c->terms_max;
    c->terms = memory_zero(c->terms_max, sizeof *c->terms);
    c->buckets = memory_zero(c->buckets_max, sizeof *c->buckets);
    weft_writer_init(&w->out, memory_grow(NULL, OUT_SIZE, 1), OUT_SIZE);
    if (weft_loopnest_init(&w->detector, c) != WEFT_OK)
        abort(); /* the sizes were made to fit above */
    w->nest = nest_new(NULL, 0);
    w->nest->alphabet = LOOP;
    return w;
}

void nest_window_free(nest_window *w)
{
    nest_free(w->nest);
    numbering_free(&w->symbols);
    free(w->items);
    free(w->out.bytes);
    free(w->config.terms);
    free(w->config.buckets);
    free(w);
}

size_t nest_window_bytes(const nest_window *w)
{
    return nest_bytes(w->nest) + numbering_bytes(&w->symbols) + w->max * sizeof *w->items;
}

/* ---- terms to items ---- */

static void take_symbol(void *context, uint32_t symbol)
{
    nest_window *w = context;
    w->items = memory_room(w->items, w->count, &w->max, sizeof *w->items);
    w->items[w->count++] = symbol - FIRST;
}

static void take_open(void *context, uint32_t iterations)
{
    nest_window *w = context;
    w->open[w->depth].items = w->count;
    w->open[w->depth++].iterations = iterations;
}

static void take_close(void *context)
{
    nest_window *w = context;
    w->depth--;
    if (w->open[w->depth].iterations < 2)
        return;
    size_t first = w->open[w->depth].items;
    uint32_t *body = w->items + first;
    body[0] = nest_intern(w->nest, body, (uint32_t)(w->count - first), w->open[w->depth].iterations);
    w->count = first + 1;
}

/* The detector's memory is full, or the sequence ends: what it wrote becomes items. */
static void drain(nest_window *w)
{
    const terms_visitor visitor = {w, take_symbol, take_open, take_close};
    weft_loopnest_flush(&w->detector, &w->out);
    if (terms_visit(w->out.bytes, w->out.size, &visitor) != WEFT_OK)
        abort(); /* the detector and its reader disagree: a defect of this program */
    w->out.size = 0;
}

void nest_window_push(nest_window *w, const uint32_t *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t symbol = numbering_of(&w->symbols, symbols[i]) + FIRST;
        if (weft_loopnest_push(&w->detector, symbol, &w->out) == WEFT_OK)
            continue;
        drain(w);
        if (weft_loopnest_push(&w->detector, symbol, &w->out) != WEFT_OK)
            abort(); /* a term does not fit an empty buffer: a defect of this program */
    }
}

static void settle(uint32_t *items, size_t count, uint32_t alphabet)
{
    for (size_t i = 0; i < count; i++)
        if (items[i] & LOOP)
            items[i] = (items[i] & ~LOOP) + alphabet;
}

nest *nest_window_finish(nest_window *w)
{
    nest *n = w->nest;
    drain(w);
    free(n->symbols);
    n->alphabet = w->symbols.count;
    n->symbols = numbering_take(&w->symbols);
    settle(n->items, n->item_count, n->alphabet);
    settle(w->items, w->count, n->alphabet);
    nest_set_root(n, w->items, w->count);
    w->nest = NULL;
    nest_window_free(w);
    return n;
}
