/* SPDX-License-Identifier: MIT */
/* For each node, once a slice: what each operation reaches within an execution (node_start). Then for each execution, in the
 * order of time:
 *   1. the operations that belong to the slice because of what was met before: marks, pending, locations, controls
 *   2. what they reach, kept by that set, for mostly it is as it was lately (closure_of)
 *   3. their edges, which may add operations (step_backward, step_forward)
 * How many executions of each node have been met is known all the way: no edge's end is searched for. */
#include "tools/lib/wet/slice.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/search.h"

#define BIT(n) (UINT64_C(1) << (n))
#define CLOSURES 16u /* held for a node */

/* A set of operations of a node and what follows from it. */
typedef struct closure {
    uint64_t key, closed; /* key 0: none */
    uint64_t locations;   /* backward: read from outside; forward: defined last by one of them */
    uint64_t controls;    /* backward */
    uint64_t hits;        /* executions that are not in the counts yet */
} closure;

/* A producer of an edge that leads to the newest of several (backward). */
typedef struct newest {
    uint32_t edge;
    uint64_t operation;
} newest;

typedef struct node {
    uint64_t *reach;           /* of each operation: itself and, backward, what it needs; forward, what needs it */
    uint64_t *outside;         /* of each operation: locations that it reads from outside */
    uint64_t *readers;         /* of each input: operations that read it */
    uint64_t *under;           /* of each control: operations that depend on it */
    uint16_t *first_load;      /* of each operation, and one more */
    uint64_t loads, searching; /* operations that load; those of them whose stores are found by address */
    uint64_t reads, defines;   /* locations */
    uint8_t definers[64];      /* by location: the last operation that defines it */
    uint64_t first;            /* number of its first execution, executions counted node after node */
    uint32_t rank;             /* executions before the time at hand */
    uint32_t last_time;        /* of the execution before (forward) */
    uint64_t pending;          /* operations wanted of the next execution met (backward) */
    newest *newest;            /* (backward) */
    uint32_t newest_count, newest_room;
    bool asked;                         /* perhaps an edge of `newest` is wanted */
    uint64_t live_loads, live_controls; /* with a producer that was ever affected (forward) */
    closure closures[CLOSURES];
} node;

/* An edge of a producer (forward). */
typedef struct consumer {
    uint32_t node, next; /* next: index + 1 */
    uint8_t at;          /* operation that loads, or control */
    bool control;
} consumer;

typedef struct walker {
    wet_file *f;
    wet_slice *slice;
    wet_slice_visit *visit;
    void *context;
    bool forward;
    node *nodes;
    uint64_t *marks;       /* of each execution: operations (backward: wanted; forward: affected) */
    bool *wanted_edges;    /* of those with the newest of several producers (backward) */
    uint8_t *affected;     /* of each producer: some instance of it is affected (forward) */
    uint32_t *consumer_of; /* of each producer: index + 1 (forward) */
    consumer *consumers;
    uint32_t consumer_count, consumer_room;
    uint64_t locations; /* backward: wanted; forward: affected */
    wet_bytes *bytes;   /* the same of memory, where edges are found by address */
} walker;

/* ---- what holds for all executions ---- */

static const wet_operation *operation_of(const wet_file *f, const wet_node *n, uint32_t operation)
{
    return &f->statements[n->statements[n->operation_statement[operation]]]
                .operations[n->operation_in_statement[operation]];
}

/* Local dependences lead from an operation to earlier ones. */
static void reach_make(node *m, const wet_node *n, bool forward)
{
    for (uint32_t o = 0, use = 0; o < n->operation_count; o++) {
        uint64_t needs = n->parent[o] == 255 ? 0 : BIT(n->parent[o]);
        for (; use < n->use_count && n->uses[use].operation == o; use++) {
            const wet_use *u = &n->uses[use];
            if (!u->depends)
                continue;
            if (u->producer != 255) {
                needs |= BIT(u->producer);
            } else {
                m->outside[o] |= BIT(u->loc);
                m->readers[u->input] |= BIT(o);
            }
        }
        m->reads |= m->outside[o];
        m->reach[o] = BIT(o);
        for (uint64_t rest = forward ? 0 : needs; rest; rest &= rest - 1)
            m->reach[o] |= m->reach[__builtin_ctzll(rest)];
        for (uint32_t k = 0; forward && k < o; k++)
            m->reach[k] |= m->reach[k] & needs ? BIT(o) : 0;
    }
}

