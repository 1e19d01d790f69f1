/* SPDX-License-Identifier: MIT */
/* Steps: 1. Collect each word's dependents (dependents_make).
 *        2. Order the candidates: that with the most bytes first (candidate_order).
 *        3. Drop a candidate if it would then not need itself, through words that are found (reaches), and if neither
 *           it nor any dependent becomes too dear (spread). Else undo what was changed (undo). */
#include "tools/lib/wet/choice.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

typedef struct need {
    uint32_t use, word, hop;
} need;

typedef struct word {
    uint32_t first;     /* of its needs */
    uint32_t dependent; /* of its dependents */
    uint32_t cost;      /* steps; 1 where it is read */
    uint32_t seen;      /* the search that met it last */
    bool found;
} word;

typedef struct candidate {
    uint32_t word;
    uint64_t bytes;
} candidate;

typedef struct trail {
    uint32_t word, cost;
} trail;

struct wet_choice {
    word *words; /* and one more, which ends the lists of the last */
    uint32_t word_count, word_room;
    need *needs;
    uint32_t need_count, need_room;
    uint32_t *dependents;
    candidate *candidates;
    uint32_t candidate_count, candidate_room;
    uint32_t *stack;
    trail *trail; /* costs before the current candidate */
    uint32_t trail_count, trail_room, search, cost_max;
};

wet_choice *wet_choice_new(void)
{
    return memory_zero(1, sizeof(wet_choice));
}

void wet_choice_free(wet_choice *c)
{
    free(c->words);
    free(c->needs);
    free(c->dependents);
    free(c->candidates);
    free(c->stack);
    free(c->trail);
    free(c);
}

static word *word_add(wet_choice *c)
{
    if (c->word_count + 2 > c->word_room) {
        c->word_room = c->word_room * 2 + 1024;
        c->words = memory_grow(c->words, c->word_room, sizeof *c->words);
    }
    c->words[c->word_count] = c->words[c->word_count + 1] = (word){.first = c->need_count, .cost = 1};
    return &c->words[c->word_count++];
}

void wet_choice_stored(wet_choice *c)
{
    word_add(c);
}

void wet_choice_found(wet_choice *c)
{
    word_add(c)->found = true;
}

void wet_choice_candidate(wet_choice *c, uint64_t bytes)
{
    if (c->candidate_count == c->candidate_room) {
        c->candidate_room = c->candidate_room * 2 + 1024;
        c->candidates = memory_grow(c->candidates, c->candidate_room, sizeof *c->candidates);
    }
    c->candidates[c->candidate_count++] = (candidate){c->word_count, bytes};
    word_add(c);
}

void wet_choice_need(wet_choice *c, uint32_t use, uint32_t other, uint32_t hop)
{
    if (c->need_count == c->need_room) {
        c->need_room = c->need_room * 2 + 4096;
        c->needs = memory_grow(c->needs, c->need_room, sizeof *c->needs);
    }
    c->needs[c->need_count++] = (need){use, other, hop};
    c->words[c->word_count].first = c->need_count;
}

static void dependents_make(wet_choice *c)
{
    uint32_t *at = memory_zero(c->word_count + 1, sizeof *at);
    c->dependents = memory_zero(c->need_count + 1, sizeof *c->dependents);
    for (uint32_t i = 0; i < c->need_count; i++)
        at[c->needs[i].word + 1]++;
    for (uint32_t i = 0; i < c->word_count; i++) {
        at[i + 1] += at[i];
        c->words[i + 1].dependent = at[i + 1];
    }
    for (uint32_t i = 0; i < c->word_count; i++)
        for (uint32_t k = c->words[i].first; k < c->words[i + 1].first; k++)
            c->dependents[at[c->needs[k].word]++] = i;
    free(at);
}

static int candidate_order(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->word < y->word ? -1 : 1;
}

/* Each use takes its dearest alternative. */
static uint32_t cost_of(const wet_choice *c, uint32_t at)
{
    uint64_t cost = 1;
    for (uint32_t k = c->words[at].first, end = c->words[at + 1].first; k < end;) {
        uint32_t use = c->needs[k].use, dearest = 0;
        for (; k < end && c->needs[k].use == use; k++) {
            uint32_t other = c->words[c->needs[k].word].cost + c->needs[k].hop;
            dearest = other > dearest ? other : dearest;
        }
        cost += dearest;
    }
    return cost < UINT32_MAX / 2 ? (uint32_t)cost : UINT32_MAX / 2;
}

