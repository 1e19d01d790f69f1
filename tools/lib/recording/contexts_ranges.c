/* SPDX-License-Identifier: MIT */
/* What a replay knows of its contexts, handed on from one range of frames to the next (replay_all.c). */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/contexts.h"

void contexts_keep(context_list *c)
{
    for (size_t i = 0; i < c->count; i++)
        c->all[i].kept = c->all[i].depth;
}

void contexts_copy(context_list *to, const context_list *from)
{
    *to = (context_list){
        .all = memory_copy(from->all, from->count, sizeof *from->all), .count = from->count, .max = from->count};
    for (size_t i = 0; i < to->count; i++) {
        context_state *state = &to->all[i];
        const activation *stack = state->stack;
        (void)numbering_of(&to->numbers, state->number);
        state->depth_max = state->depth + 1;
        state->stack = memory_zero(state->depth_max, sizeof *state->stack);
        for (size_t d = 0; d < state->depth; d++)
            state->stack[d] = (activation){.function = stack[d].function, .caught = stack[d].caught};
        state->entered = memory_copy(state->entered, state->entered_max, 1);
    }
}

/* The same context in another list, of the same stretch without gaps. NULL: it is not there. */
static const context_state *same_context(const context_list *in, const context_state *state)
{
    uint32_t at = numbering_find(&in->numbers, state->number);
    return at < in->count && in->all[at].restarts == state->restarts ? &in->all[at] : NULL;
}

/* The same activation there. */
static const activation *same_activation(const context_state *in, const context_state *state, size_t depth)
{
    return in && depth < in->depth && in->stack[depth].function == state->stack[depth].function ? &in->stack[depth]
                                                                                                : NULL;
}

static void copy_bases(activation *to, const activation *from, bool guessed)
{
    free(to->bases);
    to->bases = memory_copy(from->bases, from->base_count, sizeof *from->bases);
    to->base_count = to->base_max = from->base_count;
    for (size_t i = 0; i < to->base_count; i++)
        to->bases[i].guessed = guessed;
}

void contexts_carry(context_list *c, const context_list *before)
{
    for (size_t i = 0; i < c->count; i++) {
        context_state *state = &c->all[i];
        const context_state *in = same_context(before, state);
        state->length = in ? in->length : 0;
        for (size_t d = 0; d < state->depth; d++) {
            const activation *from = same_activation(in, state, d);
            if (!from)
                continue;
            state->stack[d].frame = from->frame;
            copy_bases(&state->stack[d], from, false);
        }
    }
}

void contexts_guess(context_list *c, const context_list *before)
{
    for (size_t i = 0; i < c->count; i++) {
        context_state *state = &c->all[i];
        const context_state *in = same_context(before, state);
        for (size_t d = 0; d < state->depth; d++) {
            const activation *from = d < state->kept ? same_activation(in, state, d) : NULL;
            state->stack[d].guess = from ? GUESS_UNKNOWN : GUESS_KNOWN;
            if (from)
                copy_bases(&state->stack[d], from, true);
        }
    }
}

static void settle_activation(activation *a, const activation *before)
{
    if (a->guess != GUESS_NONE && a->base_count == 0 && before)
        copy_bases(a, before, false);
    a->guess = GUESS_NONE;
    for (size_t g = 0; g < a->base_count; g++)
        if (a->bases[g].guessed)
            a->bases[g] = before && g < before->base_count ? before->bases[g] : (group_base){0};
}

void contexts_settle(context_list *c, const context_list *before)
{
    for (size_t i = 0; i < c->count; i++) {
        context_state *state = &c->all[i];
        const context_state *in = same_context(before, state);
        for (size_t d = 0; d < state->depth; d++)
            settle_activation(&state->stack[d], same_activation(in, state, d));
    }
}

static bool same_stacks(const context_state *a, const context_state *b)
{
    bool same = a->depth == b->depth;
    for (size_t d = 0; same && d < a->depth; d++)
        same = a->stack[d].function == b->stack[d].function && a->stack[d].caught == b->stack[d].caught;
    size_t most = a->entered_max > b->entered_max ? a->entered_max : b->entered_max;
    for (uint32_t f = 0; same && f < most; f++)
        same = context_entered(a, f) == context_entered(b, f);
    return same;
}

static bool same_state(const context_state *a, const context_state *b)
{
    return a->number == b->number && a->restarts == b->restarts && a->known == b->known && a->sought == b->sought &&
           a->landed == b->landed && a->repeat_first == b->repeat_first && a->next == b->next && a->item == b->item &&
           a->accesses == b->accesses && a->values == b->values && a->told == b->told &&
           a->missed_accesses == b->missed_accesses && a->missed_values == b->missed_values && a->last == b->last &&
           same_stacks(a, b);
}

bool contexts_equal(const context_list *a, const context_list *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = same_state(&a->all[i], &b->all[i]);
    return same;
}

bool contexts_known(const context_list *c, uint32_t number, size_t depth, uint32_t group)
{
    uint32_t at = numbering_find(&c->numbers, number);
    const activation *a = at < c->count && depth < c->all[at].depth ? &c->all[at].stack[depth] : NULL;
    return a && group < a->base_count && a->bases[group].known;
}
