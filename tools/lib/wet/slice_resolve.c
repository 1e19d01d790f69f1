/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/slice_resolve.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/pages.h"
#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/slice_need.h"
#include "tools/lib/wet/slice_words.h"
#include "tools/lib/wet/tap.h"

#define PAGE_BITS 12
#define BIT(n) (UINT64_C(1) << (n))

/* An edge as it is followed. */
typedef struct edge {
    const wet_edge *edge;
    wet_tap which, when;
    uint32_t address; /* place (slice_words.h), of WET_IN_STEP */
} edge;

/* Memory that an operation accesses. */
typedef struct touch {
    uint32_t address; /* place */
    uint8_t size;
} touch;

/* A load: its edges; or none, and the memory that it reads. */
typedef struct load {
    edge *edges;
    uint32_t count;
    touch touch;
} load;

typedef struct node {
    uint64_t first;         /* number of its first execution, executions counted node after node */
    uint32_t rank;          /* executions met */
    uint32_t last_time;     /* of the last one */
    uint32_t base;          /* number of its first producer */
    uint64_t loads, stores; /* operations that load; those that store what is found by address */
    uint16_t *first_load;   /* of each operation, and one more */
    uint16_t *first_touch;  /* the same */
    edge *controls;
    load *load;
    touch *touches; /* of the operations of `stores` */
} node;

struct slice_resolver {
    wet_file *f;
    uint32_t *needed;
    slice_words *words;
    node *nodes;
    uint32_t *times; /* of each execution that was met */
    pages shadow;    /* of each byte: the target of a link, a uint64_t; 0: nothing wrote it */
};

/* ---- what is the same for all executions of a node ---- */

static edge edge_make(const slice_resolver *r, uint32_t node, const wet_edge *e)
{
    return (edge){e, wet_tap_make(e->which, true), wet_tap_make(e->when, true),
                  wet_edge_wants_address(e) ? slice_words_place(r->words, node, e->slot) : 0};
}

static load load_make(const slice_resolver *r, uint32_t node, uint32_t number)
{
    const wet_file_node *fn = &r->f->nodes[node];
    const wet_load_edge *edges = &fn->loads[number];
    load l = {memory_zero(edges->part_count + 1, sizeof *l.edges), edges->part_count, {0, fn->n.loads[number].size}};
    if (!l.count)
        l.touch.address = slice_words_place(r->words, node, fn->n.loads[number].slot);
    for (uint32_t i = 0; i < l.count; i++)
        l.edges[i] = edge_make(r, node, &edges->parts[i].edge);
    return l;
}

static void loads_make(const slice_resolver *r, uint32_t number)
{
    const wet_file_node *fn = &r->f->nodes[number];
    node *m = &r->nodes[number];
    m->load = memory_zero(fn->n.load_count + 1, sizeof *m->load);
    m->first_load = memory_zero(fn->n.operation_count + 1, sizeof *m->first_load);
    for (uint32_t o = 0, at = 0; o < fn->n.operation_count; o++) {
        for (; at < fn->n.load_count && fn->n.loads[at].operation == o; at++) {
            m->load[at] = load_make(r, number, at);
            m->loads |= BIT(o);
        }
        m->first_load[o + 1] = (uint16_t)at;
    }
}

/* The memory of the stores that are found by address. */
static void touches_make(const slice_resolver *r, uint32_t number)
{
    const wet_file *f = r->f;
    const wet_file_node *fn = &f->nodes[number];
    const wet_node *n = &fn->n;
    node *m = &r->nodes[number];
    uint32_t count = 0;
    m->stores = fn->searched;
    m->touches = memory_zero(n->slot_count + 1, sizeof *m->touches);
    m->first_touch = memory_zero(n->operation_count + 1, sizeof *m->first_touch);
    for (uint32_t o = 0; o < n->operation_count; o++) {
        const wet_statement *s = &f->statements[n->statements[n->operation_statement[o]]];
        for (uint32_t slot = n->slot_first[o];
             m->stores >> o & 1 && slot < n->slot_count && fn->slot_operation[slot] == o; slot++)
            if (fn->slot[slot]->kind == WET_ADDRESS)
                m->touches[count++] =
                    (touch){slice_words_place(r->words, number, slot), s->accesses[fn->slot[slot]->source].size};
        m->first_touch[o + 1] = (uint16_t)count;
    }
}

