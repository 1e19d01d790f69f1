/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/sets.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

void sets_free(sets *all)
{
    free(all->members);
    free(all->set);
    free(all->slots);
    *all = (sets){0};
}

static size_t slot_of(const sets *all, const uint32_t *members, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ members[i]) * 0x9e3779b97f4a7c15;
    size_t at = (hash ^ hash >> 32) & (all->slots_max - 1);
    for (; all->slots[at]; at = (at + 1) & (all->slots_max - 1)) {
        const sets_entry *e = &all->set[all->slots[at] - 1];
        if (e->count == count && !memcmp(all->members + e->at, members, count * sizeof *members))
            break;
    }
    return at;
}

static void widen(sets *all)
{
    all->slots_max = all->slots_max ? 2 * all->slots_max : 64;
    free(all->slots);
    all->slots = memory_zero(all->slots_max, sizeof *all->slots);
    for (size_t i = 0; i < all->count; i++)
        all->slots[slot_of(all, all->members + all->set[i].at, all->set[i].count)] = (uint32_t)i + 1;
}

uint32_t sets_of(sets *all, const uint32_t *members, uint32_t count)
{
    if (2 * all->count >= all->slots_max)
        widen(all);
    size_t slot = slot_of(all, members, count);
    if (all->slots[slot])
        return all->slots[slot] - 1 + SETS_FIRST;
    all->members = memory_room(all->members, all->member_count + count - 1, &all->members_max, sizeof *all->members);
    all->set = memory_room(all->set, all->count, &all->sets_max, sizeof *all->set);
    memcpy(all->members + all->member_count, members, count * sizeof *members);
    all->set[all->count] = (sets_entry){(uint32_t)all->member_count, count};
    all->member_count += count;
    all->slots[slot] = (uint32_t)++all->count;
    return (uint32_t)all->count - 1 + SETS_FIRST;
}

const uint32_t *sets_members(const sets *all, uint32_t set, uint32_t *count)
{
    *count = set < SETS_FIRST ? 0 : all->set[set - SETS_FIRST].count;
    return set < SETS_FIRST ? NULL : all->members + all->set[set - SETS_FIRST].at;
}

uint32_t sets_union(sets *all, uint32_t a, uint32_t b)
{
    uint32_t both[2 * SETS_MEMBERS_MAX], count = 0, left, right;
    if (a == b || b == SETS_NONE || a == SETS_MORE)
        return a;
    if (a == SETS_NONE || b == SETS_MORE)
        return b;
    const uint32_t *x = sets_members(all, a, &left), *y = sets_members(all, b, &right);
    for (uint32_t i = 0, k = 0; i < left || k < right;) {
        uint32_t next = k == right || (i < left && x[i] <= y[k]) ? x[i] : y[k];
        i += i < left && x[i] == next;
        k += k < right && y[k] == next;
        both[count++] = next;
    }
    return count > SETS_MEMBERS_MAX ? SETS_MORE : sets_of(all, both, count);
}
