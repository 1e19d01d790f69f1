/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/cfg_graph.h"

#include <stdlib.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"

void cfg_add_start(cfg *g, uint32_t pc)
{
    g->starts = memory_room(g->starts, g->start_count, &g->start_max, sizeof *g->starts);
    g->starts[g->start_count++] = pc & ~1u;
}

void cfg_add_way(cfg *g, uint32_t from, uint32_t to)
{
    g->ways = memory_room(g->ways, g->way_count, &g->way_max, sizeof *g->ways);
    g->ways[g->way_count++] = (cfg_way){from, to};
}

void cfg_add_return(cfg *g, uint32_t call, uint32_t to)
{
    g->returns = memory_room(g->returns, g->return_count, &g->return_max, sizeof *g->returns);
    g->returns[g->return_count++] = (cfg_way){call, to};
}

static uint32_t *slot_of(const cfg *g, uint32_t pc)
{
    uint32_t at = pc * 0x9e3779b1u >> 7;
    while (g->slots[at & (g->slot_count - 1)] && g->vertices[g->slots[at & (g->slot_count - 1)] - 1].insn.pc != pc)
        at++;
    return &g->slots[at & (g->slot_count - 1)];
}

uint32_t cfg_vertex_at(const cfg *g, uint32_t pc)
{
    return g->slot_count ? *slot_of(g, pc) - 1 : CFG_NONE; /* 0 - 1 is CFG_NONE */
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
    if (cfg_vertex_at(g, insn->pc) != CFG_NONE)
        return;
    g->vertices = memory_room(g->vertices, g->count, &g->max, sizeof *g->vertices);
    if (2 * g->count >= g->slot_count)
        slots_grow(g);
    g->vertices[g->count++] = (cfg_vertex){.insn = *insn, .branch = CFG_NO_BRANCH};
    *slot_of(g, insn->pc) = g->count;
}

int cfg_number_order(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

uint32_t cfg_procedure(const cfg *g, uint32_t pc)
{
    uint32_t begun = (uint32_t)bisect_up_to(g->starts, g->start_count, sizeof *g->starts, 0, pc);
    return begun ? begun - 1 : 0;
}

uint32_t cfg_procedure_start(const cfg *g, uint32_t procedure)
{
    return g->starts[procedure];
}

uint32_t cfg_branches(const cfg *g, uint32_t procedure)
{
    return g->branches[procedure];
}

void cfg_way_push(cfg *g, cfg_vertex *v, uint32_t pc)
{
    uint32_t to = cfg_procedure(g, pc) == v->procedure ? cfg_vertex_at(g, pc) : CFG_NONE;
    if (to == CFG_NONE)
        to = g->count;
    for (uint32_t i = 0; i < v->way_count; i++)
        if (v->ways[i] == to)
            return;
    v->ways = memory_grow(v->ways, v->way_count + 1, sizeof *v->ways);
    v->ways[v->way_count++] = to;
}
