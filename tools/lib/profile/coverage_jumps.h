/* SPDX-License-Identifier: MIT */
/* The jumps of a function with probes: each way of a choice, gotos (break, continue), and what leads back to the head
 * of a loop. */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_JUMPS_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_JUMPS_H

#include "tools/lib/image/descriptor.h"
#include "tools/lib/profile/coverage_tables.h"

/* What a function's jumps are found with. `number`: of the function among the descriptors; `back` by edge. */
typedef struct coverage_jumps {
    const descriptor_function *f;
    uint32_t number;
    const bool *back;
} coverage_jumps;

/* Adds the jump that a taken edge is, if it is one, from the line of the block that it leaves (NULL: it has none).
 * `choice`: the block that decides on it; `runs`: how often it did; 0: it is the only way. */
void coverage_add_way(coverage *all, const coverage_jumps *jumps, uint32_t edge, uint32_t choice,
                      const descriptor_line *from, uint64_t count, uint64_t runs);

#endif
