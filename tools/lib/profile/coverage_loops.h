/* SPDX-License-Identifier: MIT */
/* The loops of a function with probes, from how often each edge of its graph was taken. */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_LOOPS_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_LOOPS_H

#include "tools/lib/image/descriptor.h"
#include "tools/lib/profile/coverage_tables.h"

/* By edge: whether it leads back to the head of a loop. From malloc. */
bool *coverage_back_edges(const descriptor_function *f);
/* Adds those that ran; `back` and `taken` by edge. */
void coverage_add_loops(coverage *all, const descriptor_function *f, const bool *back, const uint64_t *taken);

#endif
