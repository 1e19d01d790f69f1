/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/cfg.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

#define NOBODY UINT32_MAX

typedef struct vertex {
    thumb_insn insn;
    uint32_t procedure, branch;
    uint32_t *ways; /* vertices; the exit is `count` */
    uint32_t way_count;
    uint32_t order;     /* in the postorder of the reversed graph */
    uint32_t dominator; /* immediate post-dominator */
    uint32_t *controls;
    uint32_t control_count;
} vertex;

typedef struct way {
    uint32_t from, to;
} way;

struct cfg {
    const image *im;
    uint32_t *starts; /* ascending, after finish */
    uint32_t start_count;
    size_t start_max;
    uint32_t *branches; /* of each procedure */
    way *ways;
    uint32_t way_count;
    size_t way_max;
    vertex *vertices;
    uint32_t count;
    size_t max;
    uint32_t *slots; /* pc -> vertex + 1, open addressing */
    uint32_t slot_count;
    uint32_t *before_first, *before; /* predecessors, by vertex; the exit last */
};

cfg *cfg_new(const image *im)
{
    cfg *g = memory_zero(1, sizeof *g);
    g->im = im;
    for (size_t i = 0; im && i < im->symbols.count; i++)
        if (im->symbols.all[i].function)
            cfg_add_start(g, im->symbols.all[i].address);
    return g;
}

void cfg_free(cfg *g)
{
    for (uint32_t v = 0; v < g->count; v++) {
        free(g->vertices[v].ways);
        free(g->vertices[v].controls);
    }
    free(g->vertices);
    free(g->starts);
    free(g->branches);
    free(g->ways);
    free(g->slots);
    free(g->before_first);
    free(g->before);
    free(g);
}

void cfg_add_start(cfg *g, uint32_t pc)
{
    g->starts = memory_room(g->starts, g->start_count, &g->start_max, sizeof *g->starts);
    g->starts[g->start_count++] = pc & ~1u;
}

void cfg_add_way(cfg *g, uint32_t from, uint32_t to)
{
    g->ways = memory_room(g->ways, g->way_count, &g->way_max, sizeof *g->ways);
    g->ways[g->way_count++] = (way){from, to};
}

/* ---- vertices by address ---- */

static uint32_t *slot_of(const cfg *g, uint32_t pc)
{
    uint32_t at = pc * 0x9e3779b1u >> 7;
    while (g->slots[at & (g->slot_count - 1)] && g->vertices[g->slots[at & (g->slot_count - 1)] - 1].insn.pc != pc)
        at++;
    return &g->slots[at & (g->slot_count - 1)];
}

static uint32_t vertex_at(const cfg *g, uint32_t pc)
{
    return g->slot_count ? *slot_of(g, pc) - 1 : NOBODY; /* 0 - 1 is NOBODY */
}

static void slots_grow(cfg *g)
{
    free(g->slots);
    g->slot_count = g->slot_count ? g->slot_count * 2 : 1024;
    g->slots = memory_zero(g->slot_count, sizeof *g->slots);
    for (uint32_t v = 0; v < g->count; v++)
        *slot_of(g, g->vertices[v].insn.pc) = v + 1;
}

void cfg_add(cfg *g, const thumb_insn *insn)
{
    if (vertex_at(g, insn->pc) != NOBODY)
        return;
    g->vertices = memory_room(g->vertices, g->count, &g->max, sizeof *g->vertices);
    if (2 * g->count >= g->slot_count)
        slots_grow(g);
    g->vertices[g->count++] = (vertex){.insn = *insn, .branch = CFG_NO_BRANCH};
    *slot_of(g, insn->pc) = g->count;
}

/* ---- procedures ---- */

static int number_order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void starts_sort(cfg *g)
{
    uint32_t kept = 0;
    cfg_add_start(g, 0);
    qsort(g->starts, g->start_count, sizeof *g->starts, number_order);
    for (uint32_t i = 0; i < g->start_count; i++)
        if (!kept || g->starts[kept - 1] != g->starts[i])
            g->starts[kept++] = g->starts[i];
    g->start_count = kept;
    g->branches = memory_zero(kept, sizeof *g->branches);
}