static void node_start(walker *w, uint32_t number, uint64_t first, uint32_t before)
{
    const wet_file_node *fn = &w->f->nodes[number];
    const wet_node *n = &fn->n;
    node *m = &w->nodes[number];
    m->reach = memory_zero(n->operation_count, sizeof *m->reach);
    m->outside = memory_zero(n->operation_count, sizeof *m->outside);
    m->readers = memory_zero(n->input_count + 1, sizeof *m->readers);
    m->under = memory_zero(n->control_count + 1, sizeof *m->under);
    m->first_load = memory_zero(n->operation_count + 1, sizeof *m->first_load);
    reach_make(m, n, w->forward);
    for (uint32_t o = 0, load = 0; o < n->operation_count; o++) {
        for (; load < n->load_count && n->loads[load].operation == o; load++) {
            m->loads |= BIT(o);
            m->searching |= fn->loads[load].part_count ? 0 : BIT(o);
        }
        m->first_load[o + 1] = (uint16_t)load;
        if (n->parent[o] == 255)
            m->under[n->parent_input[o]] |= BIT(o);
        for (uint64_t rest = operation_of(w->f, n, o)->defines; rest; rest &= rest - 1) {
            m->defines |= rest & -rest;
            m->definers[__builtin_ctzll(rest)] = (uint8_t)o;
        }
    }
    m->first = first;
    m->rank = wet_rank(w->f, number, before);
    m->last_time = w->forward && m->rank ? wet_time(w->f, number, m->rank - 1) : 0;
}

/* The producers of an edge learn of it: backward where it leads to the newest of them, forward always. */
static void edge_note(walker *w, uint32_t number, const wet_edge *edge, uint8_t at, bool control)
{
    for (uint32_t i = 0; i < edge->producer_count && (w->forward || edge->newest != WET_NOBODY); i++) {
        uint32_t producer = edge->producers[i];
        node *m = &w->nodes[w->f->producer_node[producer]];
        if (!producer)
            continue;
        if (w->forward) {
            if (w->consumer_count == w->consumer_room) {
                w->consumer_room = w->consumer_room * 2 + 1024;
                w->consumers = memory_grow(w->consumers, w->consumer_room, sizeof *w->consumers);
            }
            w->consumers[w->consumer_count++] = (consumer){number, w->consumer_of[producer], at, control};
            w->consumer_of[producer] = w->consumer_count;
            continue;
        }
        if (m->newest_count == m->newest_room) {
            m->newest_room = m->newest_room * 2 + 4;
            m->newest = memory_grow(m->newest, m->newest_room, sizeof *m->newest);
        }
        m->newest[m->newest_count++] =
            (newest){edge->newest, BIT(producer - w->f->nodes[w->f->producer_node[producer]].n.base)};
    }
}

static void edges_note(walker *w, uint32_t number)
{
    const wet_file_node *fn = &w->f->nodes[number];
    for (uint32_t k = 0; k < fn->n.control_count; k++)
        edge_note(w, number, &fn->controls[k], (uint8_t)k, true);
    for (uint32_t k = 0; k < fn->n.load_count; k++)
        for (uint32_t part = 0; part < fn->loads[k].part_count; part++)
            edge_note(w, number, &fn->loads[k].parts[part].edge, fn->n.loads[k].operation, false);
}

