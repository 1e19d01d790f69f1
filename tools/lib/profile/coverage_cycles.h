/* SPDX-License-Identifier: MIT */
/* The turns of the loops that lie wholly on one line, as gcov counts them: elementary cycles of the nodes of the line,
 * one after the other, each as often as its rarest arc was taken beyond the cycles before it. */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_CYCLES_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_CYCLES_H

#include "tools/lib/profile/coverage_graph.h"

/* Room for one graph, and one line after the other. */
typedef struct coverage_cycles coverage_cycles;

coverage_cycles *coverage_cycles_new(const coverage_graph *g);
void coverage_cycles_free(coverage_cycles *c);
/* nodes: those that end on the line, ascending. */
uint64_t coverage_cycles_count(coverage_cycles *c, const uint32_t *nodes, size_t count);

#endif
