/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/search.h"

#include "tools/lib/wet/store_search.h"

static uint32_t find(wet_file *f, wet_execution *at, uint32_t slot)
{
    return wet_word(f, at->node, slot, at->instance);
}

wet_origin wet_load_origin(wet_file *f, uint32_t node, uint32_t load, uint32_t byte, uint32_t instance, uint32_t time)
{
    const wet_file_node *n = &f->nodes[node];
    const wet_load_edge *edge = &n->loads[load];
    for (uint32_t part = 0; part < edge->part_count; part++)
        if (edge->parts[part].byte == byte || part + 1 == edge->part_count)
            return wet_edge_origin(f, &edge->parts[part].edge, node, instance, time);
    uint32_t address = wet_word(f, node, n->n.loads[load].slot, instance) + byte;
    wet_execution at = {node, instance, time};
    return wet_store_find(f, edge, &at, n->n.loads[load].operation, address, find);
}
