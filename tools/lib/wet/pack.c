/* SPDX-License-Identifier: MIT */
/* Steps: 1. each node's rows become columns, compressed (node_pack; several threads)
 *        2. of the words that could be found by other means, those are dropped that cost much and are found in few steps,
 *           without going in circles (choose_inferred)
 *        3. directory and data are written (file_write). */
#include "tools/lib/wet/pack.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/choice.h"
#include "tools/lib/wet/column.h"
#include "tools/lib/wet/statement.h"

#define COST_MAX 128u    /* steps of finding a word again */
#define HOP_COST 3u      /* of going to another node's execution */
#define SEARCH_BITS 0.25 /* an edge that takes fewer bits each is kept */
#define NEWEST_MAX 12u   /* producers of which the newest is looked for */
#define WORTH_BITS 0.25  /* a word that takes fewer bits each is kept */

/* How a slot can be found without a column of its own. */
enum { STORED, COMPUTED, LOADED };

typedef struct edge_out {
    uint32_t *producers, producer_count;
    uint32_t which, when; /* columns; when: WET_NOBODY where it is always the latest */
    uint8_t mode;         /* WET_AGES ... */
    bool newest;          /* the producer is the one that executed last: `which` is not written */
} edge_out;

typedef struct part_out {
    uint32_t load, byte;
    edge_out edge;
} part_out;

typedef struct node_out {
    wet_columns columns;
    uint32_t times;
    uint32_t *slots; /* columns */
    uint8_t *way;    /* of each slot: STORED, or how it could be found */
    uint16_t *cost;  /* of each slot, as far as it follows from words of the same execution */
    edge_out *inputs, *controls;
    part_out *parts; /* in order of loads; byte 0 first */
    uint32_t part_count;
    bool *dropped;     /* of each slot: it is found by other means */
    uint8_t *searched; /* of each load: its stores are found by address, not named */
} node_out;

typedef struct node_size {
    uint64_t words;
    uint32_t node;
} node_size;

typedef struct packing {
    wet_trace *t;
    node_out *nodes;
    node_size *order; /* of packing: the largest node first, that no thread waits for it */
    atomic_uint next;
    int tier;
} packing;

/* ---- step 1 ---- */

static uint32_t **transpose(const wet_node *node)
{
    uint32_t **columns = memory_zero(node->width, sizeof *columns);
    for (uint32_t w = 0; w < node->width; w++)
        columns[w] = memory_zero(node->count, sizeof **columns);
    for (uint32_t at = 0; at < node->count; at += 256) {
        uint32_t end = node->count - at < 256 ? node->count : at + 256;
        for (uint32_t w = 0; w < node->width; w++)
            for (uint32_t i = at; i < end; i++)
                columns[w][i] = node->rows[(size_t)i * node->width + w];
    }
    return columns;
}

static void *copy_words(const uint32_t *words, uint32_t count)
{
    uint32_t *copy = memory_zero(count, sizeof *copy);
    memcpy(copy, words, count * sizeof *copy);
    return copy;
}

static uint32_t written_column(const wet_columns *columns, uint32_t column)
{
    return columns->all[column].kind[1] == WET_SAME ? columns->all[column].same : column;
}

/* The columns that are written for a column: itself, or the earlier one that is the same, or unique values and pattern.
 * Returns their number. */
static uint32_t written_columns(const wet_columns *columns, uint32_t column, uint32_t written[2])
{
    written[0] = written_column(columns, column);
    if (columns->all[written[0]].kind[1] != WET_PATTERN)
        return 1;
    written[1] = written_column(columns, columns->all[written[0]].pattern);
    written[0] = written_column(columns, columns->all[written[0]].unique);
    return 2;
}

/* What a column takes, also where it is the same as an earlier one, but for what is in `without` (or NULL). */
static uint64_t bytes_without(const wet_columns *columns, uint32_t column, const uint32_t *without)
{
    uint32_t written[2], count = column == WET_NOBODY ? 0 : written_columns(columns, column, written);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += without && without[written[i]] ? 0 : columns->all[written[i]].bytes[1];
    return bytes;
}

static uint64_t whole_bytes(const wet_columns *columns, uint32_t column)
{
    return bytes_without(columns, column, NULL);
}

static bool worth_dropping(const wet_node *node, uint64_t bytes)
{
    return bytes * 8 > node->count * WORTH_BITS + 64;
}

/* Replaces producers by their place in the list of those that occur. */
static void producers_list(edge_out *edge, uint32_t *words, uint32_t count)
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

/* Keeps a way of telling the instances if it is shorter than the one before. Takes the words over. */
static void when_try(edge_out *edge, wet_columns *columns, squeeze_packer *packer, uint32_t *words, uint32_t count,
                     uint8_t mode)
{
    uint32_t column = wet_columns_add(columns, packer, words, count, false);
    if (edge->when != WET_NOBODY && wet_column_bytes(columns, edge->when, 2) <= wet_column_bytes(columns, column, 2))
        return;
    edge->mode = mode;
    edge->when = column;
}