uint32_t cfg_procedure(const cfg *g, uint32_t pc)
{
    uint32_t low = 0, high = g->start_count;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (g->starts[middle] <= pc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t cfg_procedure_start(const cfg *g, uint32_t procedure)
{
    return g->starts[procedure];
}

uint32_t cfg_branches(const cfg *g, uint32_t procedure)
{
    return g->branches[procedure];
}

/* ---- instructions that did not execute ---- */

/* Decodes on from a way that leads to unknown code, within the procedure, until known code or a way out. */
static void decode_on(cfg *g, uint32_t pc)
{
    uint32_t procedure = cfg_procedure(g, pc);
    uint8_t conditions[4]; /* that an IT gives the instructions after it */
    int left = 0, given = 0;
    while (cfg_procedure(g, pc) == procedure && vertex_at(g, pc) == NOBODY) {
        const uint8_t *bytes = image_bytes(g->im, pc, 2);
        thumb_insn insn;
        if (!bytes)
            return;
        unsigned size = thumb_size((uint16_t)(bytes[0] | bytes[1] << 8)), condition = THUMB_ALWAYS;
        if (size == 4 && !(bytes = image_bytes(g->im, pc, 4)))
            return;
        if (left) {
            condition = conditions[given++];
            left--;
        }
        if (!thumb_decode(&insn, pc, bytes, size, condition))
            return;
        int count = thumb_it((uint16_t)(bytes[0] | bytes[1] << 8), conditions);
        if (count) {
            left = count;
            given = 0;
        }
        cfg_add(g, &insn);
        pc += size;
        if (!insn.falls)
            return;
    }
}

/* ---- ways ---- */

static void way_push(cfg *g, vertex *v, uint32_t pc)
{
    uint32_t to = cfg_procedure(g, pc) == v->procedure ? vertex_at(g, pc) : NOBODY;
    if (to == NOBODY)
        to = g->count;
    for (uint32_t i = 0; i < v->way_count; i++)
        if (v->ways[i] == to)
            return;
    v->ways = memory_grow(v->ways, v->way_count + 1, sizeof *v->ways);
    v->ways[v->way_count++] = to;
}

static void ways_static(cfg *g, vertex *v)
{
    const thumb_insn *insn = &v->insn;
    if (insn->flow == THUMB_BRANCH)
        way_push(g, v, insn->target);
    if (insn->flow == THUMB_RETURN)
        way_push(g, v, UINT32_MAX);
    if (insn->falls)
        way_push(g, v, insn->pc + insn->size);
}

/* Vertices are added while it runs. */
static void reach(cfg *g)
{
    for (uint32_t v = 0; v < g->count; v++) {
        thumb_insn insn = g->vertices[v].insn;
        uint32_t procedure = cfg_procedure(g, insn.pc), next = insn.pc + insn.size;
        if (insn.flow == THUMB_BRANCH && cfg_procedure(g, insn.target) == procedure)
            decode_on(g, insn.target);
        if (insn.falls && cfg_procedure(g, next) == procedure)
            decode_on(g, next);
    }
}

static void ways_find(cfg *g)
{
    for (uint32_t v = 0; v < g->count; v++) {
        g->vertices[v].procedure = cfg_procedure(g, g->vertices[v].insn.pc);
        ways_static(g, &g->vertices[v]);
    }
    for (uint32_t i = 0; i < g->way_count; i++) {
        uint32_t from = vertex_at(g, g->ways[i].from);
        if (from != NOBODY)
            way_push(g, &g->vertices[from], g->ways[i].to);
    }
    for (uint32_t v = 0; v < g->count; v++) {
        if (!g->vertices[v].way_count)
            way_push(g, &g->vertices[v], UINT32_MAX);
        if (g->vertices[v].way_count > 1)
            g->vertices[v].branch = g->branches[g->vertices[v].procedure]++;
    }
}

/* ---- post-dominators: Cooper, Harvey & Kennedy 2001, on the reversed graph ---- */

static void before_find(cfg *g)
{
    uint32_t total = 0;
    free(g->before_first);
    free(g->before);
    g->before_first = memory_zero(g->count + 2, sizeof *g->before_first);
    for (uint32_t v = 0; v < g->count; v++)
        for (uint32_t i = 0; i < g->vertices[v].way_count; i++, total++)
            g->before_first[g->vertices[v].ways[i] + 1]++;
    for (uint32_t v = 0; v <= g->count; v++)
        g->before_first[v + 1] += g->before_first[v];
    uint32_t *fill = memory_zero(g->count + 1, sizeof *fill);
    g->before = memory_zero(total + 1, sizeof *g->before);
    for (uint32_t v = 0; v < g->count; v++)
        for (uint32_t i = 0; i < g->vertices[v].way_count; i++) {
            uint32_t to = g->vertices[v].ways[i];
            g->before[g->before_first[to] + fill[to]++] = v;
        }
    free(fill);
}

/* Postorder from the exit backward into `order` (exit last); how many were reached. */
static uint32_t postorder(cfg *g, uint32_t *order)
{
    uint32_t *stack = memory_zero(g->count + 1, sizeof *stack), *next = memory_zero(g->count + 1, sizeof *next);
    uint8_t *seen = memory_zero(g->count + 1, 1);
    uint32_t depth = 0, done = 0;
    stack[depth++] = g->count;
    seen[g->count] = 1;
    while (depth) {
        uint32_t v = stack[depth - 1];
        if (g->before_first[v] + next[v] == g->before_first[v + 1]) {
            order[done++] = v;
            depth--;
            continue;
        }
        uint32_t u = g->before[g->before_first[v] + next[v]++];
        if (!seen[u]) {
            seen[u] = 1;
            stack[depth++] = u;
        }
    }
    for (uint32_t v = 0; v < g->count; v++)
        g->vertices[v].order = NOBODY;
    for (uint32_t i = 0; i < done; i++)
        if (order[i] < g->count)
            g->vertices[order[i]].order = i;
    free(stack);
    free(next);
    free(seen);
    return done;
}

/* Endless loops: the highest vertex that cannot reach the exit gets an edge to it, until all can. The edge makes no
 * branch of it: the number of real ways was counted before. */
static uint32_t exits_complete(cfg *g, uint32_t *order)
{
    for (;;) {
        before_find(g);
        uint32_t reached = postorder(g, order), highest = NOBODY;
        if (reached == g->count + 1)
            return reached;
        for (uint32_t v = 0; v < g->count; v++)
            if (g->vertices[v].order == NOBODY &&
                (highest == NOBODY || g->vertices[v].insn.pc > g->vertices[highest].insn.pc))
                highest = v;
        way_push(g, &g->vertices[highest], UINT32_MAX);
    }
}

static uint32_t common(const cfg *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        uint32_t x = a == g->count ? NOBODY : g->vertices[a].order, y = b == g->count ? NOBODY : g->vertices[b].order;
        if (x < y)
            a = g->vertices[a].dominator;
        else
            b = g->vertices[b].dominator;
    }
    return a;
}

static void dominators_find(cfg *g)
{
    uint32_t *order = memory_zero(g->count + 1, sizeof *order);
    uint32_t reached = exits_complete(g, order);
    for (uint32_t v = 0; v < g->count; v++)
        g->vertices[v].dominator = NOBODY;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = reached - 1; i-- > 0;) {
            vertex *v = &g->vertices[order[i]];
            uint32_t best = NOBODY;
            for (uint32_t k = 0; k < v->way_count; k++) {
                uint32_t to = v->ways[k];
                if (to != g->count && g->vertices[to].dominator == NOBODY)
                    continue;
                best = best == NOBODY ? to : common(g, best, to);
            }
            changed |= best != v->dominator;
            v->dominator = best;
        }
    }
    free(order);
}

