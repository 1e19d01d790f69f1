/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/data.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/report/data_kept.h"
#include "tools/lib/report/machine.h"
#include "tools/lib/report/sections.h"
#include "tools/lib/report/sentence.h"

enum {
    LEVEL_STEP = 2, /* each level has a quarter of the bins of the one before */
    LEVELS = 3,
    PARTS_SHOWN = 8,        /* of a bin */
    PARTS_MOST = 2048 * 6,  /* of the finest level: bins are joined until there are fewer */
    HEAT_MOST = 150 * 1024, /* cells of its finest level, likewise */
    GAPS_SHOWN = 200
};

/* ---- functions and the tree of calls ---- */

static void put_functions(const report_data *d, json *j)
{
    json_array(j, "functions");
    for (size_t i = 0; i < d->shown; i++) {
        const function_cost *f = &d->all->all[d->order[i]];
        json_array(j, NULL);
        json_string(j, NULL, f->name);
        json_string(j, NULL, f->place.file ? f->place.file : "");
        json_integer(j, NULL, f->place.line);
        json_integer(j, NULL, (int64_t)f->calls);
        json_integer(j, NULL, (int64_t)f->self);
        json_integer(j, NULL, (int64_t)f->inclusive);
        if (f->whole) {
            json_integer(j, NULL, (int64_t)f->min);
            json_real(j, NULL, (double)f->whole_sum / (double)f->whole);
            json_integer(j, NULL, (int64_t)f->max);
        }
        json_end_array(j);
    }
    json_end_array(j);
}

/* Microseconds of each function, in the same order: self, inclusive, and, where they are known, least, mean, most. */
static void put_times(const report_data *d, json *j)
{
    json_array(j, "functions");
    for (size_t i = 0; i < d->shown; i++) {
        const function_cost *f = &d->clock->timed->all[d->order[i]];
        json_array(j, NULL);
        json_thousandths(j, NULL, f->self);
        json_thousandths(j, NULL, f->inclusive);
        if (f->whole) {
            json_thousandths(j, NULL, f->min);
            json_thousandths(j, NULL, f->whole_sum / f->whole);
            json_thousandths(j, NULL, f->max);
        }
        json_end_array(j);
    }
    json_end_array(j);
}

/* The time at the end of each bin of instructions, in microseconds. */
static void put_clock(const report_data *d, json *j)
{
    enum { BINS_MOST = 1024 };
    uint32_t bins = report_run_bins(d->run), every = 1;
    uint64_t now = 0;
    while (bins / every > BINS_MOST)
        every *= 2;
    json_object(j, "clock");
    json_string(j, "text", d->clock->text);
    json_thousandths(j, "total", d->clock->total);
    put_times(d, j);
    json_integer(j, "width", (int64_t)((uint64_t)every << d->run->shift));
    json_array(j, "at");
    for (uint32_t i = 0; i < bins; i++) {
        if (d->run->clock[i] > now)
            now = d->run->clock[i];
        if (i % every == every - 1 || i == bins - 1)
            json_thousandths(j, NULL, now);
    }
    json_end_array(j);
    json_end_object(j);
}

static void put_nodes(const report_data *d, const kept_nodes *k, json *j)
{
    json_array(j, "nodes");
    for (uint32_t i = 0; i < k->count; i++) {
        const call_node *node = &d->all->node[k->node[i]];
        json_array(j, NULL);
        json_integer(j, NULL, node->parent ? (int64_t)k->number[node->parent] - 1 : -1);
        json_integer(j, NULL, node->function == FUNCTIONS_NONE ? -1 : (int64_t)k->function[node->function] - 1);
        if (node->function == FUNCTIONS_NONE)
            json_integer(j, NULL, node->context);
        json_end_array(j);
    }
    json_end_array(j);
}

/* ---- levels of time ---- */

static int by_cost(const void *a, const void *b)
{
    const mix_part *x = a, *y = b;
    return x->cost < y->cost ? 1 : x->cost > y->cost ? -1 : (x->node > y->node) - (x->node < y->node);
}

/* The least cost of the parts of a bin that are shown. */
static uint64_t least_shown(const mix *bin)
{
    mix_part sorted[MIXES_PARTS];
    if (bin->count <= PARTS_SHOWN)
        return 0;
    memcpy(sorted, bin->part, sizeof sorted);
    qsort(sorted, bin->count, sizeof *sorted, by_cost);
    return sorted[PARTS_SHOWN - 1].cost;
}

static void put_mix(const mix *bin, const kept_nodes *nodes, kept_paths *paths, json *j)
{
    uint64_t least = least_shown(bin);
    json_array(j, NULL);
    for (uint32_t i = 0; i < bin->count; i++) {
        const mix_part *part = &bin->part[i];
        if (part->cost < least)
            continue;
        json_integer(j, NULL, (int64_t)nodes->number[part->node] - 1);
        json_integer(j, NULL, part->path == UINT32_MAX ? -1 : (int64_t)kept_path_number(paths, part->path));
        json_integer(j, NULL, (int64_t)part->cost);
    }
    json_end_array(j);
}

