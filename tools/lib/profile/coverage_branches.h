/* SPDX-License-Identifier: MIT */
/* The branches of a function with probes, from how often each edge of its graph was taken. */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_BRANCHES_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_BRANCHES_H

#include "tools/lib/profile/coverage_graph.h"
#include "tools/lib/profile/coverage_jumps.h"
#include "tools/lib/profile/coverage_tables.h"

/* Adds the ways out of each block that has several. The comparisons that the compiler made of a `switch` are one
 * branch: its ways are the places that its cases lead to. */
void coverage_add_branches(coverage *all, const coverage_ran *r, const coverage_graph *g, const coverage_jumps *jumps);

#endif
