/* SPDX-License-Identifier: MIT */
/* Tables of what ran and what did not: lines, branches, functions. Those that fill them (coverage.h,
 * coverage_executed.h) add rows in any order, then sort. */
#ifndef WEFT_TOOLS_LIB_PROFILE_COVERAGE_TABLES_H
#define WEFT_TOOLS_LIB_PROFILE_COVERAGE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct coverage_line {
    const char *file;
    uint32_t line;
    uint64_t count;
} coverage_line;

/* A way out of a block that has several. */
typedef struct coverage_branch {
    const char *file;
    uint32_t line;
    uint32_t block;         /* global number; of machine code: the address of the branch */
    uint32_t way, ways;     /* 0 .. ways-1 */
    uint64_t count, others; /* how often this way was taken, and the others */
} coverage_branch;

typedef struct coverage_function {
    const char *file, *name;
    uint32_t line;
    uint64_t count; /* calls */
} coverage_function;

/* A loop in a function: what jumps back to its head. */
typedef struct coverage_loop {
    const char *file, *function;
    uint32_t line;           /* of its head */
    uint64_t entered, turns; /* how often control came to the head from outside, and from within */
} coverage_loop;

/* A jump within a function: a way to other code than what follows. */
typedef struct coverage_jump {
    uint32_t function; /* its number in the tables of functions (functions.h) */
    const char *file;  /* from here */
    uint32_t line;
    const char *to_file;
    uint32_t to_line;
    uint32_t choice;      /* whose way it is: any number of its own */
    uint64_t count, runs; /* runs: how often that choice was made; 0: there is none, the jump is always made */
} coverage_jump;

/* Each table by file, then line; jumps by function first; text belongs to the image, which outlives them. */
typedef struct coverage {
    coverage_line *line;
    size_t line_count, line_max, lines_hit;
    coverage_branch *branch;
    size_t branch_count, branch_max, branches_hit;
    coverage_function *function;
    size_t function_count, function_max, functions_hit;
    coverage_loop *loop;
    size_t loop_count, loop_max;
    coverage_jump *jump;
    size_t jump_count, jump_max;
    uint64_t paths, instructions; /* that were read: the one or the other */
    const char *only;             /* set first: functions of this name alone are in the tables; NULL: all */
    struct coverage_own *own;
} coverage;

/* Whether a function of this name (NULL: not known) is to be in the tables. Those that the compiler makes by itself are
 * not, as in gcov, unless they are asked for. */
bool coverage_wants(const coverage *all, const char *function);

void coverage_add_line(coverage *all, coverage_line line);
void coverage_add_branch(coverage *all, coverage_branch branch);
/* Calls of a function that was seen to be entered `entries` times. If it ran though no entry was seen (it was entered
 * before the recording began, or in a gap), there was one at least. */
uint64_t coverage_calls(uint64_t entries, bool ran);
void coverage_add_function(coverage *all, coverage_function function);
void coverage_add_loop(coverage *all, coverage_loop loop);
void coverage_add_jump(coverage *all, coverage_jump jump);
/* Sorts the tables by place, loops by their turns; adds up rows of the same line, of the same function, and of jumps
 * between the same lines; counts what ran. */
void coverage_sort(coverage *all);

/* As strcmp. */
int coverage_by_place(const char *a, uint32_t line_a, const char *b, uint32_t line_b);

/* What of each table belongs to a file; all are sorted alike. */
typedef struct coverage_part {
    const char *file;
    size_t line, line_end, branch, branch_end, function, function_end;
} coverage_part;

/* The next file, after what *p holds; start with {0}. False: there is none. */
bool coverage_next(const coverage *all, coverage_part *p);

#endif
