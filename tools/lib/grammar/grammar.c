/* SPDX-License-Identifier: MIT */
#include "tools/lib/grammar/grammar.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

void grammar_free(grammar *g)
{
    if (!g)
        return;
    free(g->symbols);
    free(g->counts);
    free(g->start);
    free(g->terminals);
    free(g);
}

/* A place on a right side, in a walk without recursion. */
typedef struct place {
    size_t at, end;
    uint64_t left; /* of the element's count; 0: it was not looked at */
    uint32_t rule;
} place;

static place place_in(const grammar *g, uint32_t rule)
{
    return (place){g->start[rule], g->start[rule + 1], 0, rule};
}

enum { UNSEEN, OPEN, DONE };

/* Enters a rule, or adds its length, or a terminal's, to the rule in which it stands. */
static bool measure_symbol(const grammar *g, uint64_t *length, uint8_t *state, place *stack, size_t *depth)
{
    place *top = stack + *depth;
    uint32_t s = g->symbols[top->at];
    uint32_t rule = s & ~GRAMMAR_RULE;
    uint64_t more = 1, count = grammar_count(g, top->at);
    if (s & GRAMMAR_RULE) {
        size_t first = g->start[rule < g->rules ? rule : 0];
        if (rule >= g->rules || state[rule] == OPEN || g->start[rule + 1] == first ||
            (g->start[rule + 1] == first + 1 && grammar_count(g, first) < 2))
            return false;
        if (state[rule] == UNSEEN) {
            state[rule] = OPEN;
            stack[++*depth] = place_in(g, rule);
            return true;
        }
        more = length[rule];
    } else if (s >= g->terminal_count) {
        return false;
    }
    if (count == 0 || count > INT64_MAX / more)
        return false;
    top->at++;
    length[top->rule] += more * count; /* both are below 2^63 */
    return length[top->rule] <= INT64_MAX;
}

bool grammar_measure(grammar *g)
{
    uint64_t *length = memory_zero(g->rules, sizeof *length);
    uint8_t *state = memory_zero(g->rules, sizeof *state);
    place *stack = memory_zero(g->rules, sizeof *stack);
    size_t depth = 0;
    bool well = true;
    stack[0] = place_in(g, 0);
    state[0] = OPEN;
    while (well && state[0] == OPEN) {
        if (stack[depth].at < stack[depth].end)
            well = measure_symbol(g, length, state, stack, &depth);
        else
            state[stack[depth--].rule] = DONE;
    }
    g->length = length[0];
    free(length);
    free(state);
    free(stack);
    return well;
}

struct grammar_walk {
    const grammar *g;
    size_t depth; /* places in use; 0: at the end */
    place stack[];
};

grammar_walk *grammar_walk_open(const grammar *g)
{
    grammar_walk *walk = memory_zero(1, sizeof *walk + g->rules * sizeof *walk->stack);
    walk->g = g;
    walk->depth = 1;
    walk->stack[0] = place_in(g, 0);
    return walk;
}

void grammar_walk_close(grammar_walk *walk)
{
    free(walk);
}

/* Each symbol as what `values` has for its terminal; NULL: as its terminal. */
static size_t read_as(grammar_walk *walk, const uint32_t *values, uint32_t *symbols, size_t max)
{
    const grammar *g = walk->g;
    size_t count = 0;
    while (walk->depth && count < max) {
        place *top = walk->stack + walk->depth - 1;
        if (top->at == top->end) {
            walk->depth--;
            continue;
        }
        uint32_t s = g->symbols[top->at];
        if (!top->left)
            top->left = grammar_count(g, top->at);
        if (!--top->left)
            top->at++;
        if (s & GRAMMAR_RULE)
            walk->stack[walk->depth++] = place_in(g, s & ~GRAMMAR_RULE);
        else
            symbols[count++] = values ? values[s] : s;
    }
    return count;
}

size_t grammar_walk_read(grammar_walk *walk, uint32_t *symbols, size_t max)
{
    return read_as(walk, walk->g->terminals, symbols, max);
}

size_t grammar_walk_terminals(grammar_walk *walk, uint32_t *terminals, size_t max)
{
    return read_as(walk, NULL, terminals, max);
}

bool grammar_expand(const grammar *g, grammar_emit *emit, void *context)
{
    uint32_t block[4096];
    size_t size;
    bool on = true;
    grammar_walk *walk = grammar_walk_open(g);
    while (on && (size = grammar_walk_read(walk, block, sizeof block / sizeof *block)) > 0)
        on = emit(context, block, size);
    grammar_walk_close(walk);
    return on;
}

uint32_t *grammar_order(const grammar *g, size_t *count)
{
    uint32_t *order = memory_zero(g->rules, sizeof *order);
    place *stack = memory_zero(g->rules, sizeof *stack);
    bool *seen = memory_zero(g->rules, sizeof *seen);
    size_t depth = 1;
    *count = 0;
    seen[0] = true;
    stack[0] = place_in(g, 0);
    while (depth) {
        place *top = stack + depth - 1;
        if (top->at == top->end) {
            order[(*count)++] = top->rule;
            depth--;
            continue;
        }
        uint32_t s = g->symbols[top->at++], rule = s & ~GRAMMAR_RULE;
        if (!(s & GRAMMAR_RULE) || seen[rule])
            continue;
        seen[rule] = true;
        stack[depth++] = place_in(g, rule);
    }
    free(stack);
    free(seen);
    return order;
}

uint64_t *grammar_frequencies(const grammar *g, const uint32_t *order, size_t count)
{
    uint64_t *frequency = memory_zero(g->rules, sizeof *frequency);
    frequency[0] = 1;
    for (size_t i = count; i-- > 0;)
        for (size_t at = g->start[order[i]]; at < g->start[order[i] + 1]; at++)
            if (g->symbols[at] & GRAMMAR_RULE)
                frequency[g->symbols[at] & ~GRAMMAR_RULE] += frequency[order[i]] * grammar_count(g, at);
    return frequency;
}
