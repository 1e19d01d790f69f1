/* SPDX-License-Identifier: MIT */
/* Step 3 of reading a directory: what needs all nodes and streams. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/directory.h"
#include "tools/lib/wet/statement.h"

static void edge_check(directory *d, const wet_edge *edge)
{
    for (uint32_t i = 0; i < edge->producer_count; i++)
        if (edge->producers[i] >= d->f->producer_count)
            directory_bad(d);
}

/* The slot with a register's value in each of its producers. */
static void input_slots(directory *d, wet_edge *edge, unsigned loc)
{
    wet_file *f = d->f;
    edge->slots = arena_zero(&f->arrays, edge->producer_count, sizeof *edge->slots);
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        if (!edge->producers[i])
            continue;
        const wet_node *n = &f->nodes[f->producer_node[edge->producers[i]]].n;
        uint32_t slot = wet_slot_find(n, f->statements, edge->producers[i] - n->base, WET_VALUE, loc);
        if (slot == WET_NONE)
            directory_bad(d);
        edge->slots[i] = (uint16_t)slot;
    }
}

static int producer_order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void searched_note(directory *d, wet_load_edge *edge)
{
    wet_file *f = d->f;
    if (edge->producer_count)
        qsort(edge->producers, edge->producer_count, sizeof *edge->producers, producer_order);
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        if (!edge->producers[i] || edge->producers[i] >= f->producer_count) {
            directory_bad(d);
            return;
        }
        wet_file_node *node = &f->nodes[f->producer_node[edge->producers[i]]];
        node->searched |= UINT64_C(1) << (edge->producers[i] - node->n.base);
    }
}

/* Producers can be named before their node is read. */
static void producers_check(directory *d)
{
    wet_file *f = d->f;
    f->producer_node = memory_zero(f->producer_count + 1, sizeof *f->producer_node);
    for (uint32_t i = 0; i < f->node_count; i++) {
        const wet_file_node *node = &f->nodes[i];
        for (uint32_t k = 0; k < node->n.operation_count; k++)
            f->producer_node[node->n.base + k] = i;
        for (uint32_t k = 0; k < node->n.input_count; k++)
            edge_check(d, &node->inputs[k]);
        for (uint32_t k = 0; k < node->n.control_count; k++)
            edge_check(d, &node->controls[k]);
        for (uint32_t k = 0; k < node->n.load_count; k++)
            for (uint32_t part = 0; part < node->loads[k].part_count; part++)
                edge_check(d, &node->loads[k].parts[part].edge);
    }
}

void directory_link(directory *d)
{
    wet_file *f = d->f;
    producers_check(d);
    if (!directory_good(d))
        return;
    for (uint32_t i = 0; i < f->node_count && directory_good(d); i++)
        for (uint32_t k = 0; k < f->nodes[i].n.input_count; k++)
            input_slots(d, &f->nodes[i].inputs[k], f->nodes[i].n.inputs[k]);
    for (uint32_t i = 0; i < f->node_count && directory_good(d); i++)
        for (uint32_t k = 0; k < f->nodes[i].n.load_count; k++)
            searched_note(d, &f->nodes[i].loads[k]);
}
