/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/questions.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/nearest.h"
#include "tools/lib/debug/running.h"
#include "tools/lib/wet/word.h"

#define PART 4096u

/* ---- places ---- */

static bool last_store(debug_run *r, debug_instant at, const wet_place *place, debug_instant *found)
{
    debug_watch watch = {place->address, place->size, true, false};
    debug_points points = {.watches = &watch, .watch_count = 1};
    *found = at;
    return debug_run_search(r, found, &points, true).end == DEBUG_WATCH && debug_run_previous(r, found);
}

static bool is_meant(const wet_place *place, const wet_statement *s)
{
    return place->statics[s->instruction] && (!place->defines || s->written & place->defines);
}

bool debug_place_before(debug_run *r, debug_instant at, const wet_place *place, debug_instant *found)
{
    wet_file *f = r->source.f;
    if (!place->statics)
        return last_store(r, at, place, found);
    uint8_t *wanted = memory_zero(f->statement_count + 1, 1);
    for (uint32_t i = 0; i < f->statement_count; i++)
        wanted[i] = is_meant(place, &f->statements[i]) && !f->statics[f->statements[i].instruction].exception;
    debug_executed best = debug_nearest(r, at, wanted, true);
    free(wanted);
    if (best.time)
        *found = debug_run_at(r, best.time, best.statement);
    return best.time != 0;
}

bool debug_place_first(debug_run *r, const wet_place *place, debug_instant *found)
{
    debug_watch watch = {place->address, place->size, true, false};
    debug_points points = {.watches = &watch, .watch_count = 1};
    *found = debug_run_first(r);
    return !place->statics && debug_run_search(r, found, &points, false).end == DEBUG_WATCH;
}

wet_instance debug_instance_at(debug_run *r, debug_instant at)
{
    const debug_step *s = debug_run_step(r, at);
    return (wet_instance){s->node, s->statement, s->instance};
}

/* ---- values ---- */

typedef struct finding {
    wet_file *f;
    debug_found *all;
    size_t count, max;
    const debug_sought *value;
    uint64_t found;
    size_t limit;
} finding;

static int time_order(const void *a, const void *b)
{
    const debug_found *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->statement < y->statement ? -1 : x->statement > y->statement;
}

/* Keeps the earliest: when there are twice as many as wanted, the later half goes. */
static void keep(finding *s, debug_found found)
{
    s->found++;
    s->all = memory_room(s->all, s->count, &s->max, sizeof *s->all);
    s->all[s->count++] = found;
    if (s->count < 2 * s->limit)
        return;
    qsort(s->all, s->count, sizeof *s->all, time_order);
    s->count = s->limit;
}

/* The executions of a node that are looked at together. */
typedef struct part {
    uint32_t node, at, count;
} part;

/* A store of a node: its slots and its statement. */
typedef struct stored {
    uint32_t address, data, statement;
    unsigned size;
} stored;

static void keep_instance(finding *s, const part *p, uint32_t i, const stored *place, uint32_t address_slot)
{
    keep(s, (debug_found){wet_time(s->f, p->node, p->at + i), p->node, place->statement, p->at + i,
                          wet_word(s->f, p->node, address_slot, p->at + i)});
}

static void find_alone(finding *s, const part *p, const stored *store)
{
    uint32_t low[PART], high[PART];
    wet_words(s->f, p->node, store->data, p->at, p->count, low);
    if (store->size > 4)
        wet_words(s->f, p->node, store->data + 1, p->at, p->count, high);
    for (uint32_t i = 0; i < p->count; i++)
        if (debug_sought_is(s->value, low[i] | (store->size > 4 ? (uint64_t)high[i] << 32 : 0), store->size))
            keep_instance(s, p, i, store, store->address);
}

/* The other half of a value whose low word `low` stored in execution `i`: the first store of the high word beside it.
 * NULL: there is none. */
static const stored *other_half(const finding *s, const part *p, uint32_t i, const stored *stores, uint32_t count,
                                const stored *low)
{
    uint32_t instance = p->at + i, address = wet_word(s->f, p->node, low->address, instance);
    for (const stored *high = stores; high < stores + count; high++)
        if (high != low && high->size == 4 &&
            wet_word(s->f, p->node, high->data, instance) == (uint32_t)(s->value->bits >> 32) &&
            wet_word(s->f, p->node, high->address, instance) == address + 4)
            return high;
    return NULL;
}

static void find_halves(finding *s, const part *p, const stored *stores, uint32_t count, const stored *low)
{
    uint32_t words[PART];
    if (low->size != 4)
        return;
    wet_words(s->f, p->node, low->data, p->at, p->count, words);
    for (uint32_t i = 0; i < p->count; i++) {
        const stored *high = words[i] == (uint32_t)s->value->bits ? other_half(s, p, i, stores, count, low) : NULL;
        if (high)
            keep_instance(s, p, i, high->statement > low->statement ? high : low, low->address);
    }
}

/* The stores of a node, in order: their number. */
static uint32_t stores_list(const wet_file *f, uint32_t node, stored *stores)
{
    const wet_file_node *n = &f->nodes[node];
    uint32_t count = 0;
    for (uint32_t slot = 1; slot < n->n.slot_count; slot++) {
        uint32_t statement = n->n.operation_statement[n->slot_operation[slot]];
        const wet_access *access = &f->statements[n->n.statements[statement]].accesses[n->slot[slot]->source];
        if (n->slot[slot]->kind == WET_DATA && access->store)
            stores[count++] = (stored){slot - 1, slot, statement, access->size};
    }
    return count;
}

static void find_in(finding *s, uint32_t node)
{
    const wet_node *n = &s->f->nodes[node].n;
    stored *stores = memory_zero(n->slot_count + 1, sizeof *stores);
    uint32_t count = stores_list(s->f, node, stores);
    for (part p = {.node = node}; p.at < n->count; p.at += PART) {
        p.count = n->count - p.at < PART ? n->count - p.at : PART;
        for (uint32_t i = 0; i < count; i++) {
            find_alone(s, &p, &stores[i]);
            if (debug_sought_is_wide(s->value))
                find_halves(s, &p, stores, count, &stores[i]);
        }
    }
    free(stores);
}

debug_found *debug_stores_of(debug_run *r, const debug_sought *value, size_t max, size_t *count, uint64_t *all)
{
    finding s = {.f = r->source.f, .value = value, .limit = max};
    for (uint32_t node = 0; node < s.f->node_count; node++)
        find_in(&s, node);
    if (s.count)
        qsort(s.all, s.count, sizeof *s.all, time_order);
    *count = s.count < max ? s.count : max;
    *all = s.found;
    return s.all ? s.all : memory_zero(1, sizeof *s.all);
}