/* Instances counted from the address: an array that is filled in order has element and instance in step. */
static uint32_t *in_step(const uint32_t *instances, const uint32_t *addresses, uint32_t count, unsigned shift)
{
    uint32_t *words = memory_zero(count, sizeof *words);
    for (uint32_t i = 0; i < count; i++)
        words[i] = instances[i] - (addresses[i] >> shift);
    return words;
}

/* Whether the producer is always that of the list whose node executed last; in this execution too, unless `before`.
 * `which` are places in the list. */
static bool newest_follows(const wet_trace *t, const wet_node *node, const edge_out *edge, const uint32_t *which,
                           bool before)
{
    uint32_t count = edge->producer_count, *at = memory_zero(count, sizeof *at);
    bool follows = count <= NEWEST_MAX;
    for (uint32_t i = 0; i < node->count && follows; i++) {
        uint32_t time = node->rows[(size_t)i * node->width] - before, best = WET_NOBODY, latest = 0;
        for (uint32_t k = 0; k < count; k++) {
            const wet_node *from = edge->producers[k] ? &t->nodes[t->producer_node[edge->producers[k]]] : NULL;
            while (from && at[k] < from->count && from->rows[(size_t)at[k] * from->width] <= time)
                at[k]++;
            uint32_t when = from && at[k] ? from->rows[(size_t)(at[k] - 1) * from->width] : 0;
            if (when > latest || (!from && best == WET_NOBODY)) {
                latest = when;
                best = k;
            } else if (from && when && when == latest) {
                best = WET_NOBODY; /* two of one node */
            }
        }
        follows = best == which[i];
    }
    free(at);
    return follows;
}

/* Takes the three columns over. `addresses` of loads; else NULL. No ages: of a register, the latest execution before. */
static void edge_pack(edge_out *edge, wet_columns *columns, squeeze_packer *packer, const wet_trace *t,
                      const wet_node *node, uint32_t *producers, uint32_t *instances, uint32_t *ages,
                      const uint32_t *addresses)
{
    uint32_t count = node->count;
    producers_list(edge, producers, count);
    bool latest = !ages || all_zero(ages, count);
    uint32_t *which = latest ? copy_words(producers, count) : NULL;
    edge->which = wet_columns_add(columns, packer, producers, count, false);
    if (latest && edge->producer_count > 1 && whole_bytes(columns, edge->which) > 16 + count / 64)
        edge->newest = newest_follows(t, node, edge, which, !ages);
    free(which);
    edge->when = WET_NOBODY;
    edge->mode = WET_LATEST;
    if (!ages || all_zero(ages, count)) {
        free(ages);
        free(instances);
        return;
    }
    when_try(edge, columns, packer, ages, count, WET_AGES);
    for (unsigned shift = 0; addresses && shift <= 2 && wet_column_bytes(columns, edge->when, 2) > 16 + count / 32;
         shift++)
        when_try(edge, columns, packer, in_step(instances, addresses, count, shift), count,
                 (uint8_t)(WET_IN_STEP + shift));
    if (wet_column_bytes(columns, edge->when, 2) > 16)
        when_try(edge, columns, packer, instances, count, WET_INSTANCES);
    else
        free(instances);
}

/* Byte 0, and each further byte that ever has another producer. */
static void load_pack(const wet_trace *t, const wet_node *node, node_out *out, squeeze_packer *packer, uint32_t load,
                      uint32_t **column, const uint32_t *addresses)
{
    const wet_load *l = &node->loads[load];
    uint32_t at = wet_row_loads(node) + 3 * load, bytes = 0;
    for (uint32_t i = 0; i < node->part_count; i++)
        if (node->parts[i].load == load)
            bytes |= 1u << node->parts[i].byte;
    out->parts = memory_grow(out->parts, out->part_count + l->size, sizeof *out->parts);
    for (uint32_t byte = 1; byte < l->size; byte++) {
        if (!(bytes >> byte & 1))
            continue;
        uint32_t *three[3];
        for (int k = 0; k < 3; k++)
            three[k] = copy_words(column[at + k], node->count);
        for (uint32_t i = 0; i < node->part_count; i++) {
            const wet_part *p = &node->parts[i];
            if (p->load != load || p->byte != byte)
                continue;
            three[0][p->instance] = p->producer;
            three[1][p->instance] = p->producer_instance;
            three[2][p->instance] = p->age;
        }
        part_out *part = &out->parts[out->part_count++];
        *part = (part_out){.load = load, .byte = byte};
        edge_pack(&part->edge, &out->columns, packer, t, node, three[0], three[1], three[2], addresses);
    }
    part_out *part = &out->parts[out->part_count++];
    *part = (part_out){.load = load, .byte = 0};
    edge_pack(&part->edge, &out->columns, packer, t, node, column[at], column[at + 1], column[at + 2], addresses);
}

