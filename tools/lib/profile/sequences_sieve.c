/* SPDX-License-Identifier: MIT */
/* The most frequent sequences of a stream that comes twice.
 *
 * 1. The first time, sequences of up to BRIEF paths are counted: there are few different ones.
 * 2. What is among the `top` most frequent sequences of any length is counted at least as often as the last of the
 *    `top` most frequent ones of these, `least`. A longer sequence is no more frequent than any that it contains. So
 *    only sequences matter all whose parts of BRIEF paths are counted `least` times or more. These parts get numbers.
 * 3. The second time, where such parts follow one another, their numbers are counted as the paths of an activation:
 *
 *        paths         a b c a b c x a b c          BRIEF = 2; frequent: (a b) 1, (b c) 2, (c a) 3
 *        numbers         1 2 3 1 2 | | 1 2          |: an activation of numbers ends
 *
 *    A sequence of n numbers is one of n + BRIEF - 1 paths. */
#include "tools/lib/profile/sequences_sieve.h"

#include "tools/lib/base/memory.h"
#include "tools/lib/profile/sequences_places.h"

enum { BRIEF = SEQUENCES_FIRST };

/* Step 2. */
static sieve *new_sieve(sequences *brief, uint64_t least)
{
    sieve *s = memory_zero(1, sizeof *s);
    size_t max = 0;
    s->brief = brief;
    s->added = BRIEF - 1;
    s->edges = memory_zero(brief->edge_count, sizeof *s->edges);
    s->origin = memory_room(NULL, 0, &max, sizeof *s->origin);
    s->origin[0] = ROOT;
    s->numbers = 1;
    for (uint32_t i = 1; i < brief->edge_count; i++) {
        const edge *e = &brief->edges[i];
        if (e->count < least || brief->places[e->from].length < BRIEF - 1)
            continue;
        s->origin = memory_room(s->origin, s->numbers, &max, sizeof *s->origin);
        s->origin[s->numbers] = i;
        s->edges[i].number = s->numbers++;
    }
    return s;
}

sequences *sequences_again(sequences *first, unsigned k, size_t top)
{
    uint64_t least = first->window_count ? 0 : sequences_least(first, BRIEF, top);
    if (!least || first->edge_count >= OUT) {
        sequences_free(first);
        return NULL;
    }
    sequences *all = sequences_new(k - (BRIEF - 1));
    all->sieve = new_sieve(first, least);
    return all;
}

sequences *sequences_like(const sequences *other)
{
    sequences *all = sequences_new(other->k);
    const sieve *s = other->sieve;
    if (!s)
        return all;
    all->sieve = memory_copy(s, 1, sizeof *s);
    all->sieve->lent = true;
    all->sieve->edges = memory_copy(s->edges, s->brief->edge_count, sizeof *s->edges);
    return all;
}

bool sequences_same(const sequences *all)
{
    return !all->sieve || (!all->sieve->strange && all->events == all->sieve->brief->events);
}

/* ---- in the middle of a stream ---- */

/* The edge of the first time that ends with BRIEF paths; 0: there is none. */
static uint32_t brief_edge(const sequences *brief, const uint32_t *path)
{
    uint32_t hash = 0, p;
    for (unsigned n = BRIEF - 1; n-- > 0;)
        hash = hash_on(hash, path[n]);
    for (uint32_t slot = hash & brief->full.mask; (p = brief->full.slot[slot]); slot = (slot + 1) & brief->full.mask) {
        unsigned left = BRIEF - 1;
        for (uint32_t at = p; left && brief->places[at].path == path[left - 1]; at = brief->places[at].before)
            left--;
        if (!left)
            return known_edge(brief, p, path[BRIEF - 1]);
    }
    return 0;
}

void sequences_resume(sequences *all, uint32_t *place, const uint32_t *paths, size_t count)
{
    size_t first = 0;
    sieve *s = all->sieve;
    *place = 0;
    if (s && count + 1 >= sequences_k(all)) {
        /* the paths before these are not known, so those of BRIEF paths which end before do not count */
        uint32_t at = brief_edge(s->brief, paths);
        s->strange |= !at;
        *place = sequences_sieved(all, OUT, at);
        first = BRIEF;
    }
    for (size_t i = first; i < count; i++)
        sequences_follow(all, place, paths[i]);
}
