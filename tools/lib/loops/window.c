/* SPDX-License-Identifier: MIT */
#include "tools/lib/loops/window.h"

#include <stdlib.h>

#include "core/loopnest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/recording/terms.h"

enum {
    OUT_SIZE = 1 << 21, /* bytes of the detector's output that are read at once */
    /* What the detector gets for symbol 0. It writes small symbols twice, where a loop of 2 iterations would be longer. */
    FIRST = 64
};

/* Builds a nest from terms, inner loops first. */
typedef struct builder {
    nest *nest;
    uint32_t *items; /* of the root, then of the bodies that are open */
    size_t count, max;
    struct {
        size_t items; /* before the body */
        uint32_t iterations;
    } open[TERMS_DEPTH_MAX];
    unsigned depth;
} builder;

static void take_symbol(void *context, uint32_t symbol)
{
    builder *b = context;
    b->items = memory_room(b->items, b->count, &b->max, sizeof *b->items);
    b->items[b->count++] = symbol - FIRST;
}

static void take_open(void *context, uint32_t iterations)
{
    builder *b = context;
    b->open[b->depth].items = b->count;
    b->open[b->depth++].iterations = iterations;
}

static void take_close(void *context)
{
    builder *b = context;
    b->depth--;
    if (b->open[b->depth].iterations < 2)
        return;
    size_t first = b->open[b->depth].items;
    b->items[first] =
        nest_intern(b->nest, b->items + first, (uint32_t)(b->count - first), b->open[b->depth].iterations);
    b->count = first + 1;
}

static void drain(builder *b, weft_writer *out)
{
    const terms_visitor visitor = {b, take_symbol, take_open, take_close};
    if (terms_visit(out->bytes, out->size, &visitor) != WEFT_OK)
        abort(); /* the coder and its reader disagree: a defect of this program */
    out->size = 0;
}

static size_t power_of_two(size_t least)
{
    size_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

static weft_loopnest_config config_of(uint32_t window, uint32_t depth)
{
    weft_loopnest_config c = {.window = window, .depth_max = depth};
    c.terms_max = power_of_two(window);
    c.buckets_max = 2 * c.terms_max;
    c.terms = memory_zero(c.terms_max, sizeof *c.terms);
    c.buckets = memory_zero(c.buckets_max, sizeof *c.buckets);
    return c;
}

nest *nest_windowed(const uint32_t *symbols, size_t size, uint32_t window, uint32_t depth)
{
    weft_loopnest_config config = config_of(window, depth);
    weft_loopnest detector;
    weft_writer out;
    dense d = dense_of(symbols, size);
    builder b = {.nest = nest_new(d.symbols, d.alphabet)};
    weft_writer_init(&out, memory_grow(NULL, OUT_SIZE, 1), OUT_SIZE);
    if (weft_loopnest_init(&detector, &config) != WEFT_OK)
        abort(); /* the sizes were made to fit above */
    for (size_t i = 0; i < size;) {
        if (weft_loopnest_push(&detector, d.text[i] + FIRST, &out) == WEFT_OK) {
            i++;
            continue;
        }
        weft_loopnest_flush(&detector, &out);
        drain(&b, &out);
    }
    weft_loopnest_flush(&detector, &out);
    drain(&b, &out);
    nest_set_root(b.nest, b.items, b.count);
    free(b.items);
    free(out.bytes);
    free(config.terms);
    free(config.buckets);
    free(d.text);
    free(d.symbols);
    return b.nest;
}