static uint32_t bins_after(uint32_t bins, unsigned folds)
{
    return (uint32_t)(((uint64_t)bins + (1u << folds) - 1) >> folds);
}

static size_t parts_of(const mix *all, uint32_t bins)
{
    size_t parts = 0;
    for (uint32_t i = 0; i < bins; i++)
        parts += all[i].count < PARTS_SHOWN ? all[i].count : PARTS_SHOWN;
    return parts;
}

/* The levels of one picture: their numbers of folds from the bins of the run. */
static void put_mixes(const report_data *d, const kept_nodes *nodes, kept_paths *paths, unsigned first, json *j)
{
    uint32_t bins = bins_after(report_run_bins(d->run), first);
    unsigned fold = first;
    json_array(j, "mixes");
    for (unsigned level = 0; level < LEVELS; level++) {
        json_object(j, NULL);
        json_real(j, "width", (double)(UINT64_C(1) << (d->run->shift + fold)));
        json_array(j, "bins");
        for (uint32_t i = 0; i < bins; i++)
            put_mix(&d->run->mixes[i], nodes, paths, j);
        json_end_array(j);
        json_end_object(j);
        for (unsigned k = 0; k < LEVEL_STEP; k++, fold++, bins = (bins + 1) / 2)
            mixes_fold(d->run->mixes, RUN_BINS >> fold);
    }
    json_end_array(j);
}

static void put_paths(const report_data *d, const kept_paths *k, json *j)
{
    json_array(j, "paths");
    for (size_t i = 0; i < k->count; i++)
        report_lines_put(d, k->path[i], j);
    json_end_array(j);
}

/* The run as a grammar: terminals [node, path, cost]; rules as lists of symbol, count: 0 and up is a terminal, -1 and
 * down a rule, of which the first is -1. */
static void put_zoom(const report_data *d, const kept_nodes *nodes, kept_paths *paths, json *j)
{
    const zoom *z = &d->run->zoom;
    const grammar *g = z->rules;
    if (!g)
        return;
    json_object(j, "zoom");
    json_array(j, "terminals");
    for (size_t i = 0; i < g->terminal_count; i++) {
        const zoom_terminal *t = &z->terminal[g->terminals[i]];
        json_integer(j, NULL, (int64_t)nodes->number[t->node] - 1);
        json_integer(j, NULL, (int64_t)kept_path_number(paths, t->path));
        json_integer(j, NULL, (int64_t)t->cost);
    }
    json_end_array(j);
    json_array(j, "rules");
    for (size_t r = 0; r < g->rules; r++) {
        json_array(j, NULL);
        for (size_t i = g->start[r]; i < g->start[r + 1]; i++) {
            bool rule = g->symbols[i] & GRAMMAR_RULE;
            json_integer(j, NULL, rule ? -1 - (int64_t)(g->symbols[i] & ~GRAMMAR_RULE) : (int64_t)g->symbols[i]);
            json_integer(j, NULL, (int64_t)grammar_count(g, i));
        }
        json_end_array(j);
    }
    json_end_array(j);
    json_end_object(j);
}

/* Joins bins until their parts are few enough, and notes which nodes are needed. Returns how often they were joined. */
static unsigned choose_mixes(const report_data *d, kept_nodes *nodes)
{
    unsigned fold = 0;
    uint32_t bins = report_run_bins(d->run);
    for (; parts_of(d->run->mixes, bins) > PARTS_MOST; fold++, bins = (bins + 1) / 2)
        mixes_fold(d->run->mixes, RUN_BINS >> fold);
    for (uint32_t i = 0; i < bins; i++)
        for (uint32_t p = 0; p < d->run->mixes[i].count; p++)
            kept_nodes_add(d->all, nodes, d->run->mixes[i].part[p].node);
    return fold;
}

static void put_rows(const report_data *d, const matrix *m, uint32_t rows, unsigned first, json *j)
{
    uint32_t used = report_run_bins(d->run);
    double scale = matrix_scale(matrix_most(m, used, first + (LEVELS - 1) * LEVEL_STEP));
    json_real(j, "scale", scale);
    json_array(j, "levels");
    for (unsigned level = 0; level < LEVELS; level++) {
        unsigned fold = first + level * LEVEL_STEP;
        json_object(j, NULL);
        json_real(j, "width", (double)(UINT64_C(1) << (d->run->shift + fold)));
        json_array(j, "rows");
        for (uint32_t r = 0; r < rows; r++)
            matrix_json(m, r, (matrix_form){used, fold, scale}, j);
        json_end_array(j);
        json_end_object(j);
    }
    json_end_array(j);
}

/* ---- addresses ---- */

