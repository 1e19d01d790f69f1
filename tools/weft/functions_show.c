/* SPDX-License-Identifier: MIT */
#include "tools/weft/functions_show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"
#include "tools/weft/clocked.h"

/* Instructions, or microseconds. */
static void print_cost(const functions *all, int width, uint64_t cost)
{
    if (functions_clocked(all))
        printf(" %*.3f", width, (double)cost / 1000);
    else
        printf(" %*" PRIu64, width, cost);
}

static double share(const functions *all, uint64_t cost)
{
    return all->total ? 100.0 * (double)cost / (double)all->total : 0;
}

static void print_place(function_place place)
{
    if (!place.file)
        return;
    fputs("  ", stdout);
    text_print(stdout, text_base(place.file));
    if (place.line)
        printf(":%" PRIu32, place.line);
}

/* Who calls it, or whom it calls. */
static void print_edges(const functions *all, uint32_t function, bool callers)
{
    printf(callers ? "\n%12s %12s  called by\n" : "\n%12s %12s  calls\n", "calls", "inclusive");
    for (size_t i = 0; i < all->edge_count; i++) {
        const call_edge *edge = &all->edge[i];
        uint32_t other = callers ? edge->caller : edge->callee;
        if ((callers ? edge->callee : edge->caller) != function)
            continue;
        printf("%12" PRIu64, edge->calls);
        print_cost(all, 12, edge->inclusive);
        printf("  ");
        if (other == FUNCTIONS_NONE)
            printf("(nobody: the context begins with it)");
        else
            text_print(stdout, all->all[other].name);
        print_place(edge->place);
        putchar('\n');
    }
}

bool functions_is_shown(const function_cost *f, const char *only)
{
    return only ? !strcmp(f->name, only) : f->calls || f->self;
}

/* All but stack and name. */
static void print_row(const functions *all, const function_cost *f)
{
    print_cost(all, 11, f->self);
    printf(" %6.2f", share(all, f->self));
    print_cost(all, 12, f->inclusive);
    printf(" %6.2f %10" PRIu64, share(all, f->inclusive), f->calls);
    if (!f->whole) {
        printf(" %10s %10s %10s", "-", "-", "-");
        return;
    }
    print_cost(all, 10, f->min);
    if (functions_clocked(all))
        print_cost(all, 10, f->whole_sum / f->whole);
    else
        printf(" %10.0f", (double)f->whole_sum / (double)f->whole);
    print_cost(all, 10, f->max);
}

/* ---- a screenful ---- */

/* Name and place, in a column of `width` characters. */
static void print_name(const char *name, function_place place, unsigned width)
{
    char text[400];
    const char *file = place.file ? text_base(place.file) : "";
    if (*file && place.line)
        snprintf(text, sizeof text, "%s  %s:%" PRIu32, name, file, place.line);
    else
        snprintf(text, sizeof text, "%s  %s", name, file);
    text_cell(stdout, width, text);
}

static void print_short(const functions *all, const function_cost *f)
{
    double unit = functions_clocked(all) ? 1000 : 1;
    printf(" %6.2f %6.2f %9" PRIu64, share(all, f->self), share(all, f->inclusive), f->calls);
    if (f->whole)
        printf(" %9.0f %9.0f", (double)f->whole_sum / (double)f->whole / unit, (double)f->max / unit);
    else
        printf(" %9s %9s", "-", "-");
    if (f->stack_known)
        printf(" %6" PRIu32 "\n", f->stack);
    else
        printf(" %6s\n", "-");
}

/* What numbers leave of a line. */
static unsigned name_width(unsigned columns, unsigned numbers)
{
    enum { LEAST = 12 };
    return columns > numbers + LEAST ? columns - numbers : LEAST;
}

/* Who calls it, or whom it calls. */
static void print_short_edges(const functions *all, uint32_t function, bool callers, unsigned columns)
{
    enum { NUMBERS = 18 };
    unsigned width = name_width(columns, NUMBERS);
    printf("\n%-*s %7s %9s\n", (int)width, callers ? "CALLED BY" : "CALLS", "incl.%", "calls");
    for (size_t i = 0; i < all->edge_count; i++) {
        const call_edge *edge = &all->edge[i];
        uint32_t other = callers ? edge->caller : edge->callee;
        if ((callers ? edge->callee : edge->caller) != function)
            continue;
        print_name(other == FUNCTIONS_NONE ? "(nobody: the context begins with it)" : all->all[other].name, edge->place,
                   width);
        printf(" %7.2f %9" PRIu64 "\n", share(all, edge->inclusive), edge->calls);
    }
}

/* Leaves only those functions in `order` that are shown. Returns how many. */
static size_t keep_shown(const functions *all, const char *only, uint32_t *order)
{
    size_t shown = 0;
    for (size_t i = 0; i < all->count; i++)
        if (functions_is_shown(&all->all[order[i]], only))
            order[shown++] = order[i];
    return shown;
}

static size_t rows_of(size_t shown, long long top)
{
    return top <= 0 ? 0 : (unsigned long long)top < shown ? (size_t)top : shown;
}

void functions_show_screen(const functions *all, const char *only, long long top, unsigned columns)
{
    enum { NUMBERS = 51 };
    unsigned width = name_width(columns, NUMBERS);
    uint32_t *order = profiled_order(all);
    size_t shown = keep_shown(all, only, order), rows = rows_of(shown, top);
    printf("%-*s %6s %6s %9s %9s %9s %6s\n", (int)width, "FUNCTION", "self%", "incl.%", "calls", "mean", "longest",
           "stack");
    for (size_t i = 0; i < rows; i++) {
        const function_cost *f = &all->all[order[i]];
        print_name(f->name, f->place, width);
        print_short(all, f);
    }
    if (shown > rows)
        printf("... and %zu more functions (--top 0 lists all, and what the shares are of)\n", shown - rows);
    for (size_t i = 0; only && i < shown; i++) {
        print_short_edges(all, order[i], true, columns);
        print_short_edges(all, order[i], false, columns);
    }
    free(order);
}

