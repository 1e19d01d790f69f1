/* SPDX-License-Identifier: MIT */
/* Step 1 of hot.c: the text in which all occurrences of short subpaths stand, with their weights. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/hot_finder.h"

/* A rule of more than 8 L symbols that is used twice takes less room if it is written apart. */
uint64_t hot_measure(finder *f)
{
    uint64_t size = 0;
    f->order = grammar_order(f->g, &f->rules);
    f->frequency = grammar_frequencies(f->g, f->order, f->rules);
    f->texts = memory_zero(f->g->rules, sizeof *f->texts);
    for (size_t i = 0; i < f->rules; i++) {
        rule_text *t = f->texts + f->order[i];
        for (size_t at = f->g->start[f->order[i]]; at < f->g->start[f->order[i] + 1]; at++)
            t->length += width_of(f, f->g->symbols[at]);
        t->apart = t->length > 8 * f->longest || f->order[i] == 0;
        if (t->apart)
            size += t->length + 1 + 2 * f->longest;
    }
    return size;
}

static void put(finder *f, uint32_t code)
{
    for (unsigned i = f->width; i-- > 0; code >>= 8)
        f->bytes[f->size * f->width + i] = (uint8_t)code;
    f->size++;
}

static void put_again(finder *f, size_t place, size_t length)
{
    memcpy(f->bytes + f->size * f->width, f->bytes + place * f->width, length * f->width);
    f->size += length;
}

static void put_first(finder *f, const rule_text *t)
{
    put_again(f, t->home, f->longest - 1);
    put(f, 0);
}

static void put_last(finder *f, const rule_text *t)
{
    put_again(f, t->home + t->length - (f->longest - 1), f->longest - 1);
}

static void begin_part(finder *f, uint64_t weight)
{
    f->parts[f->part_count++] = (part){f->size, weight};
}

/* The rules that are being written, one inside the other. */
typedef struct writing {
    uint32_t *rules; /* room for all */
    size_t *at;      /* of each rule: the next element */
    size_t depth;
} writing;

static void enter_rule(const finder *f, writing *w, uint32_t rule)
{
    f->texts[rule].home = f->size;
    w->at[rule] = f->g->start[rule];
    w->rules[w->depth++] = rule;
}

static void write_element(finder *f, writing *w, uint32_t symbol)
{
    if (!is_rule(symbol)) {
        put(f, symbol + 1);
        return;
    }
    const rule_text *t = f->texts + rule_of(symbol);
    if (t->apart) {
        put_first(f, t);
        put_last(f, t);
    } else if (t->written) {
        put_again(f, t->home, t->length);
    } else {
        enter_rule(f, w, rule_of(symbol));
    }
}

/* Writes a rule that stands apart, with those inside it that do not. */
static void write_rule(finder *f, writing *w, uint32_t rule)
{
    enter_rule(f, w, rule);
    while (w->depth) {
        uint32_t top = w->rules[w->depth - 1];
        if (w->at[top] < f->g->start[top + 1]) {
            write_element(f, w, f->g->symbols[w->at[top]++]);
            continue;
        }
        f->texts[top].written = true;
        w->depth--;
    }
}

void hot_write(finder *f, size_t size)
{
    writing w = {memory_zero(f->rules, sizeof *w.rules), memory_zero(f->g->rules, sizeof *w.at), 0};
    f->bytes = memory_zero(size, f->width);
    f->parts = memory_zero(2 * f->rules, sizeof *f->parts);
    for (size_t i = 0; i < f->rules; i++) {
        const rule_text *t = f->texts + f->order[i];
        if (!t->apart)
            continue;
        begin_part(f, f->frequency[f->order[i]]);
        write_rule(f, &w, f->order[i]);
        put(f, 0);
        if (f->order[i] == 0)
            continue;
        begin_part(f, 0 - f->frequency[f->order[i]]);
        put_first(f, t);
        put_last(f, t);
        put(f, 0);
    }
    free(w.rules);
    free(w.at);
}