static const wet_statement *statement_at(const wet_trace *t, const wet_node *node, uint32_t operation)
{
    return &t->statements[node->statements[node->operation_statement[operation]]];
}

static const thumb_insn *insn_at(const wet_trace *t, const wet_node *node, uint32_t operation)
{
    return &t->statics[statement_at(t, node, operation)->instruction].insn;
}

static uint32_t operation_of_slot(const wet_node *node, uint32_t slot)
{
    uint32_t operation = node->operation_count - 1;
    while (node->slot_first[operation] > slot)
        operation--;
    return operation;
}

/* The only load of an operation, when its register's value is what was loaded; WET_NOBODY: none. */
static uint32_t plain_load(const wet_trace *t, const wet_node *node, uint32_t operation, const wet_slot *slot)
{
    const wet_statement *s = statement_at(t, node, operation);
    const wet_operation *o = &s->operations[node->operation_in_statement[operation]];
    if (slot->kind != WET_VALUE || o->access_count != 1 || s->accesses[o->first_access].store ||
        s->accesses[o->first_access].size > 4 || (o->defines & (o->defines - 1)))
        return WET_NOBODY;
    for (uint32_t i = 0; i < node->load_count; i++)
        if (node->loads[i].operation == operation)
            return i;
    return WET_NOBODY;
}

/* The data and address slots of a producer that is a plain store; false: it is none. */
static bool plain_store(const wet_trace *t, uint32_t producer, const wet_node **node, uint32_t *data, uint32_t *address)
{
    if (!producer)
        return false;
    *node = &t->nodes[t->producer_node[producer]];
    uint32_t operation = producer - (*node)->base;
    const wet_statement *s = statement_at(t, *node, operation);
    const wet_operation *o = &s->operations[(*node)->operation_in_statement[operation]];
    if (o->access_count != 1 || s->accesses[o->first_access].size > 4)
        return false;
    *data = wet_slot_find(*node, t->statements, operation, WET_DATA, 0);
    *address = wet_slot_find(*node, t->statements, operation, WET_ADDRESS, 0);
    return *data != WET_NOBODY;
}

static uint32_t store_size(const wet_trace *t, const wet_node *node, uint32_t producer)
{
    uint32_t operation = producer - node->base;
    const wet_statement *s = statement_at(t, node, operation);
    return s->accesses[s->operations[node->operation_in_statement[operation]].first_access].size;
}

/* Every value loaded is what the store that the edge names has stored. */
static bool load_follows(const wet_trace *t, const wet_node *node, uint32_t load, uint32_t slot, bool sign)
{
    uint32_t at = wet_row_loads(node) + 3 * load, last = 0, data = 0, address = 0, size = 0;
    const wet_node *from = NULL;
    for (uint32_t i = 0; i < node->part_count; i++)
        if (node->parts[i].load == load)
            return false;
    for (uint32_t i = 0; i < node->count; i++) {
        const uint32_t *row = node->rows + (size_t)i * node->width;
        if (row[at] != last || !from) {
            if (!plain_store(t, row[at], &from, &data, &address))
                return false;
            size = store_size(t, from, row[at]);
            last = row[at];
        }
        const uint32_t *store = from->rows + (size_t)row[at + 1] * from->width;
        uint32_t offset = row[1 + node->loads[load].slot] - store[1 + address];
        if (offset + node->loads[load].size > size ||
            wet_load_word(store[1 + data], offset, node->loads[load].size, sign) != row[1 + slot])
            return false;
    }
    return true;
}

/* Whether all that a computed slot reads is in the same execution; and the cost then. */
static bool computed_here(const wet_trace *t, const wet_node *node, const node_out *out, uint32_t operation,
                          const wet_slot *slot, uint32_t *cost)
{
    uint64_t reads = wet_slot_reads(insn_at(t, node, operation), slot, slot->source);
    *cost = 1;
    for (uint32_t i = 0; i < node->use_count; i++) {
        const wet_use *use = &node->uses[i];
        if (use->operation != operation || !(reads >> use->loc & 1))
            continue;
        if (use->producer == 255)
            return false;
        uint32_t from = wet_slot_find(node, t->statements, use->producer, WET_VALUE, use->loc);
        *cost += out->cost[from];
    }
    return *cost <= COST_MAX;
}

static void slot_pack(const wet_trace *t, const wet_node *node, node_out *out, squeeze_packer *packer, uint32_t at,
                      uint32_t *column)
{
    uint32_t operation = operation_of_slot(node, at), cost;
    const wet_slot *slot = wet_slot_at(node, t->statements, operation, at);
    out->cost[at] = 1;
    if (slot->computed && computed_here(t, node, out, operation, slot, &cost)) {
        out->cost[at] = (uint16_t)cost;
        out->way[at] = COMPUTED;
        out->slots[at] = wet_columns_infer(&out->columns);
        free(column);
        return;
    }
    out->slots[at] = wet_columns_add(&out->columns, packer, column, node->count, true);
    if (!worth_dropping(node, whole_bytes(&out->columns, out->slots[at])))
        return;
    uint32_t load = plain_load(t, node, operation, slot);
    if (slot->computed)
        out->way[at] = COMPUTED;
    else if (load != WET_NOBODY && load_follows(t, node, load, at, insn_at(t, node, operation)->sign))
        out->way[at] = LOADED;
}