/* ---- control dependence ---- */

static void control_add(vertex *v, uint32_t branch)
{
    for (uint32_t i = 0; i < v->control_count; i++)
        if (v->controls[i] == branch)
            return;
    v->controls = memory_grow(v->controls, v->control_count + 1, sizeof *v->controls);
    v->controls[v->control_count++] = branch;
}

static void controls_find(cfg *g)
{
    for (uint32_t v = 0; v < g->count; v++) {
        const vertex *b = &g->vertices[v];
        if (b->branch == CFG_NO_BRANCH)
            continue;
        for (uint32_t i = 0; i < b->way_count; i++)
            for (uint32_t x = b->ways[i]; x != b->dominator && x != g->count; x = g->vertices[x].dominator)
                control_add(&g->vertices[x], b->branch);
    }
    for (uint32_t v = 0; v < g->count; v++)
        if (g->vertices[v].control_count)
            qsort(g->vertices[v].controls, g->vertices[v].control_count, sizeof(uint32_t), number_order);
}

void cfg_finish(cfg *g)
{
    starts_sort(g);
    if (g->im)
        reach(g);
    ways_find(g);
    dominators_find(g);
    controls_find(g);
}

cfg_place cfg_at(const cfg *g, uint32_t pc)
{
    uint32_t at = vertex_at(g, pc);
    if (at == NOBODY)
        return (cfg_place){cfg_procedure(g, pc), CFG_NO_BRANCH, NULL, 0};
    const vertex *v = &g->vertices[at];
    return (cfg_place){v->procedure, v->branch, v->controls, v->control_count};
}
