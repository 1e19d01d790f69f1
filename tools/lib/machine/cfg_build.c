/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/cfg_control.h"
#include "tools/lib/machine/decode_in.h"

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
    free(g->returns);
    free(g->switches);
    free(g->slots);
    free(g->before_first);
    free(g->before);
    free(g);
}

/* ---- procedures ---- */

static void starts_sort(cfg *g)
{
    uint32_t kept = 0;
    cfg_add_start(g, 0);
    qsort(g->starts, g->start_count, sizeof *g->starts, cfg_number_order);
    for (uint32_t i = 0; i < g->start_count; i++)
        if (!kept || g->starts[kept - 1] != g->starts[i])
            g->starts[kept++] = g->starts[i];
    g->start_count = kept;
    g->branches = memory_zero(kept, sizeof *g->branches);
}

/* ---- calls that do not come back ---- */

static bool is_among(const uint32_t *numbers, uint32_t count, uint32_t number)
{
    return bsearch(&number, numbers, count, sizeof number, cfg_number_order) != NULL;
}

/* The callees of the calls that came back after themselves, or of those that did not; ascending. */
static uint32_t callees(const cfg *g, bool after, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->return_count; i++) {
        const thumb_insn *call = &g->vertices[cfg_vertex_at(g, g->returns[i].from)].insn;
        if ((g->returns[i].to == call->pc + call->size) == after)
            out[count++] = call->target;
    }
    qsort(out, count, sizeof *out, cfg_number_order);
    return count;
}

static void switches_find(cfg *g)
{
    uint32_t *ordinary = memory_zero(g->return_count, sizeof *ordinary);
    uint32_t ordinary_count = callees(g, true, ordinary), count;
    g->switches = memory_zero(g->return_count, sizeof *g->switches);
    count = callees(g, false, g->switches);
    for (uint32_t i = 0; i < count; i++)
        if (!is_among(ordinary, ordinary_count, g->switches[i]))
            g->switches[g->switch_count++] = g->switches[i];
    for (uint32_t i = 0; i < g->return_count; i++) {
        const thumb_insn *call = &g->vertices[cfg_vertex_at(g, g->returns[i].from)].insn;
        if (is_among(g->switches, g->switch_count, call->target))
            cfg_add_way(g, call->pc, g->returns[i].to);
    }
    free(ordinary);
}

/* A call whose condition fails goes on after itself wherever its callee comes back. */
static bool falls(const cfg *g, const thumb_insn *insn)
{
    return insn->falls && !(insn->flow == THUMB_CALL && insn->condition == THUMB_ALWAYS &&
                            is_among(g->switches, g->switch_count, insn->target));
}

/* ---- instructions that did not execute ---- */

/* Decodes on from a way that leads to unknown code, within the procedure, until known code or a way out. */
static void decode_on(cfg *g, uint32_t pc)
{
    uint32_t procedure = cfg_procedure(g, pc);
    uint8_t conditions[4]; /* that an IT gives the instructions after it */
    int left = 0, given = 0;
    while (cfg_procedure(g, pc) == procedure && cfg_vertex_at(g, pc) == CFG_NONE) {
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
        if (!thumb_decode_in(&insn, g->im, pc, bytes, size, condition))
            return;
        int count = thumb_it((uint16_t)(bytes[0] | bytes[1] << 8), conditions);
        if (count) {
            left = count;
            given = 0;
        }
        cfg_add(g, &insn);
        pc += size;
        if (!falls(g, &insn))
            return;
    }
}

/* ---- ways ---- */

static void ways_static(cfg *g, cfg_vertex *v)
{
    const thumb_insn *insn = &v->insn;
    if (insn->flow == THUMB_BRANCH)
        cfg_way_push(g, v, insn->target);
    if (insn->flow == THUMB_RETURN)
        cfg_way_push(g, v, UINT32_MAX);
    if (falls(g, insn))
        cfg_way_push(g, v, insn->pc + insn->size);
}

/* Vertices are added while it runs. */
static void reach(cfg *g)
{
    for (uint32_t v = 0; v < g->count; v++) {
        thumb_insn insn = g->vertices[v].insn;
        uint32_t procedure = cfg_procedure(g, insn.pc), next = insn.pc + insn.size;
        if (insn.flow == THUMB_BRANCH && cfg_procedure(g, insn.target) == procedure)
            decode_on(g, insn.target);
        if (falls(g, &insn) && cfg_procedure(g, next) == procedure)
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
        uint32_t from = cfg_vertex_at(g, g->ways[i].from);
        if (from != CFG_NONE)
            cfg_way_push(g, &g->vertices[from], g->ways[i].to);
    }
    for (uint32_t v = 0; v < g->count; v++) {
        if (!g->vertices[v].way_count)
            cfg_way_push(g, &g->vertices[v], UINT32_MAX);
        if (g->vertices[v].way_count > 1)
            g->vertices[v].branch = g->branches[g->vertices[v].procedure]++;
    }
}

void cfg_finish(cfg *g)
{
    starts_sort(g);
    switches_find(g);
    if (g->im)
        reach(g);
    ways_find(g);
    cfg_dominators_find(g);
    cfg_controls_find(g);
}

cfg_place cfg_at(const cfg *g, uint32_t pc)
{
    uint32_t at = cfg_vertex_at(g, pc);
    if (at == CFG_NONE)
        return (cfg_place){cfg_procedure(g, pc), CFG_NO_BRANCH, NULL, 0};
    const cfg_vertex *v = &g->vertices[at];
    return (cfg_place){v->procedure, v->branch, v->controls, v->control_count};
}
