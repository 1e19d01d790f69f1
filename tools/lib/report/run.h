/* SPDX-License-Identifier: MIT */
/* A run, reduced while it is read to what a page shows: bins of time, rows of addresses, contexts, walks, structure.
 * The reader of the recording calls these. Time is counted in instructions, from 0. Memory does not grow with the
 * run. */
#ifndef WEFT_TOOLS_LIB_REPORT_RUN_H
#define WEFT_TOOLS_LIB_REPORT_RUN_H

#include "tools/lib/profile/functions.h"
#include "tools/lib/report/contexts.h"
#include "tools/lib/report/heat.h"
#include "tools/lib/report/matrix.h"
#include "tools/lib/report/mixes.h"
#include "tools/lib/report/structure.h"
#include "tools/lib/report/walks.h"
#include "tools/lib/report/zoom.h"

enum { RUN_BINS = 4 * HEAT_BINS };

typedef struct report_run {
    unsigned shift; /* a bin of time is 2^shift instructions; one of heat 4 times as long */
    uint64_t time;
    mix *mixes;      /* RUN_BINS */
    uint64_t *clock; /* nanoseconds at the end of each bin, RUN_BINS; NULL: no clock */
    matrix activity; /* instructions, a row for each context, by its index */
    matrix gaps;     /* one row */
    contexts contexts;
    heat *heat;
    walks walks;
    structure structure;
    zoom zoom;
} report_run;

report_run *report_run_new(heat_namer namer);
void report_run_free(report_run *run);

void report_run_enter(report_run *run, uint32_t context);
void report_run_leave(report_run *run, uint32_t context);
/* The context executed `cost` instructions, of a node of the tree of calls, on a path. */
void report_run_spend(report_run *run, uint32_t context, uint32_t node, uint32_t path, uint64_t cost);
/* `site`: UINT32_MAX: not known. */
void report_run_access(report_run *run, uint32_t site, uint32_t address, uint32_t size, bool store);
/* The time by the recording's clock. To be called after report_run_spend. */
void report_run_clock(report_run *run, uint64_t now);
void report_run_gap(report_run *run);
void report_run_end(report_run *run);

/* Bins of time that the run has; at least 1. */
uint32_t report_run_bins(const report_run *run);

#endif