/* `before`: the executions up to this time are those before the first step. */
static void walker_start(walker *w, wet_file *f, bool forward, uint32_t before)
{
    uint64_t first = 0;
    *w = (walker){.f = f, .forward = forward, .slice = memory_zero(1, sizeof(wet_slice))};
    w->slice->counts = memory_zero(f->static_count + 1, sizeof(uint64_t));
    w->nodes = memory_zero(f->node_count + 1, sizeof *w->nodes);
    w->wanted_edges = memory_zero(f->newest_count + 1, sizeof *w->wanted_edges);
    w->affected = memory_zero(f->producer_count + 1, 1);
    w->consumer_of = memory_zero(f->producer_count + 1, sizeof *w->consumer_of);
    w->bytes = wet_bytes_new();
    for (uint32_t i = 0; i < f->node_count; first += f->nodes[i++].n.count) {
        node_start(w, i, first, before);
        edges_note(w, i);
    }
    w->marks = memory_zero((size_t)first + 1, sizeof *w->marks);
}

/* Adds the executions with a set of operations to the counts. */
static void closure_count(walker *w, uint32_t number, closure *c)
{
    const wet_file *f = w->f;
    const wet_node *n = &f->nodes[number].n;
    uint32_t last = WET_NOBODY;
    for (uint64_t rest = c->hits ? c->closed : 0; rest; rest &= rest - 1) {
        uint32_t index = n->operation_statement[__builtin_ctzll(rest)];
        const wet_statement *s = &f->statements[n->statements[index]];
        if (index == last || f->statics[s->instruction].exception)
            continue;
        last = index;
        w->slice->statements += w->slice->counts[s->instruction] == 0;
        w->slice->counts[s->instruction] += c->hits;
        w->slice->instances += c->hits;
    }
    c->hits = 0;
}

static void walker_end(walker *w)
{
    for (uint32_t i = 0; i < w->f->node_count; i++) {
        node *m = &w->nodes[i];
        for (uint32_t k = 0; k < CLOSURES; k++)
            closure_count(w, i, &m->closures[k]);
        free(m->reach);
        free(m->outside);
        free(m->readers);
        free(m->under);
        free(m->first_load);
        free(m->newest);
    }
    free(w->nodes);
    free(w->marks);
    free(w->wanted_edges);
    free(w->affected);
    free(w->consumer_of);
    free(w->consumers);
    wet_bytes_free(w->bytes);
}

static void closure_make(walker *w, uint32_t number, closure *c, uint64_t key)
{
    const node *m = &w->nodes[number];
    closure_count(w, number, c);
    *c = (closure){.key = key};
    for (uint64_t rest = key; rest; rest &= rest - 1)
        c->closed |= m->reach[__builtin_ctzll(rest)];
    for (uint64_t rest = w->forward ? m->defines : 0; rest; rest &= rest - 1)
        c->locations |= c->closed >> m->definers[__builtin_ctzll(rest)] & 1 ? rest & -rest : 0;
    if (w->forward)
        return;
    for (uint64_t rest = c->closed; rest; rest &= rest - 1)
        c->locations |= m->outside[__builtin_ctzll(rest)];
    for (uint32_t i = 0; i < w->f->nodes[number].n.control_count; i++)
        c->controls |= m->under[i] & c->closed ? BIT(i) : 0;
}

/* `key`: at least one operation. */
static closure *closure_of(walker *w, uint32_t number, uint64_t key)
{
    closure *c = &w->nodes[number].closures[key * UINT64_C(0x9e3779b97f4a7c15) >> 60];
    if (c->key != key)
        closure_make(w, number, c, key);
    return c;
}

/* An execution has these operations in the slice. */
static void hit(walker *w, uint32_t number, uint32_t instance, closure *c)
{
    c->hits++;
    if (w->visit)
        w->visit(w->context, number, instance, c->closed);
}

/* All operations of a statement. */
static uint64_t statement_mask(const wet_node *n, uint32_t statement)
{
    uint64_t mask = 0;
    for (uint32_t o = 0; o < n->operation_count; o++)
        if (n->operation_statement[o] == statement)
            mask |= BIT(o);
    return mask;
}

/* ---- edges ---- */

/* The end of an edge from the execution at hand. */
typedef struct origin {
    uint32_t producer, node, instance; /* producer 0: nobody */
    uint64_t operation;
} origin;

