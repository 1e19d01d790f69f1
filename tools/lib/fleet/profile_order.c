/* SPDX-License-Identifier: MIT */
/* Step 2 of profile_write.c: the names and sets that are used, numbered by what they are. */
#include <stdlib.h>

#include "tools/lib/fleet/profile_writing.h"

static const profile_order *ordered; /* qsort has no context */

static int by_text(const void *a, const void *b)
{
    return strcmp(ordered->all->names.text[*(const uint32_t *)a], ordered->all->names.text[*(const uint32_t *)b]);
}

static int by_value(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int by_members(const void *a, const void *b)
{
    const sets_entry *x = &ordered->all->sets.set[*(const uint32_t *)a - SETS_FIRST];
    const sets_entry *y = &ordered->all->sets.set[*(const uint32_t *)b - SETS_FIRST];
    for (uint32_t i = 0; i < x->count && i < y->count; i++)
        if (ordered->member[x->at + i] != ordered->member[y->at + i])
            return ordered->member[x->at + i] < ordered->member[y->at + i] ? -1 : 1;
    return x->count < y->count ? -1 : x->count > y->count;
}

static void mark_sets(profile_order *o)
{
    const sets *all = &o->all->sets;
    for (size_t g = 0; g < o->all->group_count; g++) {
        const merged_group *group = o->all->group[g];
        for (uint32_t n = TRIE_FIRST; n < kipf_nodes(group->forest); n++)
            if (kipf_node(group->forest, n)->count)
                o->set[group->set[n]] = 1;
    }
    for (size_t i = 0; i < all->count; i++)
        for (uint32_t m = 0; o->set[i + SETS_FIRST] && m < all->set[i].count; m++)
            o->name[all->members[all->set[i].at + m]] = 1;
}

profile_order profile_order_of(const merged *all)
{
    profile_order o = {.all = all,
                       .name = memory_zero(all->names.count + 1, sizeof *o.name),
                       .set = memory_zero(all->sets.count + SETS_FIRST, sizeof *o.set),
                       .names = memory_zero(all->names.count + 1, sizeof *o.names),
                       .sets = memory_zero(all->sets.count + 1, sizeof *o.sets),
                       .member = memory_zero(all->sets.member_count + 1, sizeof *o.member)};
    mark_sets(&o);
    ordered = &o;
    for (uint32_t i = 0; i < all->names.count; i++)
        if (o.name[i])
            o.names[o.name_count++] = i;
    qsort(o.names, o.name_count, sizeof *o.names, by_text);
    for (uint32_t i = 0; i < o.name_count; i++)
        o.name[o.names[i]] = i;
    for (uint32_t i = SETS_FIRST; i < all->sets.count + SETS_FIRST; i++) {
        const sets_entry *e = &all->sets.set[i - SETS_FIRST];
        for (uint32_t m = 0; o.set[i] && m < e->count; m++)
            o.member[e->at + m] = o.name[all->sets.members[e->at + m]];
        if (o.set[i]) {
            qsort(o.member + e->at, e->count, sizeof *o.member, by_value);
            o.sets[o.set_count++] = i;
        }
    }
    qsort(o.sets, o.set_count, sizeof *o.sets, by_members);
    o.set[SETS_MORE] = 0;
    for (uint32_t i = 0; i < o.set_count; i++)
        o.set[o.sets[i]] = i + 1;
    ordered = NULL;
    return o;
}

void profile_order_free(profile_order *o)
{
    free(o->name);
    free(o->set);
    free(o->names);
    free(o->sets);
    free(o->member);
}
