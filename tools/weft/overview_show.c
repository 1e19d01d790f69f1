/* SPDX-License-Identifier: MIT */
/* The screen of `weft overview`. Rows that a table has no room for become one last row. */
#include "tools/weft/overview_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"

enum { FUNCTION_ROWS = 7, TREE_ROWS = 12, LOOP_ROWS = 6, INTERRUPT_ROWS = 5, NAME_MAX_SIZE = 400 };
#define LEAST_SHARE 0.01 /* of all instructions, of a row of the tree */

/* ---- bars ---- */

static bool speaks_utf8(void)
{
    const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && (!locale || !*locale); i++)
        locale = getenv(names[i]);
    return locale && (strstr(locale, "UTF-8") || strstr(locale, "utf8")) && isatty(STDOUT_FILENO);
}

/* A bar of `share` (0 to 1) of `width` characters, to an eighth of one where the terminal shows that. */
static void print_bar(double share, unsigned width)
{
    static const char *const eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    bool fine = speaks_utf8();
    unsigned parts = (unsigned)lround(share * width * (fine ? 8 : 1)), full = fine ? parts / 8 : parts;
    for (unsigned i = 0; i < full; i++)
        fputs(fine ? "█" : "#", stdout);
    if (fine)
        fputs(eighth[parts % 8], stdout);
    printf("%*s", (int)(width - full - (fine && parts % 8)), "");
}

static double share_of(const overview *o, uint64_t cost)
{
    return o->run.all->total ? (double)cost / (double)o->run.all->total : 0;
}

/* ---- the parts of the screen ---- */

static void show_head(const overview *o)
{
    uint64_t accesses = o->interrupts.accesses, count = o->events - accesses;
    char events[32], bytes[32], total[32], lost[32];
    printf("%s: %s %s in %s bytes", text_base(o->run.path), text_grouped(count, events),
           accesses ? "instructions" : "events", text_grouped(o->bytes, bytes));
    if (count)
        printf(", %.2f each", (double)o->bytes / (double)count);
    if (o->run.loss.cut)
        printf("; its end is missing%s%s%s", o->lost ? ", and " : "",
               o->lost && o->run.loss.at_least ? "at least " : "", o->lost ? text_grouped(o->lost, lost) : "");
    else if (!o->lost && o->run.loss.gaps)
        fputs("; it has gaps", stdout);
    else
        printf("; %s%s lost", o->lost && o->run.loss.at_least ? "at least " : "",
               o->lost ? text_grouped(o->lost, lost) : "none");
    putchar('\n');
    if (accesses)
        printf("%s accesses\n", text_grouped(accesses, events));
    if (!accesses || o->run.all->total != count)
        printf("%s instructions%s\n", text_grouped(o->run.all->total, total), accesses ? " in what follows" : "");
}

static void show_function(const overview *o, const char *name, uint64_t self, unsigned columns)
{
    unsigned bar = columns / 3, width = columns - bar - 24;
    text_cell(stdout, width, name);
    printf(" %5.1f%% ", 100 * share_of(o, self));
    print_bar(share_of(o, self), bar);
}

static void show_functions(const overview *o, unsigned columns)
{
    const functions *all = o->run.all;
    uint32_t *order = profiled_order(all);
    uint64_t rest = 0;
    size_t ran = 0, row = 0;
    for (size_t i = 0; i < all->count; i++)
        ran += all->all[i].calls || all->all[i].self;
    printf("\n%-*s %5s %-*s %10s\n", (int)(columns - columns / 3 - 24), "FUNCTION", "self", (int)(columns / 3 + 1), "",
           "calls");
    for (size_t i = 0; i < all->count; i++) {
        const function_cost *f = &all->all[order[i]];
        if (row < FUNCTION_ROWS && row < ran) {
            show_function(o, f->name, f->self, columns);
            printf(" %10" PRIu64 "\n", f->calls);
            row++;
        } else {
            rest += f->self;
        }
    }
    if (ran > row) {
        char name[64];
        snprintf(name, sizeof name, "%zu more", ran - row);
        show_function(o, name, rest, columns);
        putchar('\n');
    }
    free(order);
}

/* A handler that is one function: the row of its context would say the same. */
static bool is_own_row(const overview *o, const call_node *node)
{
    const functions *all = o->run.all;
    char name[VECTORS_NAME_MAX];
    const call_node *child = &all->node[node->child];
    return !node->child || child->sibling ||
           strcmp(vectors_name(profiled_image(&o->run), node->context, name), all->all[child->function].name) != 0;
}

