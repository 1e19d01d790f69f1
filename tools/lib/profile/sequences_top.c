/* SPDX-License-Identifier: MIT */
/* The most frequent sequences, without putting all of them in order. Each event is the last path of one sequence of
 * each length. So a sequence is counted by the edges (sequences.c) that end with it, and these are divided by the path
 * before it, into the sequences that are one path longer:
 *
 *     edges that end with   (3)  ->  (1 3)  (2 3)  ->  (1 2 3)  (2 2 3)
 *
 * A longer sequence is not more frequent than its end. So what is less frequent than `top` others is left out, with all
 * its edges, and only few edges are followed far. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/profile/sequences.h"
#include "tools/lib/profile/sequences_places.h"

enum {
    TOP_MAX = 1 << 12, /* sequences asked for : 1 to 2^16 : all of them are put in order if there are more */
    GROUPS_EACH = 16,  /* groups per sequence asked for : 2 to 64 : copes with more that are as frequent; more memory */
    GROUPS_MORE = 1 << 12 /* and as many for all */
};

/* An edge that ends with a sequence, and the place where what is before that sequence ends. */
typedef struct item {
    uint32_t edge, place;
} item;

/* The edges that end with one sequence. */
typedef struct group {
    const sequences *of;
    uint64_t count;
    unsigned length;
    item *items; /* malloc; NULL: they were divided, or are not needed */
    size_t item_count;
    uint32_t edge; /* any of them */
} group;

typedef struct frequent {
    const uint32_t *rank;
    size_t top, best_count, groups_max, group_count, groups_room;
    uint64_t *best; /* the largest counts, at most `top`, the largest first */
    group *groups;
} frequent;

/* What is counted less often is not among the most frequent ones. */
static uint64_t least(const frequent *f)
{
    return f->best_count == f->top ? f->best[f->top - 1] : 1;
}

static void offer(frequent *f, uint64_t count)
{
    if (f->best_count == f->top && count <= f->best[f->top - 1])
        return;
    f->best_count += f->best_count < f->top;
    size_t at = f->best_count - 1;
    for (; at && f->best[at - 1] < count; at--)
        f->best[at] = f->best[at - 1];
    f->best[at] = count;
}

/* ---- groups ---- */

/* The part of a group that has the same path before its sequence. */
typedef struct part {
    uint64_t count;
    size_t items, group;
} part;

enum { NONE = -1 };

/* The path before the sequence of an item, which then belongs to it. False: the activation began there. */
static inline bool step_back(const sequences *of, unsigned length, item *at, uint32_t *path)
{
    if (length && at->place == ROOT)
        return false;
    *path = length ? of->places[at->place].path : of->edges[at->edge].path;
    at->place = length ? of->places[at->place].before : of->edges[at->edge].from;
    return true;
}

/* Counts the parts, and steps back in each item: number[i] is its part, or NONE. */
static part *count_parts(const group *g, uint32_t *number, size_t *count)
{
    numbering paths = {0};
    size_t max = 0;
    part *parts = NULL;
    *count = 0;
    for (size_t i = 0; i < g->item_count; i++) {
        uint32_t path;
        number[i] = (uint32_t)NONE;
        if (!step_back(g->of, g->length, &g->items[i], &path))
            continue;
        number[i] = numbering_of(&paths, path);
        parts = memory_room(parts, number[i], &max, sizeof *parts);
        if (number[i] == *count)
            parts[(*count)++] = (part){0};
        parts[number[i]].count += g->of->edges[g->items[i].edge].count;
        parts[number[i]].items++;
    }
    numbering_free(&paths);
    return parts;
}

static size_t add_group(frequent *f, const group *whole, const part *p)
{
    f->groups = memory_room(f->groups, f->group_count, &f->groups_room, sizeof *f->groups);
    f->groups[f->group_count] = (group){.of = whole->of, .count = p->count, .length = whole->length + 1};
    f->groups[f->group_count].items = memory_grow(NULL, p->items, sizeof(item));
    return f->group_count++;
}

/* Divides a group. False: there are too many groups. */
static bool divide(frequent *f, group g)
{
    size_t count;
    uint32_t *number = memory_grow(NULL, g.item_count, sizeof *number);
    part *parts = count_parts(&g, number, &count);
    for (size_t p = 0; p < count; p++)
        offer(f, parts[p].count);
    for (size_t p = 0; p < count && f->group_count < f->groups_max; p++)
        parts[p].group = parts[p].count >= least(f) ? add_group(f, &g, &parts[p]) : (size_t)NONE;
    bool room = f->group_count < f->groups_max;
    for (size_t i = 0; room && i < g.item_count; i++) {
        if (number[i] == (uint32_t)NONE || parts[number[i]].group == (size_t)NONE)
            continue;
        group *to = &f->groups[parts[number[i]].group];
        to->edge = g.items[i].edge;
        to->items[to->item_count++] = g.items[i];
    }
    free(parts);
    free(number);
    return room;
}