/* Whether `from`'s needs lead to itself through words that are found. */
static bool reaches(wet_choice *c, uint32_t from)
{
    uint32_t depth = 1, search = ++c->search;
    c->stack[0] = from;
    while (depth) {
        uint32_t at = c->stack[--depth];
        for (uint32_t k = c->words[at].first; k < c->words[at + 1].first; k++) {
            word *w = &c->words[c->needs[k].word];
            if (c->needs[k].word == from)
                return true;
            if (!w->found || w->seen == search)
                continue;
            w->seen = search;
            c->stack[depth++] = c->needs[k].word; /* each word once */
        }
    }
    return false;
}

static void cost_set(wet_choice *c, uint32_t at, uint32_t cost)
{
    if (c->trail_count == c->trail_room) {
        c->trail_room = c->trail_room * 2 + 1024;
        c->trail = memory_grow(c->trail, c->trail_room, sizeof *c->trail);
    }
    c->trail[c->trail_count++] = (trail){at, c->words[at].cost};
    c->words[at].cost = cost;
}

/* Computes the cost of a word found, and of those that need it. False: too dear. Costs only grow, and there is no
 * circle, so this ends; a word stands in the stack once at a time (`seen`). */
static bool spread(wet_choice *c, uint32_t from)
{
    uint32_t depth = 1, search = ++c->search;
    c->stack[0] = from;
    while (depth) {
        uint32_t at = c->stack[--depth], cost = cost_of(c, at);
        c->words[at].seen = 0;
        if (cost == c->words[at].cost)
            continue;
        cost_set(c, at, cost);
        if (cost > c->cost_max)
            return false;
        for (uint32_t k = c->words[at].dependent; k < c->words[at + 1].dependent; k++) {
            word *w = &c->words[c->dependents[k]];
            if (!w->found || w->seen == search)
                continue;
            w->seen = search;
            c->stack[depth++] = c->dependents[k];
        }
    }
    return true;
}

static void undo(wet_choice *c, uint32_t at)
{
    while (c->trail_count) {
        const trail *t = &c->trail[--c->trail_count];
        c->words[t->word].cost = t->cost;
    }
    c->words[at].found = false;
}

static void try_to_drop(wet_choice *c, uint32_t at)
{
    if (reaches(c, at))
        return;
    c->trail_count = 0;
    c->words[at].found = true;
    if (!spread(c, at))
        undo(c, at);
}

void wet_choice_run(wet_choice *c, uint32_t cost_max)
{
    dependents_make(c);
    if (c->candidate_count)
        qsort(c->candidates, c->candidate_count, sizeof *c->candidates, candidate_order);
    c->cost_max = cost_max;
    c->stack = memory_zero(c->word_count + 1, sizeof *c->stack);
    for (uint32_t i = 0; i < c->word_count; i++)
        if (c->words[i].found)
            c->words[i].cost = cost_of(c, i);
    for (uint32_t i = 0; i < c->candidate_count; i++)
        try_to_drop(c, c->candidates[i].word);
}

bool wet_choice_is_found(const wet_choice *c, uint32_t at)
{
    return c->words[at].found;
}

bool wet_choice_check(const wet_choice *c, uint32_t cost_max)
{
    /* Words are ordered by taking away those that need nothing that is found. */
    uint32_t *left = memory_zero(c->word_count + 1, sizeof *left),
             *queue = memory_zero(c->word_count + 1, sizeof *queue);
    uint32_t head = 0, tail = 0;
    bool good = true;
    for (uint32_t i = 0; i < c->word_count; i++) {
        for (uint32_t k = c->words[i].first; k < c->words[i + 1].first; k++)
            left[i] += c->words[c->needs[k].word].found;
        if (!c->words[i].found || !left[i])
            queue[tail++] = i;
        good &= c->words[i].cost == (c->words[i].found ? cost_of(c, i) : 1);
        good &= c->words[i].cost <= cost_max;
    }
    for (; head < tail; head++) {
        uint32_t at = queue[head];
        for (uint32_t k = c->words[at].dependent; c->words[at].found && k < c->words[at + 1].dependent; k++)
            if (c->words[c->dependents[k]].found && --left[c->dependents[k]] == 0)
                queue[tail++] = c->dependents[k];
    }
    free(left);
    free(queue);
    return good && tail == c->word_count;
}