/* What the edges of a load take. */
static uint64_t load_bytes(const node_out *out, uint32_t load)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < out->part_count; i++)
        if (out->parts[i].load == load)
            bytes += (out->parts[i].edge.newest ? 0 : whole_bytes(&out->columns, out->parts[i].edge.which)) +
                     whole_bytes(&out->columns, out->parts[i].edge.when);
    return bytes;
}

/* Of a load's value and its edges one can be dropped: the value follows from the edge, or the store is found by its
 * address. Where the value is the shorter it stays. */
static void loads_weigh(const wet_trace *t, const wet_node *node, node_out *out)
{
    for (uint32_t i = 0; i < node->slot_count; i++) {
        uint32_t operation = operation_of_slot(node, i);
        if (out->way[i] != LOADED)
            continue;
        uint32_t load = plain_load(t, node, operation, wet_slot_at(node, t->statements, operation, i));
        if (load_bytes(out, load) > whole_bytes(&out->columns, out->slots[i]))
            out->way[i] = STORED;
    }
}

/* Edges that take much and that no value needs are dropped. */
static void loads_search(const wet_trace *t, const wet_node *node, node_out *out)
{
    out->searched = memory_zero(node->load_count + 1, 1);
    for (uint32_t i = 0; i < node->load_count; i++)
        out->searched[i] = load_bytes(out, i) * 8 > node->count * SEARCH_BITS + 512;
    for (uint32_t i = 0; i < node->slot_count; i++) {
        uint32_t operation = operation_of_slot(node, i);
        if (out->way[i] != LOADED || !out->dropped[i])
            continue;
        out->searched[plain_load(t, node, operation, wet_slot_at(node, t->statements, operation, i))] = 0;
    }
}

static void node_pack(packing *p, uint32_t number, squeeze_packer *packer)
{
    const wet_node *node = &p->t->nodes[number];
    node_out *out = &p->nodes[number];
    uint32_t **column = transpose(node), at = 1;
    out->columns.tier = p->tier;
    out->slots = memory_zero(node->slot_count + 1, sizeof *out->slots);
    out->way = memory_zero(node->slot_count + 1, 1);
    out->dropped = memory_zero(node->slot_count + 1, sizeof *out->dropped);
    out->cost = memory_zero(node->slot_count + 1, sizeof *out->cost);
    out->inputs = memory_zero(node->input_count + 1, sizeof *out->inputs);
    out->controls = memory_zero(node->control_count + 1, sizeof *out->controls);
    uint32_t **addresses = memory_zero(node->load_count + 1, sizeof *addresses);
    for (uint32_t i = 0; i < node->load_count; i++)
        addresses[i] = copy_words(column[1 + node->loads[i].slot], node->count);
    out->times = wet_columns_add(&out->columns, packer, column[0], node->count, false);
    for (uint32_t i = 0; i < node->slot_count; i++)
        slot_pack(p->t, node, out, packer, i, column[at++]);
    for (uint32_t i = 0; i < node->input_count; i++)
        edge_pack(&out->inputs[i], &out->columns, packer, p->t, node, column[at++], NULL, NULL, NULL);
    for (uint32_t i = 0; i < node->control_count; i++, at += 3)
        edge_pack(&out->controls[i], &out->columns, packer, p->t, node, column[at], column[at + 1], column[at + 2],
                  NULL);
    for (uint32_t i = 0; i < node->load_count; i++)
        load_pack(p->t, node, out, packer, i, column, addresses[i]);
    for (uint32_t i = 0; i < node->load_count; i++)
        free(addresses[i]);
    free(addresses);
    loads_weigh(p->t, node, out);
    free(column);
    wet_columns_done(&out->columns);
}

static void *pack_thread(void *context)
{
    packing *p = context;
    squeeze_packer *packer = squeeze_packer_new();
    for (uint32_t i; (i = atomic_fetch_add(&p->next, 1)) < p->t->node_count;)
        node_pack(p, p->order[i].node, packer);
    squeeze_packer_free(packer);
    return NULL;
}

static int size_order(const void *a, const void *b)
{
    const node_size *x = a, *y = b;
    return x->words != y->words ? (x->words > y->words ? -1 : 1) : x->node < y->node ? -1 : 1;
}

