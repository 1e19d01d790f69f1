/* SPDX-License-Identifier: MIT */
/* Step 1, edges: three columns (producer, its instance, its age) become what is shortest to write. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/packing.h"

uint32_t *pack_copy(const uint32_t *words, uint32_t count)
{
    uint32_t *copy = memory_zero(count, sizeof *copy);
    memcpy(copy, words, count * sizeof *copy);
    return copy;
}

uint32_t *pack_column(const pack_work *w, uint32_t at)
{
    uint32_t *column = memory_zero(w->node->count, sizeof *column);
    wet_rows_column(w->reader, w->node->rows, at, column);
    return column;
}

/* Replaces producers by their place in the list of those that occur. */
static void producers_list(packed_edge *edge, uint32_t *words, uint32_t count)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!edge->producer_count || edge->producers[last] != words[i])
            for (last = 0; last < edge->producer_count && edge->producers[last] != words[i]; last++)
                ;
        if (last == edge->producer_count) {
            edge->producers = memory_grow(edge->producers, ++edge->producer_count, sizeof *edge->producers);
            edge->producers[last] = words[i];
        }
        words[i] = last;
    }
}

static bool all_zero(const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (words[i])
            return false;
    return true;
}

/* Instances counted from the address: an array that is filled in order has element and instance in step. */
static uint32_t *in_step(const uint32_t *instances, const uint32_t *addresses, uint32_t count, unsigned shift)
{
    uint32_t *words = memory_zero(count, sizeof *words);
    for (uint32_t i = 0; i < count; i++)
        words[i] = instances[i] - (addresses[i] >> shift);
    return words;
}

/* A producer of an edge: the timestamps of its node, and how many of its executions are past. */
typedef struct past {
    uint32_t count, at;
    wet_cells times;
} past;

/* The place in the list of the producer whose node executed last, up to `time`; WET_NONE: two of them did at once. */
static uint32_t newest_at(const pack_work *w, const packed_edge *edge, past *all, uint32_t time)
{
    uint32_t best = WET_NONE, latest = 0;
    for (uint32_t k = 0; k < edge->producer_count; k++) {
        past *from = edge->producers[k] ? &all[k] : NULL;
        while (from && from->at < from->count && wet_cells_get(w->reader, &from->times, from->at) <= time)
            from->at++;
        uint32_t when = from && from->at ? wet_cells_get(w->reader, &from->times, from->at - 1) : 0;
        if (when > latest || (!from && best == WET_NONE)) {
            latest = when;
            best = k;
        } else if (from && when && when == latest) {
            best = WET_NONE; /* two of one node */
        }
    }
    return best;
}

/* Whether the producer is always that of the list whose node executed last; in this execution too, unless `before`.
 * `which` are places in the list. */
static bool newest_follows(const pack_work *w, const packed_edge *edge, const uint32_t *which, bool before)
{
    past all[PACK_NEWEST_MAX] = {{0}};
    uint32_t count = edge->producer_count;
    const uint32_t *times = w->times;
    if (count > PACK_NEWEST_MAX)
        return false;
    for (uint32_t k = 0; k < count; k++)
        if (edge->producers[k]) {
            const wet_node *from = &w->t->nodes[w->t->producer_node[edge->producers[k]]];
            all[k] = (past){from->count, 0, wet_cells_open(from->rows, 0)};
        }
    bool follows = true;
    for (uint32_t i = 0; i < w->node->count && follows; i++)
        follows = newest_at(w, edge, all, times[i] - before) == which[i];
    for (uint32_t k = 0; k < count; k++)
        wet_cells_close(&all[k].times);
    return follows;
}

/* A way to name the instances. */
typedef struct naming {
    uint32_t *words; /* from malloc */
    uint64_t bytes;  /* about */
    uint8_t mode;
} naming;

/* Keeps the shorter of two ways in `best`. Takes the words over. */
static void naming_try(const pack_work *w, naming *best, uint32_t *words, uint8_t mode)
{
    uint64_t bytes = wet_columns_estimate(&w->out->columns, w->coder, words, w->node->count);
    bool better = !best->words || bytes < best->bytes;
    free(better ? best->words : words);
    if (better)
        *best = (naming){words, bytes, mode};
}

static void when_pack(const pack_work *w, packed_edge *edge, edge_words words, bool later)
{
    uint32_t count = w->node->count;
    naming best = {0};
    naming_try(w, &best, words.ages, WET_AGES);
    for (unsigned shift = 0; words.addresses && shift <= 2 && best.bytes > 16 + count / 32; shift++)
        naming_try(w, &best, in_step(words.instances, words.addresses, count, shift), (uint8_t)(WET_IN_STEP + shift));
    if (best.bytes > 16)
        naming_try(w, &best, words.instances, WET_INSTANCES);
    else
        free(words.instances);
    edge->mode = best.mode;
    edge->when = wet_columns_add(&w->out->columns, w->coder, best.words, count, false, later);
}

/* The column that says which of the producers it is. It is not needed where that follows from the nodes' timestamps. */
static void which_pack(const pack_work *w, packed_edge *edge, uint32_t *words, bool latest, bool before, bool later)
{
    wet_columns *columns = &w->out->columns;
    uint32_t count = w->node->count;
    bool may = latest && edge->producer_count > 1;
    uint32_t *which = may ? pack_copy(words, count) : NULL;
    edge->which = wet_columns_add(columns, w->coder, words, count, false, may || later);
    if (may && wet_columns_whole(columns, edge->which) > 16 + count / 64)
        edge->newest = newest_follows(w, edge, which, before);
    if (may && !later && !edge->newest)
        wet_columns_code(columns, w->coder, edge->which, which);
    free(which);
}

void pack_edge(const pack_work *w, packed_edge *edge, edge_words words, bool later)
{
    uint32_t count = w->node->count;
    producers_list(edge, words.producers, count);
    bool latest = !words.ages || all_zero(words.ages, count);
    which_pack(w, edge, words.producers, latest, !words.ages, later);
    edge->when = WET_NONE;
    edge->mode = WET_LATEST;
    if (!latest) {
        when_pack(w, edge, words, later);
        return;
    }
    free(words.ages);
    free(words.instances);
}

bool pack_edge_waits(const wet_columns *columns, const packed_edge *edge)
{
    return (!edge->newest && wet_columns_waits(columns, edge->which)) ||
           (edge->when != WET_NONE && wet_columns_waits(columns, edge->when));
}

void pack_edge_code(const pack_work *w, const packed_edge *edge, edge_words words)
{
    wet_columns *columns = &w->out->columns;
    packed_edge again = {0};
    producers_list(&again, words.producers, w->node->count); /* in the same order */
    if (!edge->newest)
        wet_columns_code(columns, w->coder, edge->which, words.producers);
    uint32_t *steps = NULL;
    if (edge->when != WET_NONE && edge->mode >= WET_IN_STEP)
        steps = in_step(words.instances, words.addresses, w->node->count, edge->mode - WET_IN_STEP);
    if (edge->when != WET_NONE)
        wet_columns_code(columns, w->coder, edge->when,
                         steps                    ? steps
                         : edge->mode == WET_AGES ? words.ages
                                                  : words.instances);
    free(steps);
    free(again.producers);
    free(words.producers);
    free(words.instances);
    free(words.ages);
}
