/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet_search.h"

#include <stdlib.h>

#include "tools/lib/memory.h"
#include "tools/lib/wet_control.h"
#include "tools/lib/wet_statement.h"

#define PAGE_BITS 12

struct wet_bytes {
    uint64_t *pages[1u << (32 - PAGE_BITS)];
    uint64_t count;
};

wet_bytes *wet_bytes_new(void)
{
    return memory_zero(1, sizeof(wet_bytes));
}

void wet_bytes_free(wet_bytes *set)
{
    for (uint32_t i = 0; i < 1u << (32 - PAGE_BITS); i++)
        free(set->pages[i]);
    free(set);
}

bool wet_bytes_empty(const wet_bytes *set)
{
    return set->count == 0;
}

static bool is_in(const wet_bytes *set, uint32_t address)
{
    const uint64_t *page = set->pages[address >> PAGE_BITS];
    return page && page[(address & ((1u << PAGE_BITS) - 1)) >> 6] >> (address & 63) & 1;
}

void wet_bytes_add(wet_bytes *set, uint32_t address, uint32_t size)
{
    for (; size; size--, address++) {
        uint64_t **page = &set->pages[address >> PAGE_BITS];
        if (!*page)
            *page = memory_zero((1u << PAGE_BITS) / 64, sizeof **page);
        set->count += !is_in(set, address);
        (*page)[(address & ((1u << PAGE_BITS) - 1)) >> 6] |= UINT64_C(1) << (address & 63);
    }
}

bool wet_bytes_take(wet_bytes *set, uint32_t address, uint32_t size)
{
    bool any = false;
    for (; size; size--, address++) {
        if (!is_in(set, address))
            continue;
        any = true;
        set->count--;
        set->pages[address >> PAGE_BITS][(address & ((1u << PAGE_BITS) - 1)) >> 6] &= ~(UINT64_C(1) << (address & 63));
    }
    return any;
}

bool wet_bytes_any(const wet_bytes *set, uint32_t address, uint32_t size)
{
    for (; size; size--, address++)
        if (is_in(set, address))
            return true;
    return false;
}

uint32_t wet_operation_accesses(wet_file *f, uint32_t node, uint32_t operation, uint32_t instance, uint32_t *addresses,
                                uint8_t *sizes)
{
    const wet_node *n = &f->nodes[node].n;
    const wet_statement *s = &f->statements[n->statements[n->operation_statement[operation]]];
    unsigned in_statement = n->operation_in_statement[operation];
    uint32_t slot = n->slot_first[operation], count = 0;
    for (uint32_t k = 0; k < s->slot_count; k++) {
        if (s->slots[k].operation != in_statement)
            continue;
        if (s->slots[k].kind == WET_ADDRESS) {
            sizes[count] = s->accesses[s->slots[k].source].size;
            addresses[count++] = wet_word(f, node, slot, instance);
        }
        slot++;
    }
    return count;
}

/* The last operation up to `end` (not included) among the producers that wrote the byte in this execution. */
static uint32_t writer_in(wet_file *f, const wet_load_edge *edge, uint32_t node, uint32_t instance, uint32_t end,
                          uint32_t address)
{
    uint32_t best = 0, addresses[FULL_ACCESSES_MAX];
    uint8_t sizes[FULL_ACCESSES_MAX];
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        uint32_t producer = edge->producers[i], operation = producer - f->nodes[node].n.base;
        if (f->producer_node[producer] != node || operation >= end || producer <= best)
            continue;
        uint32_t count = wet_operation_accesses(f, node, operation, instance, addresses, sizes);
        for (uint32_t k = 0; k < count; k++)
            if (address - addresses[k] < sizes[k])
                best = producer;
    }
    return best;
}

static wet_origin search(wet_file *f, const wet_load_edge *edge, uint32_t address, uint32_t until)
{
    wet_control *c = wet_control_new(f, 1, until, true);
    wet_origin found = {0, 0};
    uint32_t low, count;
    const uint32_t *nodes, *instances;
    uint8_t *writes = memory_zero(f->node_count + 1, 1);
    for (uint32_t i = 0; i < edge->producer_count; i++)
        writes[f->producer_node[edge->producers[i]]] = 1;
    while (until && !found.producer && (count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = count; i-- > 0 && !found.producer;) {
            if (nodes[i] == WET_NOBODY || !writes[nodes[i]])
                continue;
            found.producer = writer_in(f, edge, nodes[i], instances[i], WET_OPERATIONS_MAX, address);
            found.instance = instances[i];
        }
    free(writes);
    wet_control_free(c);
    return found;
}

wet_origin wet_load_origin(wet_file *f, uint32_t node, uint32_t load, uint32_t byte, uint32_t instance, uint32_t time)
{
    const wet_file_node *n = &f->nodes[node];
    const wet_load_edge *edge = &n->loads[load];
    for (uint32_t part = 0; part < edge->part_count; part++)
        if (edge->parts[part].byte == byte || part + 1 == edge->part_count)
            return wet_edge_origin(f, &edge->parts[part].edge, node, instance, time);
    uint32_t address = wet_word(f, node, n->n.loads[load].slot, instance) + byte;
    uint32_t here = writer_in(f, edge, node, instance, n->n.loads[load].operation, address);
    return here ? (wet_origin){here, instance} : search(f, edge, address, time - 1);
}
