/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/run.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

enum { HEAT_FOLD = 2, HEAT_SHOWN = 160 };

report_run *report_run_new(heat_namer namer)
{
    report_run *run = memory_zero(1, sizeof *run);
    run->mixes = mixes_new(RUN_BINS);
    run->heat = heat_new(namer);
    matrix_init(&run->activity, RUN_BINS);
    matrix_init(&run->gaps, RUN_BINS);
    matrix_row(&run->gaps);
    structure_begin(&run->structure);
    zoom_begin(&run->zoom);
    return run;
}

void report_run_free(report_run *run)
{
    if (!run)
        return;
    free(run->mixes);
    free(run->clock);
    matrix_free(&run->activity);
    matrix_free(&run->gaps);
    heat_free(run->heat);
    walks_free(&run->walks);
    structure_free(&run->structure);
    zoom_free(&run->zoom);
    contexts_end(&run->contexts);
    free(run);
}

/* A bin in which nothing happened has 0: it gets the time of the one before when the page is written. */
static void fold_clock(uint64_t *clock)
{
    for (unsigned i = 0; clock && i < RUN_BINS; i++) {
        uint64_t first = 2 * i < RUN_BINS ? clock[2 * i] : 0, second = 2 * i < RUN_BINS ? clock[2 * i + 1] : 0;
        clock[i] = second ? second : first;
    }
}

/* Makes the bins so wide that the time has one. */
static void reach(report_run *run, uint64_t time)
{
    for (; time >> run->shift >= RUN_BINS; run->shift++) {
        mixes_fold(run->mixes, RUN_BINS);
        matrix_fold(&run->activity);
        matrix_fold(&run->gaps);
        heat_fold(run->heat);
        fold_clock(run->clock);
    }
}

static uint32_t context_row(report_run *run, uint32_t context)
{
    uint32_t index = contexts_find(&run->contexts, context);
    while (run->activity.rows <= index)
        matrix_row(&run->activity);
    return index;
}

void report_run_enter(report_run *run, uint32_t context)
{
    context_row(run, context);
    contexts_enter(&run->contexts, context);
}

void report_run_leave(report_run *run, uint32_t context)
{
    contexts_leave(&run->contexts, context);
}

void report_run_spend(report_run *run, uint32_t context, uint32_t node, uint32_t path, uint64_t cost)
{
    uint32_t row = context_row(run, context);
    contexts_spend(&run->contexts, row, cost, node, run->time);
    zoom_spend(&run->zoom, node, path, cost);
    reach(run, run->time + cost);
    for (uint64_t left = cost, part; left; left -= part, run->time += part) {
        uint64_t bin = run->time >> run->shift, end = (bin + 1) << run->shift;
        part = left < end - run->time ? left : end - run->time;
        mixes_add(&run->mixes[bin], node, path, part);
        matrix_add(&run->activity, row, bin, part);
    }
}

void report_run_clock(report_run *run, uint64_t now)
{
    if (!run->clock)
        run->clock = memory_zero(RUN_BINS, sizeof *run->clock);
    run->clock[run->time ? (run->time - 1) >> run->shift : 0] = now;
}

void report_run_access(report_run *run, uint32_t site, uint32_t address, uint32_t size, bool store)
{
    heat_access(run->heat, run->time >> run->shift >> HEAT_FOLD, address, size, store);
    if (site != UINT32_MAX)
        walks_access(&run->walks, site, address, size, store);
}

void report_run_gap(report_run *run)
{
    matrix_add(&run->gaps, 0, run->time >> run->shift, 1);
    contexts_gap(&run->contexts);
}

void report_run_end(report_run *run)
{
    heat_finish(run->heat, HEAT_SHOWN);
    structure_end(&run->structure);
    zoom_end(&run->zoom);
}

uint32_t report_run_bins(const report_run *run)
{
    return run->time ? (uint32_t)((run->time - 1) >> run->shift) + 1 : 1;
}
