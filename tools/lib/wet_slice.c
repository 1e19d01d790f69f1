/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet_slice.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/memory.h"
#include "tools/lib/wet_control.h"
#include "tools/lib/wet_search.h"

#define BIT(n) (UINT64_C(1) << (n))

typedef struct walker {
    wet_file *f;
    wet_slice *slice;
    wet_slice_visit *visit;
    void *context;
    uint64_t *defines;   /* of each node */
    uint8_t **definers;  /* of each node: by location, the last operation that defines it */
    uint64_t *pending;   /* of each node: operations of its next execution met (backward) */
    uint64_t *marks;     /* of each time: operations (backward: wanted; forward: affected) */
    uint8_t *affected;   /* of each producer: some instance of it is affected (forward) */
    uint64_t locations;  /* backward: wanted; forward: affected */
    wet_bytes *bytes;    /* the same of memory, where edges are found by address */
} walker;

static const wet_statement *statement_of(const wet_file *f, const wet_node *n, uint32_t operation)
{
    return &f->statements[n->statements[n->operation_statement[operation]]];
}

static uint64_t defines_of(const wet_file *f, const wet_node *n, uint32_t operation)
{
    return statement_of(f, n, operation)->operations[n->operation_in_statement[operation]].defines;
}

static void walker_start(walker *w, wet_file *f)
{
    *w = (walker){.f = f, .slice = memory_zero(1, sizeof(wet_slice))};
    w->slice->counts = memory_zero(f->static_count + 1, sizeof(uint64_t));
    w->defines = memory_zero(f->node_count + 1, sizeof *w->defines);
    w->definers = memory_zero(f->node_count + 1, sizeof *w->definers);
    w->pending = memory_zero(f->node_count + 1, sizeof *w->pending);
    w->marks = memory_zero((size_t)f->time + 1, sizeof *w->marks);
    w->affected = memory_zero(f->producer_count + 1, 1);
    w->bytes = wet_bytes_new();
    for (uint32_t i = 0; i < f->node_count; i++) {
        const wet_node *n = &f->nodes[i].n;
        w->definers[i] = memory_zero(64, 1);
        for (uint32_t o = 0; o < n->operation_count; o++)
            for (uint64_t rest = defines_of(f, n, o); rest; rest &= rest - 1) {
                w->defines[i] |= rest & -rest;
                w->definers[i][__builtin_ctzll(rest)] = (uint8_t)o;
            }
    }
}

static void walker_end(walker *w)
{
    for (uint32_t i = 0; i < w->f->node_count; i++)
        free(w->definers[i]);
    free(w->definers);
    free(w->defines);
    free(w->pending);
    free(w->marks);
    free(w->affected);
    wet_bytes_free(w->bytes);
}