/* The newest of several, this execution included (forward). */
static uint32_t newest_of(const walker *w, const wet_edge *edge, uint32_t number)
{
    uint32_t best = 0, latest = 0;
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        uint32_t from = w->f->producer_node[edge->producers[i]];
        uint32_t when = !edge->producers[i] ? 0 : from == number ? UINT32_MAX : w->nodes[from].last_time;
        if (when > latest || (!edge->producers[i] && !latest)) {
            latest = when;
            best = i;
        }
    }
    return best;
}

static origin origin_of(walker *w, const wet_edge *edge, uint32_t number, uint32_t instance)
{
    wet_file *f = w->f;
    uint32_t choice = edge->which != WET_NOBODY   ? wet_stream_get(f, edge->which, instance)
                      : edge->producer_count == 1 ? 0
                                                  : newest_of(w, edge, number);
    origin o = {choice < edge->producer_count ? edge->producers[choice] : 0, 0, 0, 0};
    f->damaged |= choice >= edge->producer_count;
    if (!o.producer || (w->forward && !w->affected[o.producer]))
        return (origin){0, 0, 0, 0};
    o.node = f->producer_node[o.producer];
    o.operation = BIT(o.producer - f->nodes[o.node].n.base);
    uint32_t word = edge->when == WET_NOBODY ? 0 : wet_stream_get(f, edge->when, instance);
    uint32_t end = o.node == number ? instance + 1 : w->nodes[o.node].rank;
    if (edge->mode == WET_INSTANCES)
        o.instance = word;
    else if (edge->mode >= WET_IN_STEP)
        o.instance = word + (wet_word(f, number, edge->slot, instance) >> (edge->mode - WET_IN_STEP));
    else
        o.instance = end - 1 - word;
    if (o.instance < end)
        return o;
    f->damaged = true;
    return (origin){0, 0, 0, 0};
}

/* ---- backward ---- */

/* The origin of an edge is wanted. Returns operations of this very execution that are. */
static uint64_t want(walker *w, const wet_edge *edge, uint32_t number, uint32_t instance)
{
    wet_file *f = w->f;
    if (edge->newest != WET_NOBODY) { /* the producer met next */
        for (uint32_t i = 0; i < edge->producer_count; i++) {
            uint32_t from = f->producer_node[edge->producers[i]];
            if (edge->producers[i] && from == number)
                return BIT(edge->producers[i] - f->nodes[number].n.base);
            w->nodes[from].asked |= edge->producers[i] != 0;
        }
        w->wanted_edges[edge->newest] = true;
        return 0;
    }
    origin o = origin_of(w, edge, number, instance);
    if (!o.producer)
        return 0;
    if (o.node == number && o.instance == instance)
        return o.operation;
    if (o.node != number && o.instance + 1 == w->nodes[o.node].rank)
        w->nodes[o.node].pending |= o.operation;
    else
        w->marks[w->nodes[o.node].first + o.instance] |= o.operation;
    return 0;
}

/* Wants what the loads of an operation read. */
static uint64_t loads_want(walker *w, uint32_t number, uint32_t instance, uint32_t operation)
{
    const wet_file_node *fn = &w->f->nodes[number];
    const node *m = &w->nodes[number];
    uint64_t here = 0;
    for (uint32_t load = m->first_load[operation]; load < m->first_load[operation + 1]; load++) {
        const wet_load *l = &fn->n.loads[load];
        if (!fn->loads[load].part_count)
            wet_bytes_add(w->bytes, wet_word(w->f, number, l->slot, instance), l->size);
        for (uint32_t part = 0; part < fn->loads[load].part_count; part++)
            here |= want(w, &fn->loads[load].parts[part].edge, number, instance);
    }
    return here;
}

/* Whether a store writes bytes that are wanted; they are not any more. */
static bool takes_bytes(walker *w, uint32_t number, uint32_t operation, uint32_t instance)
{
    uint32_t addresses[FULL_ACCESSES_MAX];
    uint8_t sizes[FULL_ACCESSES_MAX];
    uint32_t count = wet_operation_accesses(w->f, number, operation, instance, addresses, sizes);
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        any |= wet_bytes_take(w->bytes, addresses[i], sizes[i]);
    return any;
}