static bool find_groups(frequent *f, const sequences *of, unsigned depth)
{
    size_t first = f->group_count;
    group all = {.of = of, .items = memory_grow(NULL, of->edge_count, sizeof(item))};
    for (uint32_t i = 1; i < of->edge_count; i++)
        if (of->edges[i].count)
            all.items[all.item_count++] = (item){i, ROOT};
    bool room = divide(f, all);
    free(all.items);
    for (size_t i = first; room && i < f->group_count; i++) {
        if (f->groups[i].length < depth && f->groups[i].count >= least(f))
            room = divide(f, f->groups[i]);
        free(f->groups[i].items);
        f->groups[i].items = NULL;
    }
    return room;
}

/* ---- in order ---- */

typedef struct row {
    uint64_t count;
    unsigned length;
    const uint32_t *rank;
    uint32_t path[SEQUENCES_MAX];
} row;

/* The paths of a group of numbers (sequences_sieve.c), after the numbers themselves were read. */
static void paths_of_numbers(const sieve *of, row *r)
{
    const sequences *brief = of->brief;
    uint32_t first = of->origin[r->path[0]], at = brief->edges[first].from;
    for (unsigned n = r->length; n-- > 0;)
        r->path[n + of->added] = brief->edges[of->origin[r->path[n]]].path;
    for (unsigned n = of->added; n-- > 0; at = brief->places[at].before)
        r->path[n] = brief->places[at].path;
    r->length += of->added;
}

static row row_of(const frequent *f, const group *g)
{
    row r = {.count = g->count, .length = g->length, .rank = f->rank};
    item at = {g->edge, ROOT};
    for (unsigned n = 0; n < g->length; n++)
        step_back(g->of, n, &at, &r.path[g->length - 1 - n]);
    if (g->of->sieve)
        paths_of_numbers(g->of->sieve, &r);
    return r;
}

static int by_count(const void *left, const void *right)
{
    const row *l = left, *r = right;
    if (l->count != r->count)
        return l->count < r->count ? 1 : -1;
    for (unsigned n = 0; n < l->length && n < r->length; n++)
        if (l->path[n] != r->path[n])
            return (l->rank ? l->rank[l->path[n]] < l->rank[r->path[n]] : l->path[n] < r->path[n]) ? -1 : 1;
    return (l->length > r->length) - (l->length < r->length);
}

static void visit_best(const frequent *f, kipf_visit *visit, void *context)
{
    size_t count = 0;
    row *rows = memory_grow(NULL, f->group_count, sizeof *rows);
    for (size_t i = 0; i < f->group_count; i++)
        if (f->groups[i].count >= least(f))
            rows[count++] = row_of(f, &f->groups[i]);
    if (count)
        qsort(rows, count, sizeof *rows, by_count);
    for (size_t i = 0; i < count && i < f->top; i++)
        visit(context, rows[i].path, rows[i].length, rows[i].count);
    free(rows);
}

static frequent frequent_begin(size_t top, const uint32_t *rank)
{
    return (frequent){.rank = rank,
                      .top = top,
                      .groups_max = GROUPS_EACH * top + GROUPS_MORE,
                      .best = memory_zero(top, sizeof(uint64_t))};
}

static void frequent_end(frequent *f)
{
    for (size_t i = 0; i < f->group_count; i++)
        free(f->groups[i].items);
    free(f->groups);
    free(f->best);
}

uint64_t sequences_least(const sequences *all, unsigned depth, size_t top)
{
    if (!top || top > TOP_MAX)
        return 0;
    frequent f = frequent_begin(top, NULL);
    uint64_t result = find_groups(&f, all, depth) ? least(&f) : 0;
    frequent_end(&f);
    return result;
}

/* Sequences shorter than what a number stands for are those of the first time, others those of the second. */
static bool find_sieved(frequent *f, const sequences *all, unsigned depth)
{
    unsigned shorter = all->sieve->added;
    return find_groups(f, all->sieve->brief, depth < shorter ? depth : shorter) &&
           (depth <= shorter || find_groups(f, all, depth - shorter));
}

bool sequences_top(const sequences *all, unsigned depth, const uint32_t *rank, size_t top, kipf_visit *visit,
                   void *context)
{
    if (!top || top > TOP_MAX || all->window_count || (all->stream && all->stream->only))
        return false;
    frequent f = frequent_begin(top, rank);
    bool found = all->sieve ? find_sieved(&f, all, depth) : find_groups(&f, all, depth);
    if (found)
        visit_best(&f, visit, context);
    frequent_end(&f);
    return found;
}