void functions_show(const functions *all, const char *only, long long top)
{
    uint32_t *order = profiled_order(all);
    size_t shown = keep_shown(all, only, order), rows = rows_of(shown, top);
    printf("%12s %6s %12s %6s %10s %10s %10s %10s %7s  function\n", "self", "%", "inclusive", "%", "calls", "min",
           "mean", "max", "stack");
    for (size_t i = 0; i < rows; i++) {
        const function_cost *f = &all->all[order[i]];
        print_row(all, f);
        if (f->stack_known)
            printf(" %7" PRIu32 "  ", f->stack);
        else
            printf(" %7s  ", "-");
        text_print(stdout, f->name);
        print_place(f->place);
        putchar('\n');
    }
    if (shown > rows)
        printf("... and %zu more functions (--top 0 lists all)\n", shown - rows);
    for (size_t i = 0; only && i < shown; i++) {
        print_edges(all, order[i], true);
        print_edges(all, order[i], false);
    }
    free(order);
}

void functions_show_total(const profiled *run, unsigned columns)
{
    enum { INDENT = 4 };
    const functions *all = run->all;
    char text[200], line[400];
    size_t size;
    if (profiled_clocked(run)) {
        clocked_text(run->file, text, sizeof text);
        size = (size_t)snprintf(line, sizeof line, "total %.3f us by %s", (double)all->total / 1000, text);
        if (all->estimated)
            snprintf(line + size, sizeof line - size, "; %.2f %% of it estimated", share(all, all->estimated));
        text_folded(stdout, columns, INDENT, line);
        return;
    }
    size = (size_t)snprintf(line, sizeof line, "total %" PRIu64 " instructions", all->total);
    if (all->more)
        size += (size_t)snprintf(line + size, sizeof line - size, " (up to %" PRIu64 " more)", all->more);
    if (all->estimated)
        snprintf(line + size, sizeof line - size, ", %.2f %% of them estimated", share(all, all->estimated));
    text_folded(stdout, columns, INDENT, line);
}

static void print_node(const functions *all, const image *im, uint32_t at, unsigned depth)
{
    char name[VECTORS_NAME_MAX];
    const call_node *node = &all->node[at];
    printf("%6.2f %%", share(all, node->inclusive));
    print_cost(all, 12, node->inclusive);
    print_cost(all, 12, node->self);
    printf(" %10" PRIu64 "  %*s", node->calls, (int)(2 * depth), "");
    if (node->function == FUNCTIONS_NONE)
        printf("context ");
    if (node->function == FUNCTIONS_NONE)
        text_print(stdout, vectors_name(im, node->context, name));
    else
        text_print(stdout, all->all[node->function].name);
    putchar('\n');
}

void functions_show_tree(const functions *all, const image *im)
{
    printf("%8s %12s %12s %10s\n", "share", "inclusive", "self", "calls");
    profiled_walk walk = profiled_walk_begin(all);
    for (uint32_t at; (at = profiled_walk_next(&walk));)
        print_node(all, im, at, walk.depth - 1);
    profiled_walk_end(&walk);
}

/* ---- a screenful of the tree ---- */

static int descending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a < b) - (a > b);
}

/* The cost that at most `top` nodes exceed. A node never costs more than its parent, so those are a tree. */
static uint64_t least_cost(const functions *all, size_t top, size_t *nodes)
{
    uint64_t *cost = memory_zero(all->node_count + 1, sizeof *cost);
    profiled_walk walk = profiled_walk_begin(all);
    *nodes = 0;
    for (uint32_t at; (at = profiled_walk_next(&walk));)
        cost[(*nodes)++] = all->node[at].inclusive;
    profiled_walk_end(&walk);
    qsort(cost, *nodes, sizeof *cost, descending);
    uint64_t least = *nodes > top ? cost[top] : 0;
    free(cost);
    return least;
}

static void print_short_node(const functions *all, const image *im, uint32_t at, unsigned depth, unsigned width)
{
    char name[VECTORS_NAME_MAX];
    const call_node *node = &all->node[at];
    bool context = node->function == FUNCTIONS_NONE;
    unsigned indent = 2 * depth < width / 2 ? 2 * depth : width / 2;
    printf("%*s", (int)indent, "");
    text_cell(stdout, width - indent, context ? vectors_name(im, node->context, name) : all->all[node->function].name);
    printf(" %6.2f %6.2f", share(all, node->inclusive), share(all, node->self));
    if (context)
        putchar('\n');
    else
        printf(" %10" PRIu64 "\n", node->calls);
}

void functions_show_tree_screen(const functions *all, const image *im, long long top, unsigned columns)
{
    enum { NUMBERS = 25 };
    unsigned width = columns > NUMBERS + 20 ? columns - NUMBERS : 20;
    size_t nodes, rows = 0;
    uint64_t least = least_cost(all, (size_t)top, &nodes);
    printf("%-*s %6s %6s %10s\n", (int)width, "CALLS", "incl.%", "self%", "calls");
    profiled_walk walk = profiled_walk_begin(all);
    for (uint32_t at; (at = profiled_walk_next(&walk));)
        if (all->node[at].inclusive > least || !least) {
            print_short_node(all, im, at, walk.depth - 1, width);
            rows++;
        }
    profiled_walk_end(&walk);
    if (rows < nodes)
        printf("... and %zu more rows, of at most %.2f %% each (--top 0 shows all)\n", nodes - rows, share(all, least));
}
