/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar/reading.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

typedef struct reading_element {
    uint32_t rule, symbol;
} reading_element;

static void enter(grammar_reading *r, uint32_t rule)
{
    r->stack = memory_room(r->stack, r->depth, &r->stack_max, sizeof *r->stack);
    r->stack[r->depth++] = (open_rule){rule, 0};
}

void grammar_reading_begin(grammar_reading *r)
{
    *r = (grammar_reading){.depth = 0};
    enter(r, 0);
}

open_rule *grammar_reading_top(grammar_reading *r)
{
    return r->stack + r->depth - 1;
}

void grammar_reading_known(grammar_reading *r, uint32_t symbol)
{
    r->elements = memory_room(r->elements, r->count, &r->elements_max, sizeof *r->elements);
    r->elements[r->count++] = (reading_element){grammar_reading_top(r)->rule, symbol};
    grammar_reading_top(r)->count++;
}

void grammar_reading_terminal(grammar_reading *r, uint32_t value)
{
    r->terminals = memory_room(r->terminals, r->terminal_count, &r->terminals_max, sizeof *r->terminals);
    r->terminals[r->terminal_count] = value;
    grammar_reading_known(r, (uint32_t)r->terminal_count++);
}

void grammar_reading_rule(grammar_reading *r)
{
    grammar_reading_known(r, GRAMMAR_RULE | ++r->rules);
    enter(r, r->rules);
}

void grammar_reading_leave(grammar_reading *r)
{
    r->depth--;
}

/* Elements sorted by rule. */
static grammar *sorted(grammar_reading *r)
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

grammar *grammar_reading_finish(grammar_reading *r, bool well)
{
    grammar *g = well ? sorted(r) : NULL;
    if (g && !grammar_measure(g)) {
        grammar_free(g);
        g = NULL;
    }
    free(r->elements);
    free(r->stack);
    free(r->terminals);
    return g;
}
