/* SPDX-License-Identifier: MIT */
/* The lines of a function with probes, by gcov's rule. */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_LINES_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_LINES_H

#include "tools/lib/profile/coverage_graph.h"
#include "tools/lib/profile/coverage_tables.h"

/* Adds the function's lines, those that did not run too. */
void coverage_add_lines(coverage *all, const coverage_graph *g);

#endif
