/* SPDX-License-Identifier: MIT */
/* The lines of a function with probes, from how often each edge of its graph was taken. */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_LINES_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_LINES_H

#include "tools/lib/image/descriptor.h"
#include "tools/lib/profile/coverage_tables.h"

/* What ran in one function. */
typedef struct coverage_ran {
    const descriptor_function *f;
    uint64_t *edge;    /* by edge */
    uint64_t *started; /* paths that begin with a block, not at the entry, by block */
    uint32_t *path;    /* blocks of a path */
    uint32_t *target;  /* by block: the block that it only leads on to, else itself */
    bool *turns;       /* by block: on the way to its target an edge ends a path */
    uint64_t calls;
} coverage_ran;

/* Adds the function's lines, those that did not run too. Fills target and turns, and uses path as room. */
void coverage_add_lines(coverage *all, coverage_ran *r);
/* The line that a block ends on; it has lines. */
const descriptor_line *coverage_line_of_end(const descriptor_block *b);

#endif