static void pack_all(packing *p)
{
    p->order = memory_zero(p->t->node_count + 1, sizeof *p->order);
    for (uint32_t i = 0; i < p->t->node_count; i++)
        p->order[i] = (node_size){(uint64_t)p->t->nodes[i].count * p->t->nodes[i].width, i};
    qsort(p->order, p->t->node_count, sizeof *p->order, size_order);
    pthread_t threads[8];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int count = cores < 1 ? 1 : cores > 8 ? 8 : (int)cores;
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, pack_thread, p))
            abort();
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* ---- step 2 ---- */

/* The words that a loaded slot needs: its address, data and address of each store that it ever reads from. */
static void needs_of_load(const packing *p, uint32_t number, uint32_t load, wet_choice *choice)
{
    const wet_trace *t = p->t;
    const wet_node *n = &t->nodes[number], *from;
    const node_out *o = &p->nodes[number];
    uint32_t i = 0, data, address;
    wet_choice_need(choice, 0, n->slot_base + n->loads[load].slot, 0);
    while (o->parts[i].load != load || o->parts[i].byte != 0)
        i++;
    const edge_out *edge = &o->parts[i].edge;
    for (uint32_t use = 1; use <= 2; use++)
        for (uint32_t k = 0; k < edge->producer_count; k++)
            if (plain_store(t, edge->producers[k], &from, &data, &address))
                wet_choice_need(choice, use, from->slot_base + (use == 1 ? data : address), from == n ? 0 : HOP_COST);
}

/* The words that a computed slot needs, through the registers that it reads. */
static void needs_of_computed(const packing *p, uint32_t number, uint32_t operation, const wet_slot *s,
                              wet_choice *choice)
{
    const wet_trace *t = p->t;
    const wet_node *n = &t->nodes[number];
    uint64_t reads = wet_slot_reads(insn_at(t, n, operation), s, s->source);
    for (uint32_t i = 0; i < n->use_count; i++) {
        const wet_use *use = &n->uses[i];
        if (use->operation != operation || !(reads >> use->loc & 1))
            continue;
        const edge_out *edge = use->producer == 255 ? &p->nodes[number].inputs[use->input] : NULL;
        for (uint32_t k = 0; k < (edge ? edge->producer_count : 1); k++) {
            uint32_t producer = edge ? edge->producers[k] : n->base + use->producer;
            const wet_node *from = producer ? &t->nodes[t->producer_node[producer]] : NULL;
            uint32_t slot =
                from ? wet_slot_find(from, t->statements, producer - from->base, WET_VALUE, use->loc) : WET_NOBODY;
            if (slot != WET_NOBODY)
                wet_choice_need(choice, i, from->slot_base + slot, from == n ? 0 : HOP_COST);
        }
    }
}

/* Counts a use of the columns that are written for a column. */
static void column_use(const node_out *out, uint32_t column, uint32_t *uses)
{
    uint32_t written[2];
    for (uint32_t i = written_columns(&out->columns, column, written); i-- > 0;)
        uses[written[i]]++;
}

static void edge_use(const node_out *out, const edge_out *edge, uint32_t *uses)
{
    if (!edge->newest)
        column_use(out, edge->which, uses);
    if (edge->when != WET_NOBODY)
        column_use(out, edge->when, uses);
}

/* How often each column is used by edges, timestamps and the slots with way STORED: to drop another word with it does not
 * save it. */
static uint32_t *uses_of_columns(const wet_node *n, const node_out *out)
{
    uint32_t *uses = memory_zero(out->columns.count + 1, sizeof *uses);
    column_use(out, out->times, uses);
    for (uint32_t i = 0; i < n->slot_count; i++)
        if (out->way[i] == STORED)
            column_use(out, out->slots[i], uses);
    for (uint32_t i = 0; i < n->input_count; i++)
        edge_use(out, &out->inputs[i], uses);
    for (uint32_t i = 0; i < n->control_count; i++)
        edge_use(out, &out->controls[i], uses);
    for (uint32_t i = 0; i < out->part_count; i++)
        edge_use(out, &out->parts[i].edge, uses);
    return uses;
}

static bool has_column(const node_out *out, uint32_t slot)
{
    return out->columns.all[out->slots[slot]].kind[1] != WET_INFERRED;
}

/* The words of a node, in the order of slots. */
static void words_describe(const packing *p, uint32_t number, wet_choice *choice)
{
    const wet_trace *t = p->t;
    const wet_node *n = &t->nodes[number];
    node_out *out = &p->nodes[number];
    uint32_t *uses = uses_of_columns(n, out);
    for (uint32_t i = 0; i < n->slot_count; i++) {
        uint32_t operation = operation_of_slot(n, i);
        const wet_slot *s = wet_slot_at(n, t->statements, operation, i);
        uint64_t bytes = bytes_without(&out->columns, out->slots[i], uses);
        if (out->way[i] == STORED || (has_column(out, i) && !worth_dropping(n, bytes))) {
            out->way[i] = STORED;
            wet_choice_stored(choice);
            continue;
        }
        if (has_column(out, i))
            wet_choice_candidate(choice, bytes);
        else
            wet_choice_found(choice);
        if (out->way[i] == LOADED)
            needs_of_load(p, number, plain_load(t, n, operation, s), choice);
        else
            needs_of_computed(p, number, operation, s, choice);
    }
    free(uses);
}

