/* SPDX-License-Identifier: MIT */
/* Which lines, branches and functions of a program ran, and how often, from the recorded paths and the descriptors: no
 * counter on the target. Several recordings of the same image add up. Memory grows with the program and the distinct
 * paths.
 *
 * A line counts as gcov counts it: how often control came to its blocks from others, plus the turns of a loop that lies
 * wholly on the line. A block that ends with a choice is a branch; each way out of it has a count.
 *
 *     coverage *all = coverage_new(app);
 *     coverage_feed(all, file, &unread);      for each recording
 *     coverage_finish(all);                   fills the tables
 *     coverage_free(all); */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_H

#include "tools/lib/image/program.h"
#include "tools/lib/profile/coverage_tables.h"
#include "tools/lib/recording/filter.h"

/* app is NULL if coverage_executed (coverage_executed.h) fills the tables. */
coverage *coverage_new(program *app);
/* The same from descriptors alone, which outlive it. */
coverage *coverage_new_of(const descriptors *known);
void coverage_free(coverage *all);
/* False: a path that the program does not have; what came before it is added. wanted: NULL, or only these
 * paths are. *unread: as control_unread. */
bool coverage_feed(coverage *all, const container *file, const event_filter *wanted, uint64_t *unread);
/* One path, `count` times. False: the program does not have it. */
bool coverage_add(coverage *all, uint32_t path, uint64_t count);
void coverage_finish(coverage *all);

#endif