/* Operations that are wanted through edges to the newest of several. */
static uint64_t newest_wanted(walker *w, node *m)
{
    uint64_t operations = 0;
    m->asked = false;
    for (uint32_t i = 0; i < m->newest_count; i++)
        if (w->wanted_edges[m->newest[i].edge]) {
            w->wanted_edges[m->newest[i].edge] = false;
            operations |= m->newest[i].operation;
        }
    return operations;
}

static void step_backward(walker *w, uint32_t number, uint32_t instance)
{
    const wet_file_node *fn = &w->f->nodes[number];
    node *m = &w->nodes[number];
    m->rank = instance;
    uint64_t wanted = w->marks[m->first + instance] | m->pending, here = w->locations & m->defines,
             searched = fn->searched;
    m->pending = 0;
    if (m->asked)
        wanted |= newest_wanted(w, m);
    for (uint64_t rest = here; rest; rest &= rest - 1)
        wanted |= BIT(m->definers[__builtin_ctzll(rest)]);
    w->locations &= ~here;
    closure *c = wanted ? closure_of(w, number, wanted) : NULL;
    if (c)
        wanted = c->closed;
    /* From the last operation to the first: what is added reaches only earlier ones. */
    for (uint64_t left = ~UINT64_C(0), rest;
         (rest = ((wanted & m->loads) | (wet_bytes_empty(w->bytes) ? 0 : searched)) & left);) {
        uint32_t o = 63 - (uint32_t)__builtin_clzll(rest);
        uint64_t more = searched >> o & 1 && takes_bytes(w, number, o, instance) ? BIT(o) : 0;
        if ((wanted | more) & m->loads & BIT(o))
            more |= loads_want(w, number, instance, o);
        left = BIT(o) - 1;
        if (!(more & ~wanted))
            continue;
        c = closure_of(w, number, wanted | more);
        wanted = c->closed;
    }
    if (!wanted)
        return;
    for (uint64_t rest = c->controls; rest; rest &= rest - 1)
        want(w, &fn->controls[__builtin_ctzll(rest)], number, instance);
    w->locations |= c->locations;
    hit(w, number, instance, c);
}

/* ---- forward ---- */

static bool is_affected(walker *w, const wet_edge *edge, uint32_t number, uint32_t instance, uint64_t here)
{
    origin o = origin_of(w, edge, number, instance);
    if (!o.producer)
        return false;
    if (o.node == number && o.instance == instance)
        return (here & o.operation) != 0;
    return (w->marks[w->nodes[o.node].first + o.instance] & o.operation) != 0;
}

static bool loads_affected(walker *w, uint32_t number, uint32_t instance, uint32_t operation, uint64_t here)
{
    const wet_file_node *fn = &w->f->nodes[number];
    const node *m = &w->nodes[number];
    bool is = false;
    for (uint32_t load = m->first_load[operation]; !is && load < m->first_load[operation + 1]; load++) {
        const wet_load *l = &fn->n.loads[load];
        if (!fn->loads[load].part_count)
            is = wet_bytes_any(w->bytes, wet_word(w->f, number, l->slot, instance), l->size);
        for (uint32_t part = 0; !is && part < fn->loads[load].part_count; part++)
            is = is_affected(w, &fn->loads[load].parts[part].edge, number, instance, here);
    }
    return is;
}

static void store_note(walker *w, uint32_t number, uint32_t operation, uint32_t instance, bool is)
{
    uint32_t addresses[FULL_ACCESSES_MAX];
    uint8_t sizes[FULL_ACCESSES_MAX];
    uint32_t count = wet_operation_accesses(w->f, number, operation, instance, addresses, sizes);
    for (uint32_t i = 0; i < count; i++) {
        if (is)
            wet_bytes_add(w->bytes, addresses[i], sizes[i]);
        else
            wet_bytes_take(w->bytes, addresses[i], sizes[i]);
    }
}