/* Words stay that the choice lets drop, but for the sake of a column that is written anyhow. */
static void drop(const wet_node *n, node_out *out, const wet_choice *choice)
{
    for (uint32_t i = 0; i < n->slot_count; i++)
        if (!wet_choice_is_found(choice, n->slot_base + i))
            out->way[i] = STORED;
    uint32_t *uses = uses_of_columns(n, out);
    for (uint32_t i = 0; i < n->slot_count; i++) {
        out->dropped[i] = out->way[i] != STORED &&
                          (!has_column(out, i) || worth_dropping(n, bytes_without(&out->columns, out->slots[i], uses)));
        if (!out->dropped[i])
            column_use(out, out->slots[i], uses);
    }
    free(uses);
}

static void choose_inferred(packing *p)
{
    wet_choice *choice = wet_choice_new();
    for (uint32_t i = 0; i < p->t->node_count; i++)
        words_describe(p, i, choice);
    wet_choice_run(choice, COST_MAX);
    for (uint32_t i = 0; i < p->t->node_count; i++) {
        drop(&p->t->nodes[i], &p->nodes[i], choice);
        loads_search(p->t, &p->t->nodes[i], &p->nodes[i]);
    }
    wet_choice_free(choice);
}

/* ---- step 3 ---- */

typedef struct strings {
    squeeze_bytes bytes;
    char **all;
    uint32_t count, room;
} strings;

static uint32_t string_number(strings *s, const char *text)
{
    if (!text)
        return 0;
    for (uint32_t i = s->count; i-- > 0;)
        if (!strcmp(s->all[i], text))
            return i + 1;
    if (s->count == s->room) {
        s->room = s->room * 2 + 64;
        s->all = memory_grow(s->all, s->room, sizeof *s->all);
    }
    s->all[s->count++] = strdup(text);
    squeeze_bytes_varint(&s->bytes, strlen(text));
    squeeze_bytes_add(&s->bytes, text, strlen(text));
    return s->count;
}

static void write_statics(const wet_trace *t, strings *s, squeeze_bytes *out)
{
    squeeze_bytes_varint(out, t->static_count);
    for (uint32_t i = 0; i < t->static_count; i++) {
        const wet_static *w = &t->statics[i];
        squeeze_bytes_varint(out, w->exception);
        if (w->exception) {
            squeeze_bytes_varint(out, w->from);
            squeeze_bytes_varint(out, w->to);
            continue;
        }
        const image_symbol *function = image_function(&t->im->symbols, w->insn.pc);
        const image_line *line = image_line_at(t->im, w->insn.pc);
        squeeze_bytes_varint(out, w->insn.pc);
        squeeze_bytes_varint(out, w->insn.size);
        squeeze_bytes_add(out, w->insn.bytes, w->insn.size);
        squeeze_bytes_varint(out, w->insn.condition);
        squeeze_bytes_varint(out, w->place.procedure);
        squeeze_bytes_varint(out, string_number(s, function ? function->name : NULL));
        squeeze_bytes_varint(out, string_number(s, line ? line->file : NULL));
        squeeze_bytes_varint(out, line ? line->line : 0);
    }
}

static void write_symbols(const wet_trace *t, strings *s, squeeze_bytes *out)
{
    squeeze_bytes_varint(out, t->im->symbols.count);
    for (size_t i = 0; i < t->im->symbols.count; i++) {
        const image_symbol *symbol = &t->im->symbols.all[i];
        squeeze_bytes_varint(out, symbol->address);
        squeeze_bytes_varint(out, symbol->size);
        squeeze_bytes_varint(out, symbol->function);
        squeeze_bytes_varint(out, string_number(s, symbol->name));
    }
}

static void write_statements(const wet_trace *t, squeeze_bytes *out)
{
    squeeze_bytes_varint(out, t->statement_count);
    for (uint32_t i = 0; i < t->statement_count; i++) {
        const wet_statement *s = &t->statements[i];
        squeeze_bytes_varint(out, s->instruction);
        squeeze_bytes_varint(out, s->passed);
        squeeze_bytes_varint(out, s->written);
        squeeze_bytes_varint(out, s->access_count);
        for (uint32_t k = 0; k < s->access_count; k++)
            squeeze_bytes_varint(out, s->accesses[k].size * 2u + s->accesses[k].store);
        for (uint32_t k = 0; k < s->slot_count; k++)
            squeeze_bytes_varint(out, s->slots[k].computed);
    }
}

typedef struct node_writer {
    const wet_columns *columns;
    int tier;
    uint32_t *numbers, next;
    squeeze_bytes *directory, *data;
} node_writer;

static void write_column(node_writer *w, uint32_t column)
{
    wet_column_write(w->columns, column, w->tier, w->numbers, &w->next, w->directory, w->data);
}

