/* SPDX-License-Identifier: MIT */
/* The loops of a function with probes, from how often each edge of its graph was taken. */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_LOOPS_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_LOOPS_H

#include "tools/lib/image/descriptor.h"
#include "tools/lib/profile/coverage_tables.h"

/* By edge: whether it leads back to the head of a loop. From malloc. */
bool *coverage_back_edges(const descriptor_function *f);
/* The line of the loop whose head is a block of `f`: that of the head. Optimised code may leave the head without one;
 * then a line of what jumps back to it, or of what follows it, or the function's. `back`: by edge. */
descriptor_line coverage_loop_place(const descriptor_function *f, uint32_t head, const bool *back);
/* Adds those that ran; `back` and `taken` by edge. */
void coverage_add_loops(coverage *all, const descriptor_function *f, const bool *back, const uint64_t *taken);

#endif
