/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/coverage_tables.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

/* What the compiler makes for the global objects of a file in C++. It has no line of its own. */
static bool is_made(const char *function)
{
    return !strncmp(function, "_GLOBAL__", 9) || strstr(function, "__static_initialization_and_destruction_0");
}

bool coverage_wants(const coverage *all, const char *function)
{
    if (!all->only)
        return !function || !is_made(function);
    return function && !strcmp(function, all->only);
}

void coverage_add_line(coverage *all, coverage_line line)
{
    all->line = memory_room(all->line, all->line_count, &all->line_max, sizeof *all->line);
    all->line[all->line_count++] = line;
}

void coverage_add_branch(coverage *all, coverage_branch branch)
{
    all->branch = memory_room(all->branch, all->branch_count, &all->branch_max, sizeof *all->branch);
    all->branch[all->branch_count++] = branch;
}

uint64_t coverage_calls(uint64_t entries, bool ran)
{
    return entries || !ran ? entries : 1;
}

void coverage_add_function(coverage *all, coverage_function function)
{
    all->function = memory_room(all->function, all->function_count, &all->function_max, sizeof *all->function);
    all->function[all->function_count++] = function;
}

void coverage_add_loop(coverage *all, coverage_loop loop)
{
    all->loop = memory_room(all->loop, all->loop_count, &all->loop_max, sizeof *all->loop);
    all->loop[all->loop_count++] = loop;
}

void coverage_add_jump(coverage *all, coverage_jump jump)
{
    all->jump = memory_room(all->jump, all->jump_count, &all->jump_max, sizeof *all->jump);
    all->jump[all->jump_count++] = jump;
}

/* ---- order ---- */

int coverage_by_place(const char *a, uint32_t line_a, const char *b, uint32_t line_b)
{
    int files = a == b ? 0 : strcmp(a, b);
    return files ? files : line_a < line_b ? -1 : line_a > line_b;
}

/* Lines of several functions that are the same line become one. */
static void join_lines(coverage *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->line_count; i++) {
        coverage_line *last = count ? &all->line[count - 1] : NULL;
        if (last && !coverage_by_place(last->file, last->line, all->line[i].file, all->line[i].line))
            last->count += all->line[i].count;
        else
            all->line[count++] = all->line[i];
    }
    all->line_count = count;
    for (size_t i = 0; i < count; i++)
        all->lines_hit += all->line[i].count != 0;
}

static int compare_lines(const void *a, const void *b)
{
    const coverage_line *x = a, *y = b;
    return coverage_by_place(x->file, x->line, y->file, y->line);
}

static int compare_branches(const void *a, const void *b)
{
    const coverage_branch *x = a, *y = b;
    int places = coverage_by_place(x->file, x->line, y->file, y->line);
    if (places)
        return places;
    return x->block != y->block ? (x->block < y->block ? -1 : 1) : x->way < y->way ? -1 : x->way > y->way;
}

static int compare_functions(const void *a, const void *b)
{
    const coverage_function *x = a, *y = b;
    int places = coverage_by_place(x->file, x->line, y->file, y->line);
    return places ? places : strcmp(x->name, y->name);
}

/* So do copies of a function: of a header, in several files. */
static void join_functions(coverage *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->function_count; i++) {
        if (count && !compare_functions(&all->function[count - 1], &all->function[i]))
            all->function[count - 1].count += all->function[i].count;
        else
            all->function[count++] = all->function[i];
    }
    all->function_count = count;
    for (size_t i = 0; i < count; i++)
        all->functions_hit += all->function[i].count != 0;
}

static int compare_loops(const void *a, const void *b)
{
    const coverage_loop *x = a, *y = b;
    return x->turns != y->turns ? (x->turns > y->turns ? -1 : 1)
                                : coverage_by_place(x->file, x->line, y->file, y->line);
}

static int compare_jumps_lines(const coverage_jump *x, const coverage_jump *y)
{
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    int from = coverage_by_place(x->file, x->line, y->file, y->line);
    int to = from ? from : coverage_by_place(x->to_file, x->to_line, y->to_file, y->to_line);
    return to ? to : (y->runs != 0) - (x->runs != 0); /* a choice stands before what is always made */
}

static int compare_jumps(const void *a, const void *b)
{
    const coverage_jump *x = a, *y = b;
    int lines = compare_jumps_lines(x, y);
    return lines ? lines : x->choice < y->choice ? -1 : x->choice > y->choice;
}

static void join_jumps(coverage *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->jump_count; i++) {
        coverage_jump *last = count ? &all->jump[count - 1] : NULL;
        if (!last || compare_jumps_lines(last, &all->jump[i])) {
            all->jump[count++] = all->jump[i];
            continue;
        }
        last->count += all->jump[i].count;
        last->runs += last->choice != all->jump[i].choice ? all->jump[i].runs : 0; /* several ways, one choice */
        last->choice = all->jump[i].choice;
    }
    all->jump_count = count;
}

void coverage_sort(coverage *all)
{
    if (all->jump_count)
        qsort(all->jump, all->jump_count, sizeof *all->jump, compare_jumps);
    join_jumps(all);
    if (all->loop_count)
        qsort(all->loop, all->loop_count, sizeof *all->loop, compare_loops);
    if (all->line_count)
        qsort(all->line, all->line_count, sizeof *all->line, compare_lines);
    join_lines(all);
    if (all->branch_count)
        qsort(all->branch, all->branch_count, sizeof *all->branch, compare_branches);
    for (size_t i = 0; i < all->branch_count; i++)
        all->branches_hit += all->branch[i].count != 0;
    if (all->function_count)
        qsort(all->function, all->function_count, sizeof *all->function, compare_functions);
    join_functions(all);
}

/* ---- files ---- */

static const char *least(const char *a, const char *b)
{
    return !a ? b : !b ? a : strcmp(a, b) <= 0 ? a : b;
}

bool coverage_next(const coverage *all, coverage_part *p)
{
    p->line = p->line_end;
    p->branch = p->branch_end;
    p->function = p->function_end;
    p->file = least(least(p->line < all->line_count ? all->line[p->line].file : NULL,
                          p->branch < all->branch_count ? all->branch[p->branch].file : NULL),
                    p->function < all->function_count ? all->function[p->function].file : NULL);
    if (!p->file)
        return false;
    while (p->line_end < all->line_count && !strcmp(all->line[p->line_end].file, p->file))
        p->line_end++;
    while (p->branch_end < all->branch_count && !strcmp(all->branch[p->branch_end].file, p->file))
        p->branch_end++;
    while (p->function_end < all->function_count && !strcmp(all->function[p->function_end].file, p->file))
        p->function_end++;
    return true;
}