slice_resolver *slice_resolver_new(wet_file *f)
{
    slice_resolver *r = memory_zero(1, sizeof *r);
    uint64_t first = 0;
    r->f = f;
    r->needed = slice_need_find(f);
    r->words = slice_words_new(f, r->needed);
    r->nodes = memory_zero(f->node_count + 1, sizeof *r->nodes);
    for (uint32_t i = 0; i < f->node_count; first += f->nodes[i++].n.count) {
        const wet_file_node *fn = &f->nodes[i];
        node *m = &r->nodes[i];
        m->first = first;
        m->base = fn->n.base;
        m->controls = memory_zero(fn->n.control_count + 1, sizeof *m->controls);
        for (uint32_t k = 0; k < fn->n.control_count; k++)
            m->controls[k] = edge_make(r, i, &fn->controls[k]);
        loads_make(r, i);
        touches_make(r, i);
    }
    pages_init(&r->shadow, 1u << (32 - PAGE_BITS));
    r->times = memory_table((size_t)first + 1, sizeof *r->times);
    return r;
}

void slice_resolver_free(slice_resolver *r)
{
    for (uint32_t i = 0; i < r->f->node_count; i++) {
        node *m = &r->nodes[i];
        for (uint32_t k = 0; k < r->f->nodes[i].n.load_count; k++)
            free(m->load[k].edges);
        free(m->load);
        free(m->controls);
        free(m->touches);
        free(m->first_load);
        free(m->first_touch);
    }
    pages_free(&r->shadow);
    slice_words_free(r->words);
    free(r->needed);
    free(r->nodes);
    free(r->times);
    free(r);
}

/* ---- where an edge leads: the target of a link; 0: none ---- */

/* The newest of several, this execution included. */
static uint32_t newest_of(const slice_resolver *r, const wet_edge *e, uint32_t number)
{
    uint32_t best = 0, latest = 0;
    for (uint32_t i = 0; i < e->producer_count; i++) {
        uint32_t from = r->f->producer_node[e->producers[i]];
        uint32_t when = !e->producers[i] ? 0 : from == number ? UINT32_MAX : r->nodes[from].last_time;
        if (when > latest || (!e->producers[i] && !latest)) {
            latest = when;
            best = i;
        }
    }
    return best;
}

static uint32_t choice_of(slice_resolver *r, edge *by, uint32_t number, uint32_t instance)
{
    if (by->edge->which != WET_NONE)
        return wet_tap_get(r->f, &by->which, instance);
    return by->edge->producer_count == 1 ? 0 : newest_of(r, by->edge, number);
}

static uint64_t target_of(slice_resolver *r, edge *by, wet_execution here, const uint32_t *words)
{
    uint32_t number = here.node, instance = here.instance;
    wet_file *f = r->f;
    const wet_edge *e = by->edge;
    uint32_t choice = choice_of(r, by, number, instance), at;
    uint32_t producer = choice < e->producer_count ? e->producers[choice] : 0;
    f->damaged |= choice >= e->producer_count;
    if (!producer)
        return 0;
    uint32_t from = f->producer_node[producer], word = e->when == WET_NONE ? 0 : wet_tap_get(f, &by->when, instance);
    const node *m = &r->nodes[from];
    uint32_t end = from == number ? instance + 1 : m->rank;
    if (e->mode == WET_INSTANCES)
        at = word;
    else if (e->mode >= WET_IN_STEP)
        at = word + (words[by->address] >> (e->mode - WET_IN_STEP));
    else
        at = end - 1 - word;
    if (at >= end) {
        f->damaged = true;
        return 0;
    }
    uint32_t when = from == number && at == instance ? here.time : r->times[m->first + at];
    return (uint64_t)when << SLICE_OPERATION_BITS | (producer - m->base);
}

/* ---- links ---- */

