/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/functions_tables.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

static size_t mix(uint64_t a, uint64_t b)
{
    uint64_t hash = (a * 0x9e3779b97f4a7c15u + b) * 0xd6e8feb86659fd93u;
    return (size_t)(hash ^ hash >> 32);
}

/* Twice the room; the caller puts its elements in again. */
static void widen(functions_table *t)
{
    t->max = t->max ? 2 * t->max : 1024;
    free(t->slots);
    t->slots = memory_zero(t->max, sizeof *t->slots);
}

/* What the children of a node differ in. */
static uint32_t label_of(const call_node *node)
{
    return node->function == FUNCTIONS_NONE ? node->context : node->function;
}

static size_t node_slot(const functions *all, uint32_t parent, uint32_t label)
{
    const functions_table *t = &all->own->nodes;
    size_t at = mix(parent, label) & (t->max - 1);
    for (uint32_t found; (found = t->slots[at]); at = (at + 1) & (t->max - 1))
        if (all->node[found - 1].parent == parent && label_of(&all->node[found - 1]) == label)
            break;
    return at;
}

uint32_t functions_node_of(functions *all, uint32_t parent, uint32_t label)
{
    functions_table *t = &all->own->nodes;
    if (2 * all->node_count >= t->max) {
        widen(t);
        for (uint32_t i = 1; i < all->node_count; i++)
            t->slots[node_slot(all, all->node[i].parent, label_of(&all->node[i]))] = i + 1;
    }
    size_t at = node_slot(all, parent, label);
    if (t->slots[at])
        return t->slots[at] - 1;
    all->node = memory_room(all->node, all->node_count, &all->own->node_max, sizeof *all->node);
    call_node *above = &all->node[parent];
    all->node[all->node_count] = (call_node){.parent = parent,
                                             .function = parent ? label : FUNCTIONS_NONE,
                                             .context = parent ? above->context : label,
                                             .sibling = above->child};
    above->child = (uint32_t)all->node_count;
    t->slots[at] = (uint32_t)all->node_count + 1;
    return (uint32_t)all->node_count++;
}

uint32_t functions_chain_of(functions *all, const functions_context *s, uint32_t function)
{
    uint32_t parent = s->depth ? s->frames[s->depth - 1].node : s->root;
    if (all->node_count < FUNCTIONS_CHAINS_MAX)
        return functions_node_of(all, parent, function);
    size_t at = node_slot(all, parent, function);
    if (all->own->nodes.slots[at])
        return all->own->nodes.slots[at] - 1;
    all->deeper++;
    return functions_node_of(all, s->root, function);
}

static bool same_edge(const call_edge *a, const call_edge *b)
{
    return a->caller == b->caller && a->callee == b->callee && a->place.line == b->place.line &&
           a->place.file == b->place.file;
}

static size_t edge_slot(const functions *all, const call_edge *edge)
{
    const functions_table *t = &all->own->edges;
    size_t at = mix((uint64_t)edge->caller << 32 | edge->callee, edge->place.line) & (t->max - 1);
    while (t->slots[at] && !same_edge(&all->edge[t->slots[at] - 1], edge))
        at = (at + 1) & (t->max - 1);
    return at;
}

uint32_t functions_edge_of(functions *all, uint32_t caller, uint32_t callee, function_place place)
{
    functions_table *t = &all->own->edges;
    call_edge edge = {.caller = caller, .callee = callee, .place = place};
    if (2 * all->edge_count >= t->max) {
        widen(t);
        for (uint32_t i = 0; i < all->edge_count; i++)
            t->slots[edge_slot(all, &all->edge[i])] = i + 1;
    }
    size_t at = edge_slot(all, &edge);
    if (t->slots[at])
        return t->slots[at] - 1;
    all->edge = memory_room(all->edge, all->edge_count, &all->own->edge_max, sizeof *all->edge);
    all->edge[all->edge_count] = edge;
    t->slots[at] = (uint32_t)all->edge_count + 1;
    return (uint32_t)all->edge_count++;
}
