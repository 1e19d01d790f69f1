/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/loops/tree_data.h"

/* ---- shapes: bodies that are equal except for iterations ---- */

static uint32_t shape_of_item(const nest_tree *t, uint32_t item)
{
    return nest_is_loop(t->nest, item) ? t->nest->alphabet + t->shapes[item - t->nest->alphabet] : item;
}

static bool same_shape(const nest_tree *t, uint32_t a, uint32_t b)
{
    const nest_loop *x = t->nest->loops + a, *y = t->nest->loops + b;
    uint32_t i = 0;
    while (x->size == y->size && i < x->size &&
           shape_of_item(t, t->nest->items[x->first + i]) == shape_of_item(t, t->nest->items[y->first + i]))
        i++;
    return i == x->size && x->size == y->size;
}

/* Inner loops come before those that contain them, so their shapes are known. */
static void find_shapes(nest_tree *t)
{
    const nest *n = t->nest;
    size_t mask = 63;
    while (mask < 2 * (size_t)n->loop_count)
        mask = 2 * mask + 1;
    uint32_t *slots = memory_zero(mask + 1, sizeof *slots);
    t->shapes = memory_zero(n->loop_count, sizeof *t->shapes);
    for (uint32_t loop = 0; loop < n->loop_count; loop++) {
        uint64_t hash = 0;
        for (uint32_t i = 0; i < n->loops[loop].size; i++)
            hash = (hash ^ shape_of_item(t, n->items[n->loops[loop].first + i])) * 0x9e3779b97f4a7c15u,
            hash ^= hash >> 29;
        size_t slot = hash & mask;
        while (slots[slot] && !same_shape(t, slots[slot] - 1, loop))
            slot = (slot + 1) & mask;
        if (!slots[slot])
            slots[slot] = loop + 1;
        t->shapes[loop] = slots[slot] - 1;
    }
    free(slots);
}

/* ---- groups ---- */

static uint32_t *slot_of(const nest_tree *t, uint32_t parent, uint32_t shape)
{
    uint64_t hash = ((uint64_t)parent << 32 | shape) * 0x9e3779b97f4a7c15u;
    size_t slot = (hash >> 29 ^ hash) & (t->slot_count - 1);
    while (t->slots[slot]) {
        const group *g = t->groups + t->slots[slot] - 1;
        if (g->parent == parent && g->shape == shape)
            break;
        slot = (slot + 1) & (t->slot_count - 1);
    }
    return t->slots + slot;
}

static void rehash(nest_tree *t)
{
    t->slot_count = t->slot_count ? 2 * t->slot_count : 64;
    free(t->slots);
    t->slots = memory_zero(t->slot_count, sizeof *t->slots);
    for (uint32_t i = 0; i < t->count; i++)
        *slot_of(t, t->groups[i].parent, t->groups[i].shape) = i + 1;
}

/* Adds a group as the last child of its parent. */
static uint32_t add_group(nest_tree *t, const group *g)
{
    uint32_t added = (uint32_t)t->count;
    uint32_t *first = g->parent == NONE ? &t->first : &t->groups[g->parent].child;
    uint32_t *last = g->parent == NONE ? &t->last : &t->groups[g->parent].last_child;
    if (*first == NONE)
        *first = added;
    else
        t->groups[*last].sibling = added;
    *last = added;
    t->groups = memory_room(t->groups, t->count, &t->max, sizeof *t->groups);
    t->groups[t->count++] = *g;
    return added;
}

static void enter(void *context, uint32_t loop, uint64_t at, unsigned depth)
{
    nest_tree *t = context;
    const nest_loop *l = t->nest->loops + loop;
    uint32_t parent = depth ? t->at[depth - 1] : NONE, shape = t->shapes[loop];
    if (2 * (t->count + 1) > t->slot_count)
        rehash(t);
    uint32_t *slot = slot_of(t, parent, shape);
    if (!*slot) {
        group fresh = {.parent = parent,
                       .shape = shape,
                       .loop = loop,
                       .start = at,
                       .least = l->iterations,
                       .depth = depth,
                       .child = NONE,
                       .last_child = NONE,
                       .sibling = NONE};
        *slot = add_group(t, &fresh) + 1;
    }
    group *g = t->groups + *slot - 1;
    g->least = l->iterations < g->least ? l->iterations : g->least;
    g->most = l->iterations > g->most ? l->iterations : g->most;
    uint64_t body = t->bodies[loop];
    g->body_least = g->places == 0 || body < g->body_least ? body : g->body_least;
    g->body_most = body > g->body_most ? body : g->body_most;
    g->places++;
    g->symbols += t->times[depth] * (double)t->bodies[loop] * l->iterations;
    t->at[depth] = *slot - 1;
    t->times[depth + 1] = t->times[depth] * l->iterations;
}

nest_tree *nest_tree_new(const nest *n, const path_places *where, nest_namer *name, void *context)
{
    nest_tree *t = memory_zero(1, sizeof *t);
    *t = (nest_tree){.nest = n, .name = name, .context = context, .first = NONE, .last = NONE};
    if (where)
        t->where = *where;
    t->bodies = nest_body_lengths(n);
    find_shapes(t);
    t->times[0] = 1;
    nest_visitor v = {.context = t, .enter = enter};
    nest_walk(n, &v);
    return t;
}

void nest_tree_free(nest_tree *t)
{
    free(t->bodies);
    free(t->shapes);
    free(t->groups);
    free(t->slots);
    free(t);
}

size_t nest_tree_size(const nest_tree *t)
{
    return t->count;
}