static void write_edge(node_writer *w, const edge_out *edge, bool timed)
{
    squeeze_bytes_varint(w->directory, edge->producer_count);
    for (uint32_t i = 0; i < edge->producer_count; i++)
        squeeze_bytes_varint(w->directory, edge->producers[i]);
    squeeze_bytes_varint(w->directory, edge->newest);
    if (!edge->newest)
        write_column(w, edge->which);
    if (!timed)
        return;
    squeeze_bytes_varint(w->directory, edge->mode);
    if (edge->when != WET_NOBODY)
        write_column(w, edge->when);
}

/* All stores that any byte of the load ever comes from. */
static void write_searched(node_writer *w, const node_out *out, uint32_t first, uint32_t end)
{
    uint32_t *producers = NULL, count = 0;
    for (uint32_t i = first; i < end; i++)
        for (uint32_t k = 0; k < out->parts[i].edge.producer_count; k++) {
            uint32_t producer = out->parts[i].edge.producers[k], at = 0;
            while (at < count && producers[at] != producer)
                at++;
            if (at < count || !producer)
                continue;
            producers = memory_grow(producers, count + 1, sizeof *producers);
            producers[count++] = producer;
        }
    squeeze_bytes_varint(w->directory, count);
    for (uint32_t i = 0; i < count; i++)
        squeeze_bytes_varint(w->directory, producers[i]);
    free(producers);
}

static void write_loads(node_writer *w, const wet_node *node, const node_out *out)
{
    uint32_t at = 0;
    for (uint32_t load = 0; load < node->load_count; load++) {
        uint32_t first = at;
        while (at < out->part_count && out->parts[at].load == load)
            at++;
        if (out->searched[load]) {
            squeeze_bytes_varint(w->directory, 0);
            write_searched(w, out, first, at);
            continue;
        }
        squeeze_bytes_varint(w->directory, at - first);
        for (uint32_t i = first; i < at; i++) {
            squeeze_bytes_varint(w->directory, out->parts[i].byte);
            write_edge(w, &out->parts[i].edge, true);
        }
    }
}

static void write_node(const packing *p, uint32_t number, int tier, squeeze_bytes *directory, squeeze_bytes *data)
{
    const wet_node *node = &p->t->nodes[number];
    const node_out *out = &p->nodes[number];
    uint32_t *numbers = memory_grow(NULL, out->columns.count + 1, sizeof *numbers);
    memset(numbers, 0xff, (out->columns.count + 1) * sizeof *numbers);
    node_writer w = {&out->columns, tier, numbers, 0, directory, data};
    squeeze_bytes_varint(directory, node->count);
    squeeze_bytes_varint(directory, node->statement_count);
    for (uint32_t i = 0; i < node->statement_count; i++)
        squeeze_bytes_varint(directory, node->statements[i]);
    squeeze_bytes_varint(directory, (uint32_t)(node->procedure + 1));
    squeeze_bytes_varint(directory, node->control_count);
    squeeze_bytes_add(directory, node->parent, node->operation_count);
    squeeze_bytes_add(directory, node->parent_input, node->operation_count);
    write_column(&w, out->times);
    for (uint32_t i = 0; i < node->slot_count; i++) {
        if (!out->dropped[i]) {
            write_column(&w, out->slots[i]);
            continue;
        }
        squeeze_bytes_varint(directory, WET_INFERRED);
        w.next++;
    }
    for (uint32_t i = 0; i < node->input_count; i++)
        write_edge(&w, &out->inputs[i], false);
    for (uint32_t i = 0; i < node->control_count; i++)
        write_edge(&w, &out->controls[i], true);
    write_loads(&w, node, out);
    free(numbers);
}

/* The bytes of a column that is written, the first time. */
static uint64_t count_column(const node_out *out, uint32_t column, int tier, bool *seen)
{
    const wet_column *c = &out->columns.all[column];
    if (c->kind[tier - 1] == WET_SAME)
        return count_column(out, c->same, tier, seen);
    if (seen[column])
        return 0;
    seen[column] = true;
    if (c->kind[tier - 1] == WET_PATTERN)
        return count_column(out, c->unique, tier, seen) + count_column(out, c->pattern, tier, seen);
    return c->bytes[tier - 1];
}

static uint64_t count_edge(const node_out *out, const edge_out *edge, int tier, bool *seen)
{
    uint64_t bytes = edge->newest ? 0 : count_column(out, edge->which, tier, seen);
    return bytes + (edge->when == WET_NOBODY ? 0 : count_column(out, edge->when, tier, seen));
}

