/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/starts.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { STARTS_MAX = 1 << 16 };

uint64_t starts_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

uint64_t starts_hash(const routine_state *state)
{
    uint64_t hash = starts_mix(state->flags, state->known);
    for (uint64_t left = state->known; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        hash = starts_mix(hash, i < ROUTINE_SLOT_BIT ? state->r[i] : state->slot[i - ROUTINE_SLOT_BIT]);
    }
    return hash;
}

static size_t hash_slot(const hashes *set, uint64_t hash)
{
    size_t at = hash & (set->max - 1);
    while (set->slot[at].hash && set->slot[at].hash != hash)
        at = (at + 1) & (set->max - 1);
    return at;
}

bool hashes_add(hashes *set, uint64_t hash, uint32_t *route)
{
    if (2 * set->count >= set->max) {
        hashes old = *set;
        set->max = old.max ? 2 * old.max : 256;
        set->slot = memory_zero(set->max, sizeof *set->slot);
        for (size_t i = 0; i < old.max; i++)
            if (old.slot[i].hash)
                set->slot[hash_slot(set, old.slot[i].hash)] = old.slot[i];
        free(old.slot);
    }
    hash += !hash;
    size_t at = hash_slot(set, hash);
    if (set->slot[at].hash) {
        *route = set->slot[at].route;
        return false;
    }
    set->slot[at] = (hashed){hash, *route};
    set->count++;
    return true;
}

static bool is_same(const walk_start *a, const walk_start *b)
{
    return a->step == b->step && a->block == b->block && a->call_ends == b->call_ends && a->begun.all == b->begun.all &&
           a->begun.own == b->begun.own && a->begun.heads == b->begun.heads && a->state.known == b->state.known &&
           a->state.flags == b->state.flags && !memcmp(a->state.r, b->state.r, sizeof a->state.r) &&
           !memcmp(a->state.slot, b->state.slot, sizeof a->state.slot);
}

static size_t start_slot(const starts *set, const walk_start *s)
{
    uint64_t hash = starts_mix(starts_mix(starts_hash(&s->state), s->step), (uint64_t)s->block << 1 | s->call_ends);
    hash = starts_mix(starts_mix(hash, (uint64_t)s->begun.all << 32 | s->begun.own), s->begun.heads);
    size_t at = hash & (2 * STARTS_MAX - 1);
    while (set->slots[at] && !is_same(&set->all[set->slots[at] - 1], s))
        at = (at + 1) & (2 * STARTS_MAX - 1);
    return at;
}

uint32_t starts_add(starts *set, const walk_start *s)
{
    if (!set->slots)
        set->slots = memory_zero(2 * STARTS_MAX, sizeof *set->slots);
    size_t at = start_slot(set, s);
    if (set->slots[at])
        return set->slots[at] - 1;
    if (set->count == STARTS_MAX)
        return ROUTINE_NONE;
    set->all = memory_room(set->all, set->count, &set->max, sizeof *set->all);
    set->all[set->count] = *s;
    set->slots[at] = ++set->count;
    return set->count - 1;
}

void starts_free(starts *set)
{
    free(set->all);
    free(set->slots);
}

void starts_widen(walk_cost *cost, bool first, walk_cost by)
{
    if (first)
        *cost = by;
    cost->least = by.least < cost->least ? by.least : cost->least;
    cost->most = by.most > cost->most ? by.most : cost->most;
    cost->least_all = by.least_all < cost->least_all ? by.least_all : cost->least_all;
    cost->most_all = by.most_all > cost->most_all ? by.most_all : cost->most_all;
    cost->rare = by.rare > cost->rare ? by.rare : cost->rare;
    cost->rare_all = by.rare_all > cost->rare_all ? by.rare_all : cost->rare_all;
    cost->loops |= by.loops;
}

walk_cost starts_cost(const tally *t)
{
    return (walk_cost){.least = t->all - t->own, .most = t->all - t->own, .least_all = t->all, .most_all = t->all};
}
