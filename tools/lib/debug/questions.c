/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/questions.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
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

/* The last execution of a statement of a node that is before a time, or at it if the statement is before that one. */
static uint32_t executed_before(wet_file *f, uint32_t node, uint32_t statement, const debug_step *now)
{
    uint32_t rank = wet_rank(f, node, statement < now->statement ? now->time : now->time - 1);
    return rank ? wet_time(f, node, rank - 1) : 0;
}

static bool is_meant(const wet_place *place, const wet_statement *s)
{
    return place->statics[s->instruction] && (!place->defines || s->written & place->defines);
}

bool debug_place_before(debug_run *r, debug_instant at, const wet_place *place, debug_instant *found)
{
    wet_file *f = r->source.f;
    uint32_t best = 0, best_statement = 0;
    if (!place->statics)
        return last_store(r, at, place, found);
    const debug_step now = *debug_run_step(r, at);
    for (uint32_t node = 0; node < f->node_count; node++)
        for (uint32_t k = 0; k < f->nodes[node].n.statement_count; k++) {
            const wet_statement *s = &f->statements[f->nodes[node].n.statements[k]];
            if (!is_meant(place, s) || f->statics[s->instruction].exception)
                continue;
            uint32_t time = executed_before(f, node, k, &now);
            if (time > best || (time && time == best && k > best_statement)) {
                best = time;
                best_statement = k;
            }
        }
    if (best)
        *found = debug_run_at(r, best, best_statement);
    return best != 0;
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
    uint32_t value;
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

/* The data of one store of a node, execution by execution; `address`: slot of its address. */
static void find_in(finding *s, uint32_t node, uint32_t address, uint32_t data)
{
    const wet_file_node *n = &s->f->nodes[node];
    uint32_t words[PART];
    uint32_t statement = n->n.operation_statement[n->slot_operation[data]];
    for (uint32_t at = 0; at < n->n.count; at += PART) {
        uint32_t part = n->n.count - at < PART ? n->n.count - at : PART;
        wet_words(s->f, node, data, at, part, words);
        for (uint32_t i = 0; i < part; i++)
            if (words[i] == s->value)
                keep(s, (debug_found){wet_time(s->f, node, at + i), node, statement, at + i,
                                      wet_word(s->f, node, address, at + i)});
    }
}

debug_found *debug_stores_of(debug_run *r, uint32_t value, size_t max, size_t *count, uint64_t *all)
{
    finding s = {.f = r->source.f, .value = value, .limit = max};
    for (uint32_t node = 0; node < s.f->node_count; node++) {
        const wet_file_node *n = &s.f->nodes[node];
        for (uint32_t slot = 1; slot < n->n.slot_count; slot++) {
            const wet_statement *st =
                &s.f->statements[n->n.statements[n->n.operation_statement[n->slot_operation[slot]]]];
            if (n->slot[slot]->kind == WET_DATA && st->accesses[n->slot[slot]->source].store)
                find_in(&s, node, slot - 1, slot);
        }
    }
    if (s.count)
        qsort(s.all, s.count, sizeof *s.all, time_order);
    *count = s.count < max ? s.count : max;
    *all = s.found;
    return s.all ? s.all : memory_zero(1, sizeof *s.all);
}