static void sizes_add(const packing *p, uint32_t number, int tier, wet_sizes *sizes)
{
    const wet_node *node = &p->t->nodes[number];
    const node_out *out = &p->nodes[number];
    bool *seen = memory_zero(out->columns.count + 1, sizeof *seen);
    sizes->timestamps += count_column(out, out->times, tier, seen);
    for (uint32_t i = 0; i < node->slot_count; i++)
        sizes->values += out->dropped[i] ? 0 : count_column(out, out->slots[i], tier, seen);
    for (uint32_t i = 0; i < node->input_count; i++)
        sizes->edges += count_edge(out, &out->inputs[i], tier, seen);
    for (uint32_t i = 0; i < node->control_count; i++)
        sizes->edges += count_edge(out, &out->controls[i], tier, seen);
    for (uint32_t i = 0; i < out->part_count; i++)
        if (!out->searched[out->parts[i].load])
            sizes->edges += count_edge(out, &out->parts[i].edge, tier, seen);
    free(seen);
}

static void program_write(const wet_trace *t, int tier, squeeze_bytes *directory)
{
    strings s = {0};
    squeeze_bytes rest = {0};
    write_symbols(t, &s, &rest);
    write_statics(t, &s, &rest);
    write_statements(t, &rest);
    squeeze_bytes_varint(directory, (uint64_t)tier);
    squeeze_bytes_varint(directory, t->time);
    squeeze_bytes_varint(directory, t->executed);
    squeeze_bytes_varint(directory, s.count);
    squeeze_bytes_add(directory, s.bytes.data, s.bytes.size);
    squeeze_bytes_add(directory, rest.data, rest.size);
    squeeze_bytes_varint(directory, t->node_count);
    for (uint32_t i = 0; i < s.count; i++)
        free(s.all[i]);
    free(s.all);
    squeeze_bytes_free(&s.bytes);
    squeeze_bytes_free(&rest);
}

static bool file_write(const packing *p, const char *path, int tier, wet_report *report)
{
    squeeze_bytes plain = {0}, directory = {0}, data = {0};
    program_write(p->t, tier, &plain);
    FILE *file = fopen(path, "wb");
    for (uint32_t i = 0; file && i < p->t->node_count; i++)
        write_node(p, i, tier, &plain, &data);
    squeeze_bytes_add(&directory, NULL, ZSTD_compressBound(plain.size));
    directory.size = ZSTD_compress(directory.data, directory.size, plain.data, plain.size, 12);
    squeeze_bytes_free(&plain);
    uint8_t head[20];
    uint32_t crc = weft_crc32(0, directory.data, directory.size);
    memcpy(head, wet_file_magic, 8);
    for (int i = 0; i < 4; i++)
        head[8 + i] = (uint8_t)(crc >> (8 * i));
    for (int i = 0; i < 8; i++)
        head[12 + i] = (uint8_t)((uint64_t)directory.size >> (8 * i));
    bool good = file != NULL;
    if (good) {
        fwrite(head, 1, sizeof head, file);
        fwrite(directory.data, 1, directory.size, file);
        if (data.size) /* none where every column is a constant */
            fwrite(data.data, 1, data.size, file);
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    report->bytes = sizeof head + directory.size + data.size;
    squeeze_bytes_free(&directory);
    squeeze_bytes_free(&data);
    return good;
}

static void report_make(const packing *p, int tier, wet_report *report)
{
    const wet_trace *t = p->t;
    report->original = (wet_sizes){4 * t->executed, 4 * t->values, 8 * t->dependences, 0};
    for (uint32_t i = 0; i < t->node_count; i++) {
        sizes_add(p, i, 1, &report->tier1);
        sizes_add(p, i, 2, &report->tier2);
    }
    const wet_sizes *own = tier == 1 ? &report->tier1 : &report->tier2;
    uint64_t program = report->bytes - own->timestamps - own->values - own->edges;
    report->tier1.program = report->tier2.program = program;
}

static void packing_free(packing *p)
{
    for (uint32_t i = 0; i < p->t->node_count; i++) {
        node_out *out = &p->nodes[i];
        for (uint32_t k = 0; k < p->t->nodes[i].input_count; k++)
            free(out->inputs[k].producers);
        for (uint32_t k = 0; k < p->t->nodes[i].control_count; k++)
            free(out->controls[k].producers);
        for (uint32_t k = 0; k < out->part_count; k++)
            free(out->parts[k].edge.producers);
        wet_columns_free(&out->columns);
        free(out->slots);
        free(out->way);
        free(out->cost);
        free(out->inputs);
        free(out->controls);
        free(out->parts);
        free(out->dropped);
        free(out->searched);
    }
    free(p->nodes);
    free(p->order);
}

bool wet_pack_write(wet_trace *t, const char *path, int tier, wet_report *report, char *message, size_t message_size)
{
    packing p = {.t = t, .nodes = memory_zero(t->node_count + 1, sizeof(node_out)), .tier = tier};
    *report = (wet_report){0};
    pack_all(&p);
    choose_inferred(&p);
    bool good = file_write(&p, path, tier, report);
    if (!good)
        snprintf(message, message_size, "cannot write '%s': %s", path, strerror(errno));
    report_make(&p, tier, report);
    packing_free(&p);
    return good;
}