static uint32_t group_add(slice_log *log, const uint64_t *targets, uint32_t count)
{
    uint64_t at = log->group_count;
    if (at + count >= SLICE_GROUP - 1)
        memory_got(NULL); /* 16 GB of them */
    log->groups = memory_room(log->groups, at + count, &log->group_max, sizeof *log->groups);
    log->groups[log->group_count++] = count;
    for (uint32_t i = 0; i < count; i++)
        log->groups[log->group_count++] = targets[i];
    return SLICE_GROUP | (uint32_t)at;
}

static uint32_t link_of(slice_log *log, uint64_t target, uint32_t time)
{
    if (!target)
        return SLICE_NONE;
    uint32_t distance = time - (uint32_t)(target >> SLICE_OPERATION_BITS);
    if (distance >= SLICE_GROUP >> SLICE_OPERATION_BITS)
        return group_add(log, &target, 1);
    return distance << SLICE_OPERATION_BITS | (target & ((1u << SLICE_OPERATION_BITS) - 1));
}

static uint64_t shadow_get(const slice_resolver *r, uint32_t address)
{
    const uint64_t *page = r->shadow.all[address >> PAGE_BITS];
    return page ? page[address & ((1u << PAGE_BITS) - 1)] : 0;
}

static void shadow_set(slice_resolver *r, uint32_t address, uint64_t target)
{
    uint64_t *page = pages_take(&r->shadow, address >> PAGE_BITS, 1u << PAGE_BITS, sizeof *page);
    page[address & ((1u << PAGE_BITS) - 1)] = target;
}

/* A load whose stores are found by address: mostly one store wrote all its bytes. */
static uint32_t bytes_link(const slice_resolver *r, slice_log *log, const touch *t, const uint32_t *words,
                           uint32_t time)
{
    uint64_t targets[8];
    uint32_t address = words[t->address], count = 0;
    for (unsigned i = 0; i < t->size && i < 8; i++) {
        uint64_t target = shadow_get(r, address + i);
        if (target && (!count || targets[count - 1] != target))
            targets[count++] = target;
    }
    return count > 1 ? group_add(log, targets, count) : link_of(log, count ? targets[0] : 0, time);
}

static uint32_t *loads_link(slice_resolver *r, slice_log *log, load *l, wet_execution at, const uint32_t *words,
                            uint32_t *out)
{
    if (!l->count)
        *out++ = bytes_link(r, log, &l->touch, words, at.time);
    for (uint32_t k = 0; k < l->count; k++)
        *out++ = link_of(log, target_of(r, &l->edges[k], at, words), at.time);
    return out;
}

static void stores_note(slice_resolver *r, const node *m, uint32_t operation, uint32_t time, const uint32_t *words)
{
    uint64_t target = (uint64_t)time << SLICE_OPERATION_BITS | operation;
    for (uint32_t i = m->first_touch[operation]; i < m->first_touch[operation + 1]; i++) {
        uint32_t address = words[m->touches[i].address];
        for (unsigned k = 0; k < m->touches[i].size; k++)
            shadow_set(r, address + k, target);
    }
}

const uint32_t *slice_resolver_needs(const slice_resolver *r)
{
    return r->needed;
}

void slice_resolve(slice_resolver *r, slice_log *log, uint32_t number, uint32_t instance, uint32_t time, uint32_t *out)
{
    node *m = &r->nodes[number];
    wet_execution at = {number, instance, time};
    const uint32_t *words = slice_words_next(r->words, number, instance);
    for (uint32_t k = 0; k < r->f->nodes[number].n.control_count; k++)
        *out++ = link_of(log, target_of(r, &m->controls[k], at, words), time);
    for (uint64_t rest = m->loads | m->stores; rest; rest &= rest - 1) {
        uint32_t o = (unsigned)__builtin_ctzll(rest);
        for (uint32_t i = m->first_load[o]; i < m->first_load[o + 1]; i++)
            out = loads_link(r, log, &m->load[i], at, words, out);
        if (m->stores >> o & 1)
            stores_note(r, m, o, time, words);
    }
    r->times[m->first + instance] = time;
    m->rank = instance + 1;
    m->last_time = time;
}
