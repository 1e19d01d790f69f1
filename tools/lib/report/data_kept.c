/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/data_kept.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

void kept_nodes_add(const functions *all, kept_nodes *k, uint32_t node)
{
    while (node && !k->number[node]) {
        k->number[node] = 1;
        node = all->node[node].parent;
    }
}

void kept_nodes_number(const functions *all, kept_nodes *k)
{
    for (uint32_t i = 1; i < all->node_count; i++)
        if (k->number[i]) {
            k->node[k->count++] = i;
            k->number[i] = k->count;
        }
}

uint32_t kept_path_number(kept_paths *k, uint32_t path)
{
    if (2 * k->count >= k->slot_max) {
        k->slot_max = k->slot_max ? 2 * k->slot_max : 256;
        free(k->slots);
        k->slots = memory_zero(k->slot_max, sizeof *k->slots);
        for (uint32_t i = 0; i < k->count; i++) {
            size_t at = k->path[i] * 2654435761u & (k->slot_max - 1);
            while (k->slots[at])
                at = (at + 1) & (k->slot_max - 1);
            k->slots[at] = i + 1;
        }
    }
    size_t at = path * 2654435761u & (k->slot_max - 1);
    while (k->slots[at] && k->path[k->slots[at] - 1] != path)
        at = (at + 1) & (k->slot_max - 1);
    if (!k->slots[at]) {
        k->path = memory_room(k->path, k->count, &k->max, sizeof *k->path);
        k->path[k->count] = path;
        k->slots[at] = (uint32_t)++k->count;
    }
    return k->slots[at] - 1;
}