/* Adds an execution's operations to the result. */
static void count(walker *w, uint32_t node, uint32_t instance, uint64_t operations)
{
    const wet_file *f = w->f;
    const wet_node *n = &f->nodes[node].n;
    uint32_t last = WET_NOBODY;
    for (uint64_t rest = operations; rest; rest &= rest - 1) {
        uint32_t index = n->operation_statement[__builtin_ctzll(rest)];
        const wet_statement *s = &f->statements[n->statements[index]];
        if (index == last || f->statics[s->instruction].exception)
            continue;
        last = index;
        w->slice->statements += w->slice->counts[s->instruction]++ == 0;
        w->slice->instances++;
    }
    if (w->visit)
        w->visit(w->context, node, instance, operations);
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

/* ---- backward ---- */

/* The origin of an edge is wanted. Returns operations of this very execution that are. */
static uint64_t want(walker *w, const wet_edge *edge, uint32_t node, uint32_t instance, uint32_t time)
{
    wet_file *f = w->f;
    bool latest = edge->when == WET_NOBODY;
    if (latest) {
        uint32_t producer = wet_edge_producer(f, edge, node, instance, time);
        if (!producer)
            return 0;
        uint32_t from = f->producer_node[producer];
        uint64_t bit = BIT(producer - f->nodes[from].n.base);
        if (from == node)
            return bit;
        w->pending[from] |= bit;
        return 0;
    }
    wet_origin origin = wet_edge_origin(f, edge, node, instance, time);
    if (!origin.producer)
        return 0;
    uint32_t from = f->producer_node[origin.producer];
    uint64_t bit = BIT(origin.producer - f->nodes[from].n.base);
    if (from == node && origin.instance == instance)
        return bit;
    uint32_t when = wet_time(f, from, origin.instance);
    if (when < time)
        w->marks[when] |= bit;
    else
        f->damaged = true;
    return 0;
}

/* Wants the stores of a load that are found by address. */
static void want_bytes(walker *w, uint32_t node, uint32_t load, uint32_t instance)
{
    const wet_load *l = &w->f->nodes[node].n.loads[load];
    wet_bytes_add(w->bytes, wet_word(w->f, node, l->slot, instance), l->size);
}

/* Whether a store writes bytes that are wanted; they are not any more. */
static bool takes_bytes(walker *w, uint32_t node, uint32_t operation, uint32_t instance)
{
    uint32_t addresses[FULL_ACCESSES_MAX];
    uint8_t sizes[FULL_ACCESSES_MAX];
    if (wet_bytes_empty(w->bytes))
        return false;
    uint32_t count = wet_operation_accesses(w->f, node, operation, instance, addresses, sizes);
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        any |= wet_bytes_take(w->bytes, addresses[i], sizes[i]);
    return any;
}

/* Everything that the wanted operations of an execution depend on; from the last operation to the first, for local
 * dependences lead to earlier ones. The locations wanted before it are added to `before`. */
static uint64_t close_backward(walker *w, uint32_t node, uint32_t instance, uint32_t time, uint64_t wanted,
                               uint64_t *before)
{
    const wet_file_node *fn = &w->f->nodes[node];
    const wet_node *n = &fn->n;
    uint32_t use = n->use_count, load = n->load_count;
    uint64_t controls = 0;
    for (uint32_t o = n->operation_count; o-- > 0;) {
        if (fn->searched >> o & 1 && takes_bytes(w, node, o, instance))
            wanted |= BIT(o);
        bool is = wanted >> o & 1;
        for (; use > 0 && n->uses[use - 1].operation == o; use--) {
            const wet_use *u = &n->uses[use - 1];
            if (!is || !u->depends)
                continue;
            if (u->producer == 255)
                *before |= BIT(u->loc);
            else
                wanted |= BIT(u->producer);
        }
        for (; load > 0 && n->loads[load - 1].operation == o; load--) {
            if (is && !fn->loads[load - 1].part_count)
                want_bytes(w, node, load - 1, instance);
            for (uint32_t part = 0; is && part < fn->loads[load - 1].part_count; part++)
                wanted |= want(w, &fn->loads[load - 1].parts[part].edge, node, instance, time);
        }
        if (!is)
            continue;
        if (n->parent[o] != 255)
            wanted |= BIT(n->parent[o]);
        else
            controls |= BIT(n->parent_input[o] & 63);
    }
    for (; controls; controls &= controls - 1)
        want(w, &fn->controls[__builtin_ctzll(controls)], node, instance, time);
    return wanted;
}

static void step_backward(walker *w, uint32_t node, uint32_t instance, uint32_t time)
{
    uint64_t wanted = w->marks[time] | w->pending[node], here = w->locations & w->defines[node];
    bool stores = w->f->nodes[node].searched && !wet_bytes_empty(w->bytes);
    if (!wanted && !here && !stores)
        return;
    w->pending[node] = 0;
    for (uint64_t rest = here; rest; rest &= rest - 1)
        wanted |= BIT(w->definers[node][__builtin_ctzll(rest)]);
    w->locations &= ~here;
    uint64_t before = 0;
    wanted = close_backward(w, node, instance, time, wanted, &before);
    w->locations |= before;
    if (wanted)
        count(w, node, instance, wanted);
}

/* ---- forward ---- */

static bool is_affected(walker *w, const wet_edge *edge, uint32_t node, uint32_t instance, uint32_t time, uint64_t here)
{
    wet_file *f = w->f;
    uint32_t producer = wet_edge_producer(f, edge, node, instance, time);
    if (!producer)
        return false;
    uint32_t from = f->producer_node[producer];
    uint64_t bit = BIT(producer - f->nodes[from].n.base);
    if (!w->affected[producer] && !(from == node && here & bit))
        return false;
    wet_origin origin = wet_edge_origin(f, edge, node, instance, time);
    if (!origin.producer)
        return false;
    if (from == node && origin.instance == instance)
        return (here & bit) != 0;
    return (w->marks[wet_time(f, from, origin.instance)] & bit) != 0;
}

static bool reads_affected(walker *w, uint32_t node, uint32_t load, uint32_t instance)
{
    const wet_load *l = &w->f->nodes[node].n.loads[load];
    return !wet_bytes_empty(w->bytes) && wet_bytes_any(w->bytes, wet_word(w->f, node, l->slot, instance), l->size);
}

static void store_affected(walker *w, uint32_t node, uint32_t operation, uint32_t instance, bool is)
{
    uint32_t addresses[FULL_ACCESSES_MAX];
    uint8_t sizes[FULL_ACCESSES_MAX];
    if (!is && wet_bytes_empty(w->bytes))
        return;
    uint32_t count = wet_operation_accesses(w->f, node, operation, instance, addresses, sizes);
    for (uint32_t i = 0; i < count; i++) {
        if (is)
            wet_bytes_add(w->bytes, addresses[i], sizes[i]);
        else
            wet_bytes_take(w->bytes, addresses[i], sizes[i]);
    }
}

static uint64_t close_forward(walker *w, uint32_t node, uint32_t instance, uint32_t time, uint64_t here)
{
    const wet_file_node *fn = &w->f->nodes[node];
    const wet_node *n = &fn->n;
    uint32_t use = 0, load = 0;
    uint8_t control[WET_OPERATIONS_MAX];
    memset(control, 2, sizeof control);
    for (uint32_t o = 0; o < n->operation_count; o++) {
        bool is = here >> o & 1;
        for (; use < n->use_count && n->uses[use].operation == o; use++) {
            const wet_use *u = &n->uses[use];
            if (u->depends)
                is |= u->producer == 255 ? w->locations >> u->loc & 1 : here >> u->producer & 1;
        }
        for (; load < n->load_count && n->loads[load].operation == o; load++) {
            if (!is && !fn->loads[load].part_count)
                is = reads_affected(w, node, load, instance);
            for (uint32_t part = 0; !is && part < fn->loads[load].part_count; part++)
                is = is_affected(w, &fn->loads[load].parts[part].edge, node, instance, time, here);
        }
        if (!is && n->parent[o] != 255)
            is = here >> n->parent[o] & 1;
        if (!is && n->parent[o] == 255) {
            uint8_t *c = &control[n->parent_input[o] & 63];
            if (*c == 2)
                *c = is_affected(w, &fn->controls[n->parent_input[o]], node, instance, time, 0);
            is = *c;
        }
        if (is)
            here |= BIT(o);
        if (fn->searched >> o & 1)
            store_affected(w, node, o, instance, is);
    }
    return here;
}

static void step_forward(walker *w, uint32_t node, uint32_t instance, uint32_t time)
{
    const wet_node *n = &w->f->nodes[node].n;
    uint64_t here = close_forward(w, node, instance, time, w->marks[time]);
    for (uint64_t rest = w->defines[node]; rest; rest &= rest - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(rest);
        if (here >> w->definers[node][loc] & 1)
            w->locations |= BIT(loc);
        else
            w->locations &= ~BIT(loc);
    }
    w->marks[time] = here;
    for (uint64_t rest = here; rest; rest &= rest - 1)
        w->affected[n->base + (unsigned)__builtin_ctzll(rest)] = 1;
    if (here)
        count(w, node, instance, here);
}

wet_slice *wet_slice_run(wet_file *f, wet_instance from, bool forward, wet_slice_visit *visit, void *context)
{
    walker w;
    uint32_t start = wet_time(f, from.node, from.instance), low, size;
    const uint32_t *nodes, *instances;
    walker_start(&w, f);
    w.visit = visit;
    w.context = context;
    if (start > f->time)
        start = 0;
    w.marks[start] = statement_mask(&f->nodes[from.node].n, from.statement);
    wet_control *c = forward ? wet_control_new(f, start, f->time, false) : wet_control_new(f, 1, start, true);
    while (start && (size = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = 0; i < size; i++) {
            uint32_t at = forward ? i : size - 1 - i;
            if (nodes[at] == WET_NOBODY)
                continue;
            if (forward)
                step_forward(&w, nodes[at], instances[at], low + at);
            else
                step_backward(&w, nodes[at], instances[at], low + at);
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
