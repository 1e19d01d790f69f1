/* SPDX-License-Identifier: MIT */
/* The blocks that gcov would count in a function with probes, from how often each edge of its graph was taken.
 *
 *     Weft's blocks             gcov's
 *     [x = 1;]                  [x = 1; f();]     what comes up to and with a call
 *        |                         |
 *     [f(); y = 2;]             [y = 2;]          what ran where it came back
 *        | break                   |
 *     [...]                     [...]             an edge from a goto may be a block of its own */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_GRAPH_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_GRAPH_H

#include "tools/lib/image/descriptor.h"

/* What ran in one function. */
typedef struct coverage_ran {
    const descriptor_function *f;
    uint64_t *edge;    /* by edge */
    uint64_t *started; /* paths that begin with a block, not at the entry, by block */
    uint32_t *path;    /* blocks of a path */
    uint64_t calls;
} coverage_ran;

#define COVERAGE_OUTSIDE UINT32_MAX /* ENTRY or EXIT */

typedef struct coverage_arc {
    uint32_t from, to; /* nodes */
    uint64_t count;
} coverage_arc;

typedef struct coverage_node {
    size_t line, line_end;       /* line[line] .. : distinct, in order */
    size_t out, out_end;         /* arc[out] .. */
    size_t in, in_end;           /* into[in] .. */
    const descriptor_line *ends; /* where its branches count. NULL: it has no line */
    uint64_t runs;
} coverage_node;

typedef struct coverage_graph {
    coverage_node *node;
    uint32_t node_count;
    coverage_arc *arc, *into; /* by from, then to; and by to, then from. Those of OUTSIDE are last */
    size_t arc_count;
    descriptor_line *line;
    bool *counts; /* by line: the node counts for it, as the greatest line of several in a row in one file */
    size_t line_count;
    uint32_t *last; /* by Weft's block: the node that it ends in */
} coverage_graph;

coverage_graph coverage_graph_of(const coverage_ran *r);
void coverage_graph_free(coverage_graph *g);

#endif