static void put_heat_rows(const heat *h, json *j)
{
    static const char *const kinds[] = {"memory", "object", "code", "stack", "device", "rest"};
    json_array(j, "rows");
    for (size_t i = 0; i < heat_rows(h); i++) {
        const heat_row *r = heat_row_at(h, i);
        json_array(j, NULL);
        json_string(j, NULL, r->of.name ? r->of.name : "");
        json_string(j, NULL, kinds[r->of.kind]);
        json_integer(j, NULL, r->low);
        json_integer(j, NULL, r->size);
        json_integer(j, NULL, r->low - r->of.low);
        json_integer(j, NULL, (int64_t)r->loads);
        json_integer(j, NULL, (int64_t)r->stores);
        json_end_array(j);
    }
    json_end_array(j);
}

static void put_heat(const report_data *d, json *j)
{
    const heat *h = d->run->heat;
    uint32_t bins = bins_after(report_run_bins(d->run), 2);
    unsigned first = 0;
    while (bins_after(bins, first) * heat_rows(h) > HEAT_MOST)
        first++;
    json_object(j, "heat");
    json_integer(j, "loads", (int64_t)heat_loads(h));
    json_integer(j, "stores", (int64_t)heat_stores(h));
    put_heat_rows(h, j);
    double scale = matrix_scale(heat_most(h, bins, first + (LEVELS - 1) * LEVEL_STEP));
    json_real(j, "scale", scale);
    json_array(j, "levels");
    for (unsigned level = 0; level < LEVELS; level++) {
        unsigned fold = first + level * LEVEL_STEP;
        json_object(j, NULL);
        json_real(j, "width", (double)(UINT64_C(1) << (d->run->shift + 2 + fold)));
        json_array(j, "rows");
        for (size_t r = 0; r < heat_rows(h); r++)
            heat_json(h, r, (matrix_form){bins, fold, scale}, j);
        json_end_array(j);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}

/* ---- losses ---- */

static void put_losses(const report_data *d, json *j)
{
    char text[300];
    size_t count = d->file ? container_gap_count(d->file) : 0;
    json_object(j, "losses");
    json_integer(j, "gaps", (int64_t)d->gaps);
    json_unsigned(j, "lost", d->lost);
    json_bool(j, "at_least", *d->at_least != 0);
    json_integer(j, "unknown", (int64_t)d->unknown);
    json_bool(j, "cut", d->cut);
    json_bool(j, "mixed", d->mixed);
    json_array(j, "texts");
    for (size_t i = 0; i < count; i++) {
        if (i >= GAPS_SHOWN && !container_gap_is_grave(container_gap_at(d->file, i)->kind))
            continue;
        container_gap_text(container_gap_at(d->file, i), text, sizeof text);
        json_string(j, NULL, text);
    }
    json_end_array(j);
    put_rows(d, &d->run->gaps, 1, 0, j);
    json_end_object(j);
}

void report_data_put(const report_data *d, json *j)
{
    kept_nodes nodes = {0};
    kept_paths paths = {0};
    nodes.number = memory_zero(d->all->node_count + 1, sizeof *nodes.number);
    nodes.node = memory_zero(d->all->node_count + 1, sizeof *nodes.node);
    nodes.function = memory_zero(d->all->count + 1, sizeof *nodes.function);
    for (uint32_t i = 0; i < d->shown; i++)
        nodes.function[d->order[i]] = i + 1;
    unsigned first = choose_mixes(d, &nodes);
    for (uint32_t i = 0; i < d->run->contexts.count; i++)
        kept_nodes_add(d->all, &nodes, d->run->contexts.all[i].deepest_node);
    for (size_t i = 0; d->run->zoom.rules && i < d->run->zoom.count; i++)
        kept_nodes_add(d->all, &nodes, d->run->zoom.terminal[i].node);
    kept_nodes_number(d->all, &nodes);

    json_object(j, NULL);
    json_string(j, "program", d->program);
    json_string(j, "recording", d->recording);
    json_string(j, "unit", "instructions");
    json_bool(j, "probes", d->app != NULL);
    json_integer(j, "total", (int64_t)d->all->total);
    json_integer(j, "more", (int64_t)d->all->more);
    json_integer(j, "estimated", (int64_t)d->all->estimated);
    json_unsigned(j, "lost", d->lost);
    report_sentence_put(d, j);
    put_functions(d, j);
    if (d->clock && d->run->clock)
        put_clock(d, j);
    put_nodes(d, &nodes, j);
    report_contexts_put(d, nodes.number, j);
    put_mixes(d, &nodes, &paths, first, j);
    put_zoom(d, &nodes, &paths, j);
    put_paths(d, &paths, j);
    json_object(j, "activity");
    put_rows(d, &d->run->activity, d->run->contexts.count, 0, j);
    json_end_object(j);
    put_heat(d, j);
    report_hot_put(d, j);
    report_loops_put(d, j);
    report_walks_put(d, j);
    report_stacks_put(d, j);
    report_irqs_put(d, j);
    report_devices_put(d, j);
    if (d->whys)
        whys_put(d->whys, d->sources, j);
    put_losses(d, j);
    json_end_object(j);
    free(nodes.number);
    free(nodes.node);
    free(nodes.function);
    free(paths.path);
    free(paths.slots);
}
