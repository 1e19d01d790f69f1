/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/store_search.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/past.h"
#include "tools/lib/wet/schedule.h"
#include "tools/lib/wet/snapshots.h"
#include "tools/lib/wet/statement.h"

#define NEAR 16u /* windows that are looked into before the snapshots are read. More: dearer misses */

/* A search for the last store to a byte. */
typedef struct searching {
    const wet_load_edge *edge;
    wet_word_find *find;
    uint32_t address;
} searching;

/* Whether an execution of an operation writes the byte. */
static bool writes(wet_file *f, const searching *s, wet_execution *at, uint32_t operation)
{
    const wet_file_node *fn = &f->nodes[at->node];
    const wet_statement *by = &f->statements[fn->n.statements[fn->n.operation_statement[operation]]];
    for (uint32_t slot = fn->n.slot_first[operation]; slot < fn->n.slot_count && fn->slot_operation[slot] == operation;
         slot++)
        if (fn->slot[slot]->kind == WET_ADDRESS &&
            s->address - s->find(f, at, slot) < by->accesses[fn->slot[slot]->source].size)
            return true;
    return false;
}

/* How many of the producers, which ascend, are below this one. */
static uint32_t producers_below(const wet_load_edge *edge, uint32_t producer)
{
    uint32_t low = 0, high = edge->producer_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edge->producers[middle] < producer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last operation up to `end` (not included) among the producers that wrote the byte in this execution. */
static uint32_t writer_in(wet_file *f, const searching *s, wet_execution *at, uint32_t end)
{
    uint32_t base = f->nodes[at->node].n.base, count = f->nodes[at->node].n.operation_count;
    for (uint32_t i = producers_below(s->edge, base + (end < count ? end : count)); i-- > 0 && !f->damaged;) {
        if (s->edge->producers[i] < base)
            break;
        if (writes(f, s, at, s->edge->producers[i] - base))
            return s->edge->producers[i];
    }
    return 0;
}

/* A producer is an exception: the core's stores are not all in the snapshots. */
static bool has_core(const wet_file *f, const wet_load_edge *edge)
{
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        const wet_node *n = &f->nodes[f->producer_node[edge->producers[i]]].n;
        uint32_t operation = edge->producers[i] - n->base;
        if (f->statics[f->statements[n->statements[n->operation_statement[operation]]].instruction].exception)
            return true;
    }
    return false;
}

/* Back from `until` to the start. */
static wet_origin search_all(wet_file *f, const searching *s, uint32_t until)
{
    wet_control *c = wet_control_new(f, 1, until, true);
    wet_origin found = {0, 0};
    uint32_t low, count;
    const uint32_t *nodes, *instances;
    while (until && !found.producer && !f->damaged && (count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = count; i-- > 0 && !found.producer;) {
            f->damaged |= nodes[i] == WET_NONE;
            if (nodes[i] == WET_NONE)
                continue;
            wet_execution at = {nodes[i], instances[i], 0};
            found = (wet_origin){writer_in(f, s, &at, WET_OPERATIONS_MAX), instances[i]};
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
    while (end-- > first && !f->damaged) {
        wet_execution at = {node, end, wet_time(f, node, end)};
        if (at.time > until)
            continue;
        if (at.time < *time)
            return;
        uint32_t producer = writer_in(f, s, &at, WET_OPERATIONS_MAX);
        if (producer) {
            *found = (wet_origin){producer, end};
            *time = at.time;
            return;
        }
    }
}

/* The last of the producers to write the byte in a window, up to `until`. */
static wet_origin window_search(wet_file *f, const searching *s, uint32_t window, uint32_t until)
{
    wet_origin found = {0, 0};
    uint32_t time = 0, last = WET_NONE;
    for (uint32_t i = 0; i < s->edge->producer_count; i++) {
        uint32_t node = f->producer_node[s->edge->producers[i]];
        if (node != last)
            node_search(f, s, node, window, until, &time, &found);
        last = node;
    }
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
        return search_all(f, s, until);
    while (!f->damaged &&
           (window = wet_past_touched(f->past, s->address >> 2, WET_WRITTEN, window, true)) != WET_NEVER) {
        found = window_search(f, s, window, until);
        if (found.producer || !window)
            break;
        window--;
    }
    return found;
}

static bool has_windows(wet_file *f)
{
    wet_schedule_read(f);
    return f->window && f->shifts;
}

wet_origin wet_store_find(wet_file *f, const wet_load_edge *edge, wet_execution *at, uint32_t operation,
                          uint32_t address, wet_word_find *find)
{
    searching s = {edge, find, address};
    uint32_t here = writer_in(f, &s, at, operation), until;
    if (here)
        return (wet_origin){here, at->instance};
    until = wet_execution_time(f, at) - 1;
    return until && has_windows(f) && !has_core(f, edge) ? search_windows(f, &s, until) : search_all(f, &s, until);
}

/* What the snapshots say that memory held when a window began, from `address` on. False: not all is known. */
static bool held(wet_file *f, uint32_t window, uint32_t address, unsigned size, uint32_t *word)
{
    uint32_t low, high = 0;
    unsigned first = address & 3, known = wet_past_word(f->past, address >> 2, window, &low);
    if (first + size > 4)
        known |= (unsigned)wet_past_word(f->past, (address >> 2) + 1, window, &high) << 4;
    *word = (uint32_t)((low | (uint64_t)high << 32) >> 8 * first);
    return (~known >> first & ((1u << size) - 1)) == 0;
}

/* The word of a slot of a store. */
static uint32_t stored(wet_file *f, wet_origin origin, unsigned kind, wet_word_find *find)
{
    wet_execution at = {f->producer_node[origin.producer], origin.instance, 0};
    const wet_node *n = &f->nodes[at.node].n;
    uint32_t slot = wet_slot_find(n, f->statements, origin.producer - n->base, kind, 0);
    if (slot != WET_NONE)
        return find(f, &at, slot);
    f->damaged = true;
    return 0;
}

/* The store of a load; or producer 0, and what memory held since before this window. */
static wet_origin source_of(wet_file *f, const searching *s, wet_execution *at, const wet_load *l, uint32_t *word)
{
    uint32_t here = writer_in(f, s, at, l->operation), time = wet_execution_time(f, at);
    if (here)
        return (wet_origin){here, at->instance};
    if (!f->past || !has_windows(f))
        return wet_store_find(f, s->edge, at, l->operation, s->address, s->find);
    uint32_t window = (time - 1) / f->window;
    wet_origin found = {0, 0};
    if (wet_past_touched(f->past, s->address >> 2, WET_WRITTEN, window, true) == window)
        found = window_search(f, s, window, time - 1);
    if (found.producer || held(f, window, s->address, l->size, word))
        return found;
    return wet_store_find(f, s->edge, at, l->operation, s->address, s->find);
}

uint32_t wet_store_word(wet_file *f, wet_execution *at, uint32_t load, wet_word_find *find)
{
    const wet_file_node *fn = &f->nodes[at->node];
    const wet_load *l = &fn->n.loads[load];
    bool sign =
        f->statics[f->statements[fn->n.statements[fn->n.operation_statement[l->operation]]].instruction].insn.sign;
    uint32_t address = find(f, at, l->slot), word = 0;
    const searching s = {&fn->loads[load], find, address};
    wet_origin from = source_of(f, &s, at, l, &word);
    if (!from.producer)
        return wet_load_word(word, 0, l->size, sign);
    word = stored(f, from, WET_DATA, find);
    return wet_load_word(word, address - stored(f, from, WET_ADDRESS, find), l->size, sign);
}
