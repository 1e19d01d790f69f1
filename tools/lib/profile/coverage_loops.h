/* SPDX-License-Identifier: MIT */
/* The loops of a function with probes, from how often each edge of its graph was taken. */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_LOOPS_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_LOOPS_H

#include "tools/lib/image/descriptor.h"
#include "tools/lib/profile/coverage_tables.h"

/* Adds those that ran; `taken` by edge. */
void coverage_add_loops(coverage *all, const descriptor_function *f, const uint64_t *taken);

#endif