/* Edges from operations that are affected for the first time need be looked at from now on. */
static void producers_note(walker *w, uint32_t number, uint64_t operations)
{
    for (uint64_t rest = operations; rest; rest &= rest - 1) {
        uint32_t producer = w->f->nodes[number].n.base + (unsigned)__builtin_ctzll(rest);
        if (w->affected[producer])
            continue;
        w->affected[producer] = 1;
        for (uint32_t i = w->consumer_of[producer]; i; i = w->consumers[i - 1].next) {
            const consumer *by = &w->consumers[i - 1];
            *(by->control ? &w->nodes[by->node].live_controls : &w->nodes[by->node].live_loads) |= BIT(by->at);
        }
    }
}

static uint64_t close_forward(walker *w, uint32_t number, uint64_t operations, closure **c)
{
    *c = closure_of(w, number, operations);
    producers_note(w, number, (*c)->closed);
    return (*c)->closed;
}

static void step_forward(walker *w, uint32_t number, uint32_t instance, uint32_t time)
{
    const wet_file_node *fn = &w->f->nodes[number];
    node *m = &w->nodes[number];
    uint64_t here = w->marks[m->first + instance];
    closure *c = NULL;
    for (uint32_t i = 0; w->locations & m->reads && i < fn->n.input_count; i++)
        here |= w->locations >> fn->n.inputs[i] & 1 ? m->readers[i] : 0;
    for (uint64_t rest = m->live_controls; rest; rest &= rest - 1) {
        uint32_t i = (unsigned)__builtin_ctzll(rest);
        if (m->under[i] & ~here && is_affected(w, &fn->controls[i], number, instance, 0))
            here |= m->under[i];
    }
    if (here)
        here = close_forward(w, number, here, &c);
    /* From the first operation to the last: what is added reaches only later ones. */
    for (uint64_t left = ~UINT64_C(0);;) {
        bool none = wet_bytes_empty(w->bytes);
        uint64_t loads = (m->live_loads | (none ? 0 : m->searching)) & ~here,
                 stores = fn->searched & (none ? here : ~UINT64_C(0));
        uint64_t rest = (loads | stores) & left;
        if (!rest)
            break;
        uint32_t o = (unsigned)__builtin_ctzll(rest);
        if (loads >> o & 1 && loads_affected(w, number, instance, o, here))
            here = close_forward(w, number, here | BIT(o), &c);
        if (stores >> o & 1)
            store_note(w, number, o, instance, here >> o & 1);
        left = ~UINT64_C(0) << o << 1;
    }
    w->locations &= ~m->defines;
    m->rank = instance + 1;
    m->last_time = time;
    if (!here)
        return;
    w->locations |= c->locations;
    w->marks[m->first + instance] = here;
    hit(w, number, instance, c);
}

wet_slice *wet_slice_run(wet_file *f, wet_instance from, bool forward, wet_slice_visit *visit, void *context)
{
    walker w;
    uint32_t start = wet_time(f, from.node, from.instance), low, size;
    const uint32_t *nodes, *instances;
    if (start > f->time)
        start = 0;
    walker_start(&w, f, forward, forward && start ? start - 1 : start);
    w.visit = visit;
    w.context = context;
    w.marks[w.nodes[from.node].first + from.instance] = statement_mask(&f->nodes[from.node].n, from.statement);
    wet_control *c = forward ? wet_control_new(f, start, f->time, false) : wet_control_new(f, 1, start, true);
    while (start && (size = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = 0; i < size; i++) {
            uint32_t at = forward ? i : size - 1 - i;
            if (nodes[at] == WET_NOBODY)
                f->damaged = true;
            else if (forward)
                step_forward(&w, nodes[at], instances[at], low + at);
            else
                step_backward(&w, nodes[at], instances[at]);
        }
    wet_control_free(c);
    walker_end(&w);
    return w.slice;
}

void wet_slice_free(wet_slice *slice)
{
    free(slice->counts);
    free(slice);
}
