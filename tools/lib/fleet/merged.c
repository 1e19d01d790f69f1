/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/merged.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/labels.h"

merged *merged_new(void)
{
    return memory_zero(1, sizeof(merged));
}

static void free_group(merged_group *g)
{
    kipf_free(g->forest);
    trie_free(&g->chains);
    numbering_free(&g->paths);
    numbering_free(&g->functions);
    numbering_free(&g->loops);
    free(g->labels);
    free(g->set);
    free(g->path);
    free(g->function);
    free(g->loop);
    free(g->calls);
    free(g);
}

void merged_drop_groups(merged *all, size_t count)
{
    while (all->group_count > count)
        free_group(all->group[--all->group_count]);
}

void merged_keep_labels(merged *all, const char *wanted)
{
    size_t kept = 0;
    for (size_t g = 0; g < all->group_count; g++) {
        merged_group *group = all->group[g];
        if (labels_have(group->labels, wanted))
            all->group[kept++] = group;
        else
            free_group(group);
    }
    all->group_count = kept;
}

void merged_free(merged *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->image_count; i++) {
        free(all->image[i].identity);
        free(all->image[i].packed);
    }
    merged_drop_groups(all, 0);
    digests_free(&all->recordings);
    digests_free(&all->devices);
    texts_free(&all->names);
    sets_free(&all->sets);
    free(all->image);
    free(all->group);
    free(all);
}

/* ---- keys ---- */

uint32_t merged_image_of(merged *all, const uint8_t *identity, size_t size)
{
    for (size_t i = 0; i < all->image_count; i++)
        if (all->image[i].identity_size == size && !memcmp(all->image[i].identity, identity, size))
            return (uint32_t)i;
    all->image = memory_room(all->image, all->image_count, &all->images_max, sizeof *all->image);
    merged_image *fresh = &all->image[all->image_count];
    *fresh = (merged_image){.identity = memory_zero(size + 1, 1), .identity_size = size};
    memcpy(fresh->identity, identity, size);
    return (uint32_t)all->image_count++;
}

merged_group *merged_group_of(merged *all, uint32_t of, uint32_t k, const char *text, size_t text_size)
{
    for (size_t i = 0; i < all->group_count; i++) {
        merged_group *g = all->group[i];
        if (g->image == of && g->k == k && !strncmp(g->labels, text, text_size) && !g->labels[text_size])
            return g;
    }
    all->group = memory_room(all->group, all->group_count, &all->groups_max, sizeof *all->group);
    merged_group *g = memory_zero(1, sizeof *g);
    *g =
        (merged_group){.image = of, .k = k, .labels = memory_zero(text_size + 1, 1), .forest = kipf_new(k < 2 ? 2 : k)};
    memcpy(g->labels, text, text_size);
    trie_init(&g->chains);
    g->calls = memory_zero(TRIE_FIRST, sizeof *g->calls);
    g->calls_max = TRIE_FIRST;
    all->group[all->group_count++] = g;
    return g;
}

merged_path *merged_path_of(merged_group *group, uint32_t path)
{
    uint32_t before = group->paths.count, number = numbering_of(&group->paths, path);
    if (number == before) {
        group->path = memory_room(group->path, number, &group->paths_max, sizeof *group->path);
        group->path[number] = (merged_path){.path = path};
    }
    return &group->path[number];
}

uint64_t merged_path_cost(const merged_path *path)
{
    return path->price ? path->count * (path->price - 1) + path->lead : 0;
}

merged_function *merged_function_of(merged_group *group, uint32_t function)
{
    uint32_t before = group->functions.count, number = numbering_of(&group->functions, function);
    if (number == before) {
        group->function = memory_room(group->function, number, &group->functions_max, sizeof *group->function);
        group->function[number] = (merged_function){.function = function};
    }
    return &group->function[number];
}

static rounds_loop *merged_loop_of(merged_group *group, uint32_t head)
{
    uint32_t before = group->loops.count, number = numbering_of(&group->loops, head);
    if (number == before) {
        group->loop = memory_room(group->loop, number, &group->loops_max, sizeof *group->loop);
        group->loop[number] = (rounds_loop){.head = head};
    }
    return &group->loop[number];
}

/* ---- sums ---- */

void merged_sum(merged *all, uint64_t *to, uint64_t add)
{
    all->overflow |= __builtin_add_overflow(*to, add, to);
}

void merged_sum_wide(merged *all, wide *to, wide add)
{
    all->overflow |= __builtin_add_overflow(*to, add, to);
}

uint32_t merged_add_node(merged *all, merged_group *group, uint32_t parent, uint32_t label, uint64_t count,
                         uint32_t set)
{
    if (group->k < 2 && parent >= TRIE_FIRST)
        return 0;
    uint32_t node = kipf_add_node(group->forest, parent, label, count);
    if (!node) {
        all->overflow = true;
        return 0;
    }
    if (node >= group->sets_max) {
        size_t before = group->sets_max;
        group->set = memory_room(group->set, node, &group->sets_max, sizeof *group->set);
        memset(group->set + before, 0, (group->sets_max - before) * sizeof *group->set);
    }
    if (group->set[node] != SETS_MORE)
        group->set[node] = sets_union(&all->sets, group->set[node], set);
    return node;
}

uint32_t merged_add_chain(merged *all, merged_group *group, uint32_t parent, uint32_t label, uint64_t calls,
                          uint64_t self)
{
    uint32_t before = group->chains.used, node = trie_child(&group->chains, parent, label);
    group->calls = memory_room(group->calls, node, &group->calls_max, sizeof *group->calls);
    if (node == before)
        group->calls[node] = 0;
    merged_sum(all, &group->calls[node], calls);
    merged_sum(all, &group->chains.nodes[node].count, self);
    return node;
}

void merged_add_loop(merged *all, merged_group *group, const rounds_loop *loop)
{
    rounds_loop *to = merged_loop_of(group, loop->head);
    if (loop->entries) {
        to->min = to->entries && to->min < loop->min ? to->min : loop->min;
        to->max = to->max > loop->max ? to->max : loop->max;
    }
    merged_sum(all, &to->entries, loop->entries);
    merged_sum(all, &to->sum, loop->sum);
    for (unsigned i = 0; i < ROUNDS_BINS; i++)
        merged_sum(all, &to->bin[i], loop->bin[i]);
}

void merged_totals_add(merged_totals *sum, const merged_totals *t)
{
    sum->recordings += t->recordings;
    sum->priced += t->priced;
    sum->streams += t->streams;
    sum->paths += t->paths;
    sum->lost += t->lost;
    sum->gaps += t->gaps;
    sum->gapped += t->gapped;
    sum->unread += t->unread;
    sum->deeper += t->deeper;
    sum->flat += t->flat;
}

merged_totals merged_totals_of(const merged *all)
{
    merged_totals sum = {0};
    for (size_t i = 0; i < all->group_count; i++)
        merged_totals_add(&sum, &all->group[i]->totals);
    return sum;
}
