/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { STACK_MAX = 1 << 20 /* active functions of a context: no real program has more */ };

/* Forgets all but the memory. */
static void forget(context_state *state, uint32_t restarts, bool fresh)
{
    context_state old = *state;
    *state = (context_state){.number = old.number,
                             .restarts = restarts,
                             .known = fresh,
                             .stack = old.stack,
                             .depth_max = old.depth_max,
                             .entered = old.entered,
                             .entered_max = old.entered_max};
    if (state->entered_max)
        memset(state->entered, 0, state->entered_max);
}

context_state *contexts_state(context_list *c, uint32_t number, uint32_t restarts, bool fresh)
{
    uint32_t at = numbering_of(&c->numbers, number);
    if (at == c->count) {
        c->all = memory_room(c->all, c->count, &c->max, sizeof *c->all);
        c->all[c->count++] = (context_state){.number = number, .restarts = restarts - 1};
    }
    context_state *state = &c->all[at];
    if (state->restarts != restarts)
        forget(state, restarts, fresh);
    return state;
}

void contexts_free(context_list *c)
{
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < c->all[i].depth_max; k++)
            free(c->all[i].stack[k].bases);
        free(c->all[i].stack);
        free(c->all[i].entered);
    }
    free(c->all);
    numbering_free(&c->numbers);
}

void context_push(context_state *state, uint32_t function)
{
    size_t old = state->depth_max;
    if (state->depth == STACK_MAX)
        state->depth = 0; /* damage: no real stack is so deep. What is below becomes unknown */
    state->stack = memory_room(state->stack, state->depth, &state->depth_max, sizeof *state->stack);
    if (state->depth_max > old)
        memset(state->stack + old, 0, (state->depth_max - old) * sizeof *state->stack);
    if (state->kept > state->depth)
        state->kept = state->depth;
    state->stack[state->depth].function = function;
    state->stack[state->depth].caught = REPLAY_NO_BLOCK;
    state->stack[state->depth++].frame = 0;
    context_forget_bases(state);
}

void context_note_entry(context_state *state, uint32_t function)
{
    if (function >= state->entered_max) {
        size_t max = 2 * (size_t)function + 64;
        state->entered = memory_grow(state->entered, max, 1);
        memset(state->entered + state->entered_max, 0, max - state->entered_max);
        state->entered_max = max;
    }
    state->entered[function] = 1;
}

group_base *context_base(context_state *state, uint32_t group, uint32_t groups)
{
    if (group >= groups || state->depth == 0)
        return NULL;
    activation *top = &state->stack[state->depth - 1];
    if (top->base_count == 0) {
        top->bases = memory_room(top->bases, groups - 1, &top->base_max, sizeof *top->bases);
        memset(top->bases, 0, groups * sizeof *top->bases);
        top->base_count = groups;
        for (size_t i = 0; top->guess != GUESS_NONE && i < groups; i++)
            top->bases[i] = (group_base){.known = top->guess == GUESS_KNOWN, .guessed = true};
    }
    return &top->bases[group];
}

void context_forget_bases(context_state *state)
{
    state->stack[state->depth - 1].base_count = 0;
    state->stack[state->depth - 1].guess = GUESS_NONE;
}

void context_doubt_bases(context_state *state, uint32_t function)
{
    size_t open = 0;
    for (size_t i = 0; i < state->depth; i++)
        open += state->stack[i].function == function;
    if (open < 2)
        return;
    size_t outermost = 0;
    while (state->stack[outermost].function != function)
        outermost++;
    for (size_t i = outermost; i < state->depth; i++) {
        state->stack[i].base_count = 0;
        state->stack[i].guess = GUESS_NONE;
    }
}

bool context_entered(const context_state *state, uint32_t function)
{
    return function < state->entered_max && state->entered[function];
}