static void show_node(const overview *o, const call_node *node, unsigned depth, unsigned columns)
{
    char name[VECTORS_NAME_MAX], line[NAME_MAX_SIZE];
    bool context = node->function == FUNCTIONS_NONE;
    snprintf(line, sizeof line, "%*s%s", (int)(2 * depth % 64), "",
             context ? vectors_name(profiled_image(&o->run), node->context, name)
                     : o->run.all->all[node->function].name);
    text_cell(stdout, columns - 18, line);
    printf(" %5.1f%%", 100 * share_of(o, node->inclusive));
    if (context)
        putchar('\n');
    else
        printf(" %10" PRIu64 "\n", node->calls);
}

static void show_tree(const overview *o, unsigned columns)
{
    profiled_walk walk = profiled_walk_begin(o->run.all);
    unsigned rows = 0, outer = 1; /* outer: levels that are not shown */
    printf("\n%-*s %6s %10s\n", (int)(columns - 18), "CALL TREE", "share", "calls");
    for (uint32_t at; rows < TREE_ROWS && (at = profiled_walk_next(&walk));) {
        const call_node *node = &o->run.all->node[at];
        bool own = node->function != FUNCTIONS_NONE || is_own_row(o, node);
        if (node->function == FUNCTIONS_NONE)
            outer = own ? 1 : 2;
        if (!own || share_of(o, node->inclusive) < LEAST_SHARE)
            continue;
        show_node(o, node, walk.depth - outer, columns);
        rows++;
    }
    profiled_walk_end(&walk);
}

/* "function  file.c:12": of a long one, the function's name is cut. */
static void print_place(const overview_loop *loop, unsigned width)
{
    char place[NAME_MAX_SIZE], safe[NAME_MAX_SIZE];
    snprintf(place, sizeof place, "%s:%" PRIu32, loop->file ? text_base(loop->file) : "?", loop->line);
    size_t taken = text_safe(safe, sizeof safe, place) + 2, name = strlen(loop->function);
    if (taken + 4 > width) {
        text_cell(stdout, width, place);
        return;
    }
    name = name + taken < width ? name : width - taken;
    text_cell(stdout, (unsigned)name, loop->function);
    printf("  %-*s", (int)(width - name - 2), safe);
}

static void show_loop(const overview_loop *loop, unsigned columns)
{
    const rounds_loop *r = loop->rounds;
    char each[64];
    if (r->min == r->max)
        snprintf(each, sizeof each, "%" PRIu64, r->max);
    else
        snprintf(each, sizeof each, "%" PRIu64 "..%" PRIu64 " mean %.1f", r->min, r->max,
                 (double)r->sum / (double)r->entries);
    print_place(loop, columns - 46);
    printf(" %10" PRIu64 " %23s %10" PRIu64 "\n", r->entries, each, r->sum);
}

static void show_loops(const overview *o, unsigned columns)
{
    if (!o->rounds)
        return;
    printf("\n%-*s %10s %23s %10s\n", (int)(columns - 46), "LOOP", "entered", "rounds", "in all");
    for (size_t i = 0; i < o->loop_count && i < LOOP_ROWS; i++)
        show_loop(&o->loop[i], columns);
    if (o->loop_count > LOOP_ROWS)
        printf("%zu more\n", o->loop_count - LOOP_ROWS);
    if (!o->loop_count)
        puts("no loop ended");
}

static void show_interrupts(const overview *o, unsigned columns)
{
    if (!o->interrupts_known)
        return;
    if (!o->interrupts.count) {
        puts("\nINTERRUPTS: none");
        return;
    }
    printf("\n%-*s %10s %10s %10s %12s\n", (int)(columns - 46), "INTERRUPT", "times", "mean", "longest", "every");
    for (size_t i = 0; i < o->interrupts.count && i < INTERRUPT_ROWS; i++) {
        const irq *q = &o->interrupts.all[i];
        text_cell(stdout, columns - 46, q->name);
        printf(" %10" PRIu64 " %10.1f %10" PRIu64 " %12.1f\n", q->count, irq_mean(&q->time), q->time.max,
               irq_mean(&q->interval));
    }
    if (o->interrupts.count > INTERRUPT_ROWS)
        printf("%zu more\n", o->interrupts.count - INTERRUPT_ROWS);
}

void overview_show(const overview *o, unsigned columns)
{
    columns = columns < 70 ? 70 : columns > 110 ? 110 : columns;
    show_head(o);
    show_functions(o, columns);
    show_tree(o, columns);
    show_loops(o, columns);
    show_interrupts(o, columns);
}
