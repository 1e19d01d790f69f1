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
#include "tools/lib/recording/container.h"

typedef struct coverage_line {
    const char *file;
    uint32_t line;
    uint64_t count;
} coverage_line;

/* A way out of a block that has several. */
typedef struct coverage_branch {
    const char *file;
    uint32_t line;
    uint32_t block;         /* global number */
    uint32_t way, ways;     /* 0 .. ways-1 */
    uint64_t count, others; /* how often this way was taken, and the others */
} coverage_branch;

typedef struct coverage_function {
    const char *file, *name;
    uint32_t line;
    uint64_t count; /* calls */
} coverage_function;

/* Each table by file, then line; text belongs to the program, which outlives it. */
typedef struct coverage {
    coverage_line *line;
    size_t line_count, lines_hit;
    coverage_branch *branch;
    size_t branch_count, branches_hit;
    coverage_function *function;
    size_t function_count, functions_hit;
    uint64_t paths; /* that were read */
    struct coverage_own *own;
} coverage;

coverage *coverage_new(program *app);
void coverage_free(coverage *all);
/* False: a path that the program does not have; what came before it is added. *unread: as control_unread. */
bool coverage_feed(coverage *all, const container *file, uint64_t *unread);
void coverage_finish(coverage *all);

/* What of each table belongs to a file; all are sorted alike. */
typedef struct coverage_part {
    const char *file;
    size_t line, line_end, branch, branch_end, function, function_end;
} coverage_part;

/* The next file, after what *p holds; start with {0}. False: there is none. */
bool coverage_next(const coverage *all, coverage_part *p);

#endif
