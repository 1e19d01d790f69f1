/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/search.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/past.h"
#include "tools/lib/wet/schedule.h"
#include "tools/lib/wet/snapshots.h"
#include "tools/lib/wet/statement.h"

#define NEAR 16u /* windows that are looked into before the snapshots are read. More: dearer misses */

/* The memory that an operation's execution accesses: up to FULL_ACCESSES_MAX addresses and sizes; their number. */
static uint32_t accesses_of(wet_file *f, uint32_t node, uint32_t operation, uint32_t instance, uint32_t *addresses,
                            uint8_t *sizes)
{
    const wet_file_node *fn = &f->nodes[node];
    const wet_statement *s = &f->statements[fn->n.statements[fn->n.operation_statement[operation]]];
    uint32_t count = 0;
    for (uint32_t slot = fn->n.slot_first[operation]; slot < fn->n.slot_count && fn->slot_operation[slot] == operation;
         slot++)
        if (fn->slot[slot]->kind == WET_ADDRESS) {
            sizes[count] = s->accesses[fn->slot[slot]->source].size;
            addresses[count++] = wet_word(f, node, slot, instance);
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
        uint32_t count = accesses_of(f, node, operation, instance, addresses, sizes);
        for (uint32_t k = 0; k < count; k++)
            if (address - addresses[k] < sizes[k])
                best = producer;
    }
    return best;
}

/* A search for the last store to a byte. */
typedef struct searching {
    const wet_load_edge *edge;
    uint32_t address;
    uint8_t *writes; /* of each node: it holds a producer */
    bool core;       /* a producer is an exception: the core's stores are not all in the snapshots */
} searching;

static searching search_begin(const wet_file *f, const wet_load_edge *edge, uint32_t address)
{
    searching s = {.edge = edge, .address = address, .writes = memory_zero(f->node_count + 1, 1)};
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        const wet_node *n = &f->nodes[f->producer_node[edge->producers[i]]].n;
        uint32_t operation = edge->producers[i] - n->base;
        s.writes[f->producer_node[edge->producers[i]]] = 1;
        s.core |= operation < n->operation_count &&
                  f->statics[f->statements[n->statements[n->operation_statement[operation]]].instruction].exception;
    }
    return s;
}

/* Back from `until` to `from`. */
static wet_origin search_between(wet_file *f, const searching *s, uint32_t from, uint32_t until)
{
    wet_control *c = wet_control_new(f, from, until, true);
    wet_origin found = {0, 0};
    uint32_t low, count;
    const uint32_t *nodes, *instances;
    while (until && !found.producer && (count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = count; i-- > 0 && !found.producer;) {
            f->damaged |= nodes[i] == WET_NONE;
            if (nodes[i] == WET_NONE || !s->writes[nodes[i]])
                continue;
            found.producer = writer_in(f, s->edge, nodes[i], instances[i], WET_OPERATIONS_MAX, s->address);
            found.instance = instances[i];
        }
    wet_control_free(c);
    return found;
}

/* The last execution of a node in a window, up to `until`, that wrote the byte after `*time`. */
static void node_search(wet_file *f, const searching *s, uint32_t node, uint32_t window, uint32_t until, uint32_t *time,
                        wet_origin *found)
{
    uint32_t first, end;
    if (!wet_schedule_find(f, node, window, &first, &end))
        return;
    while (end-- > first) {
        uint32_t at = wet_time(f, node, end);
        if (at > until)
            continue;
        if (at < *time)
            return;
        uint32_t producer = writer_in(f, s->edge, node, end, WET_OPERATIONS_MAX, s->address);
        if (producer) {
            *found = (wet_origin){producer, end};
            *time = at;
            return;
        }
    }
}

/* The last of the producers to write the byte in a window, up to `until`. */
static wet_origin window_search(wet_file *f, const searching *s, uint32_t window, uint32_t until)
{
    wet_origin found = {0, 0};
    uint32_t time = 0;
    for (uint32_t i = 0; i < f->node_count; i++)
        if (s->writes[i])
            node_search(f, s, i, window, until, &time, &found);
    return found;
}

/* First the windows near, then only those that wrote the word: that takes the snapshots, which are read once. */
static wet_origin search_windows(wet_file *f, const searching *s, uint32_t until)
{
    char message[200];
    wet_origin found = {0, 0};
    uint32_t window = (until - 1) / f->window;
    for (uint32_t near = 0; !f->past && near < NEAR; near++, window--) {
        found = window_search(f, s, window, until);
        if (found.producer || !window)
            return found;
    }
    if (!f->past && !wet_past_open(f, message, sizeof message))
        return search_between(f, s, 1, until);
    while ((window = wet_past_touched(f->past, s->address >> 2, WET_WRITTEN, window, true)) != WET_NEVER) {
        found = window_search(f, s, window, until);
        if (found.producer || !window)
            break;
        window--;
    }
    return found;
}

static wet_origin search(wet_file *f, const wet_load_edge *edge, uint32_t address, uint32_t until)
{
    searching s = search_begin(f, edge, address);
    wet_schedule_read(f);
    bool windows = until && f->window && f->shifts && !s.core;
    wet_origin found = windows ? search_windows(f, &s, until) : search_between(f, &s, 1, until);
    free(s.writes);
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
