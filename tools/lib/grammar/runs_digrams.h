/* SPDX-License-Identifier: MIT */
/* What the steps of runs.c work on: elements X^n as rings, one ring per rule, and the table of their digrams.
 *
 *     R0 -> a^3 R1^2       guard <-> a^3 <-> R1^2 <-> guard        table   (a^3 R1^2) -> its first element
 *     R1 -> b c            guard <-> b^1 <-> c^1 <-> guard                 (b^1 c^1)  -> its first element
 */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_RUNS_DIGRAMS_H
#define WEFT_TOOLS_LIB_GRAMMAR_RUNS_DIGRAMS_H

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/grammar/grammar.h"

#define GUARD UINT32_MAX      /* the value of a guard */
#define GONE (UINT32_MAX - 1) /* of an element that was returned */
enum { START = 0 };

typedef struct element {
    uint32_t next, prev;
    uint32_t value; /* as in a grammar, with a guard's handle for the number of a rule */
    uint32_t chain; /* the next in the bucket */
    uint64_t count; /* of a guard: how often the rule is used */
} element;

typedef struct grammar_runs {
    element *at;
    size_t max;
    uint32_t fresh, free_first, used;
    uint32_t *buckets, mask, entered;
    uint32_t *pending, pending_count; /* elements that begin digrams to be looked at */
    size_t pending_max;
    uint32_t rules; /* the start rule too */
    bool ended;
    numbering terminals;
    uint64_t length;
} grammar_runs;

/* ---- elements ---- */

static inline uint32_t take(grammar_runs *r, uint32_t value, uint64_t count)
{
    uint32_t e = r->free_first;
    if (e) {
        r->free_first = r->at[e].next;
    } else {
        if (r->fresh == GRAMMAR_RULE - 2)
            memory_grow(NULL, SIZE_MAX, 2); /* more than a handle can name: ends the program */
        r->at = memory_room(r->at, r->fresh, &r->max, sizeof *r->at);
        e = r->fresh++;
    }
    r->at[e].value = value;
    r->at[e].count = count;
    r->used++;
    return e;
}

static inline void give(grammar_runs *r, uint32_t e)
{
    r->at[e].value = GONE;
    r->at[e].next = r->free_first;
    r->free_first = e;
    r->used--;
}

static inline void join(grammar_runs *r, uint32_t left, uint32_t right)
{
    r->at[left].next = right;
    r->at[right].prev = left;
}

static inline bool is_guard(const grammar_runs *r, uint32_t e)
{
    return r->at[e].value == GUARD;
}

static inline bool is_pair(const grammar_runs *r, uint32_t e)
{
    return !is_guard(r, e) && !is_guard(r, r->at[e].next);
}

static inline bool are_twins(const grammar_runs *r, uint32_t e)
{
    return r->at[e].value == r->at[r->at[e].next].value;
}

/* ---- table of digrams ---- */

static inline uint32_t *bucket(const grammar_runs *r, uint32_t e)
{
    const element *left = r->at + e, *right = r->at + left->next;
    uint64_t key = ((uint64_t)left->value << 32 | right->value) * 0x9e3779b97f4a7c15u;
    key ^= (left->count * 31 + right->count) * 0xbf58476d1ce4e5b9u;
    key = (key ^ key >> 29) * 0x94d049bb133111ebu;
    return r->buckets + ((key >> 32) & r->mask);
}

/* The element in the table that begins the same digram, or 0. */
static inline uint32_t find(const grammar_runs *r, uint32_t e)
{
    const element *left = r->at + e, *right = r->at + left->next;
    uint32_t known = *bucket(r, e);
    for (; known; known = r->at[known].chain) {
        const element *l = r->at + known, *n = r->at + l->next;
        if (l->value == left->value && l->count == left->count && n->value == right->value && n->count == right->count)
            break;
    }
    return known;
}

static inline void enter(grammar_runs *r, uint32_t e)
{
    uint32_t *link = bucket(r, e);
    r->at[e].chain = *link;
    *link = e;
    r->entered++;
}

static inline void table_grow(grammar_runs *r)
{
    uint32_t *old = r->buckets, size = r->mask + 1;
    r->mask = 2 * size - 1;
    r->buckets = memory_zero(2 * (size_t)size, sizeof *r->buckets);
    r->entered = 0;
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t e = old[i], next; e; e = next) {
            next = r->at[e].chain;
            enter(r, e);
        }
    free(old);
}

/* The pair that begins at `e` is new or changed: look at it later. */
static inline void suspend(grammar_runs *r, uint32_t e)
{
    if (!is_pair(r, e))
        return;
    for (uint32_t i = 0; i < r->pending_count; i++)
        if (r->pending[i] == e)
            return;
    r->pending = memory_room(r->pending, r->pending_count, &r->pending_max, sizeof *r->pending);
    r->pending[r->pending_count++] = e;
}

/* The pair that begins at `e` is about to go. It is in the table, or pending, or open. */
static inline void forget(grammar_runs *r, uint32_t e)
{
    if (!is_pair(r, e))
        return;
    for (uint32_t *link = bucket(r, e); *link; link = &r->at[*link].chain)
        if (*link == e) {
            *link = r->at[e].chain;
            r->entered--;
            return;
        }
    for (uint32_t i = 0; i < r->pending_count; i++)
        if (r->pending[i] == e) {
            r->pending_count--;
            memmove(r->pending + i, r->pending + i + 1, (r->pending_count - i) * sizeof *r->pending);
            return;
        }
}

#endif
