/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar_segment.h"

#include <stdlib.h>

#include "core/bytes.h"
#include "tools/lib/memory.h"

/* Elements in the order of the bits; those of a rule are in order, but inner rules lie between them. */
typedef struct element {
    uint32_t rule, symbol;
} element;

/* A rule whose elements are being read. */
typedef struct open_rule {
    uint32_t rule, count;
} open_rule;

typedef struct reading {
    const uint8_t *bytes;
    size_t bit, bits; /* next, and all */
    bool bad;
    element *elements;
    size_t count, elements_max;
    open_rule *stack;
    size_t depth, stack_max;
    uint32_t *terminals;
    uint32_t terminal_count, terminals_max, rules; /* rules without the start rule */
    uint32_t start_left;
} reading;

static uint32_t get_bits(reading *r, unsigned count)
{
    uint32_t value = 0;
    for (; count; count--, r->bit++) {
        if (r->bit >= r->bits) {
            r->bad = true;
            return 0;
        }
        value = value << 1 | (r->bytes[r->bit / 8] >> (7 - r->bit % 8) & 1u);
    }
    return value;
}

static uint32_t get_gamma(reading *r)
{
    unsigned zeros = 0;
    while (!r->bad && !get_bits(r, 1))
        if (++zeros > 31)
            r->bad = true;
    return r->bad ? 1 : 1u << zeros | get_bits(r, zeros);
}

static uint32_t get_code(reading *r, uint32_t codes)
{
    unsigned bits = 32u - (unsigned)__builtin_clz(codes - 1);
    uint32_t unused = (1u << bits) - codes;
    uint32_t value = get_bits(r, bits - 1);
    return value < unused ? value : (value << 1 | get_bits(r, 1)) - unused;
}

static void add_element(reading *r, uint32_t rule, uint32_t symbol)
{
    if (r->count == r->elements_max) {
        r->elements_max = 2 * r->elements_max + 64;
        r->elements = memory_grow(r->elements, r->elements_max, sizeof *r->elements);
    }
    r->elements[r->count++] = (element){rule, symbol};
}

static uint32_t new_terminal(reading *r)
{
    uint32_t before = r->terminal_count ? r->terminals[r->terminal_count - 1] : UINT32_MAX;
    uint32_t high = get_gamma(r) - 1;
    uint32_t step = high << 3 | get_bits(r, 3);
    if (r->terminal_count == r->terminals_max) {
        r->terminals_max = 2 * r->terminals_max + 64;
        r->terminals = memory_grow(r->terminals, r->terminals_max, sizeof *r->terminals);
    }
    r->terminals[r->terminal_count] = before + (uint32_t)weft_unzigzag(step);
    return r->terminal_count++;
}

static void open_new_rule(reading *r)
{
    if (r->depth == r->stack_max) {
        r->stack_max = 2 * r->stack_max + 64;
        r->stack = memory_grow(r->stack, r->stack_max, sizeof *r->stack);
    }
    r->stack[r->depth++] = (open_rule){++r->rules, 0};
}

static void read_element(reading *r)
{
    uint32_t known = r->terminal_count + r->rules;
    uint32_t rule = r->depth ? r->stack[r->depth - 1].rule : 0;
    uint32_t value = get_code(r, known + 2);
    if (r->depth)
        r->stack[r->depth - 1].count++;
    else
        r->start_left--;
    if (value < r->terminal_count) {
        add_element(r, rule, value);
    } else if (value < known) {
        add_element(r, rule, GRAMMAR_RULE | (value - r->terminal_count + 1));
    } else if (value == known) {
        add_element(r, rule, new_terminal(r));
    } else {
        add_element(r, rule, GRAMMAR_RULE | (r->rules + 1));
        open_new_rule(r);
    }
}

/* Elements sorted by rule. */
static grammar *grammar_of(reading *r)
{
    grammar *g = memory_zero(1, sizeof *g);
    g->rules = r->rules + (size_t)1;
    g->start = memory_zero(g->rules + 2, sizeof *g->start);
    g->symbols = memory_zero(r->count, sizeof *g->symbols);
    for (size_t i = 0; i < r->count; i++)
        g->start[r->elements[i].rule + 2]++;
    for (size_t rule = 2; rule <= g->rules; rule++)
        g->start[rule] += g->start[rule - 1];
    for (size_t i = 0; i < r->count; i++)
        g->symbols[g->start[r->elements[i].rule + 1]++] = r->elements[i].symbol;
    g->terminals = r->terminals;
    g->terminal_count = r->terminal_count;
    r->terminals = NULL;
    return g;
}

grammar *grammar_segment_read(const uint8_t *bytes, size_t size)
{
    reading r = {.bytes = bytes, .bits = 8 * size};
    r.start_left = size ? get_gamma(&r) : 0;
    while (!r.bad && (r.start_left || r.depth)) {
        if (r.depth && r.stack[r.depth - 1].count >= 2 && !get_bits(&r, 1))
            r.depth--;
        else
            read_element(&r);
    }
    r.bad |= size && (r.bits - r.bit >= 8 || get_bits(&r, (unsigned)(r.bits - r.bit)) != 0);
    grammar *g = r.bad ? NULL : grammar_of(&r);
    if (g && !grammar_measure(g)) {
        grammar_free(g);
        g = NULL;
    }
    free(r.elements);
    free(r.stack);
    free(r.terminals);
    return g;
}
