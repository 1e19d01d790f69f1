/* SPDX-License-Identifier: MIT */
/*   1. The text (hot_text.c). An occurrence of a subpath belongs to the one rule in which it is not inside a single
 *      symbol, and happens as often as that rule. So all of them are found in the rules' own texts. There a long rule
 *      that is used stands as its first and its last L - 1 symbols with a gap between, and short ones are written out:
 *
 *          rule 1, with a long rule 2 in it:  a b [first L-1 of 2] | [last L-1 of 2] c |     weight: frequency of 1
 *          what was counted there too much:   [first L-1 of 2] | [last L-1 of 2] |           weight: -frequency of 2
 *
 *      The weights of all places in the text where a subpath of up to L symbols stands add up to its occurrences in the
 *      stream.
 *   2. The subpaths: hot ones, of which no shorter prefix is hot. Short ones are found symbol by symbol: the
 *      places that begin alike are a group, and only groups that can still become hot are split further
 *      (hot_levels.c). For long ones (hot_suffixes.c) the suffixes of the text in order, and how much neighbours share,
 *      are its suffix tree. On an edge of the tree the count stays the same and the cost grows, so each edge is looked
 *      at once.
 *   3. The reading (figure 7). Rules are read after the rules that they use. A rule is left with its *head*, up to the
 *      first reported subpath, and its *tail*, after the last; or it is whole. A rule that uses it joins these to what
 *      stands beside them, and reports, from left to right, each subpath that lies in what was joined.
 *
 * The figure judges the window between two reports alone, by its occurrences in the current rule. Here the text says at
 * once which subpath begins at a place. */
#include "tools/lib/grammar/hot.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/grammar/hot_finder.h"

/* What is being read of a rule's text: from..to has no gap and contains no reported subpath. */
typedef struct piece {
    size_t from, to;
    size_t head_end; /* the first report or gap; SIZE_MAX: none yet */
} piece;

static void read_piece(finder *f, piece *s)
{
    for (size_t place = s->from; place < s->to;) {
        subpath *w = f->begins[place] ? f->subpaths + (f->begins[place] - 1) : NULL;
        if (!w || w->length > s->to - place) {
            place++;
            continue;
        }
        w->reported = true;
        s->head_end = s->head_end == SIZE_MAX ? place : s->head_end;
        s->from = place += w->length;
    }
}

static void read_rule(finder *f, uint32_t rule)
{
    rule_text *t = f->texts + rule;
    size_t place = t->home, end = f->longest - 1;
    piece s = {place, place, SIZE_MAX};
    for (size_t at = f->g->start[rule]; at < f->g->start[rule + 1]; at++) {
        uint32_t symbol = f->g->symbols[at];
        const rule_text *used = is_rule(symbol) ? f->texts + rule_of(symbol) : NULL;
        place += width_of(f, symbol);
        if (used && (used->apart || !used->whole)) {
            s.to += least(used->head, end);
            read_piece(f, &s);
            s.head_end = s.head_end == SIZE_MAX ? s.to : s.head_end;
            s.from = place - least(used->tail, end);
        }
        s.to = place;
    }
    read_piece(f, &s);
    t->whole = s.head_end == SIZE_MAX;
    t->head = (t->whole ? s.to : s.head_end) - t->home;
    t->tail = s.to - s.from;
}

static int by_symbols(const void *left, const void *right)
{
    const hot_path *l = left, *r = right;
    for (size_t i = 0; i < l->length && i < r->length; i++)
        if (l->symbols[i] != r->symbols[i])
            return l->symbols[i] < r->symbols[i] ? -1 : 1;
    return (l->length > r->length) - (l->length < r->length);
}

static int by_cost(const void *left, const void *right)
{
    const hot_path *l = left, *r = right;
    if (l->cost != r->cost)
        return l->cost > r->cost ? -1 : 1;
    return by_symbols(left, right);
}

/* The reported subpaths, in memory that the caller frees. */
static hot_path *collect(const finder *f, size_t *count)
{
    hot_path *paths = NULL;
    size_t max = 0;
    *count = 0;
    for (size_t n = 0; n < f->subpath_count; n++) {
        const subpath *w = &f->subpaths[n];
        if (!w->reported)
            continue;
        paths = memory_room(paths, *count, &max, sizeof *paths);
        hot_path *p = paths + (*count)++;
        *p = (hot_path){memory_zero(w->length, sizeof *p->symbols), w->length, w->count, 0, 0};
        for (size_t i = 0; i < p->length; i++) {
            p->symbols[i] = code_at(f, w->place + i) - 1;
            p->cost = add_capped(p->cost, cost_of(f, p->symbols[i]));
        }
        p->cost = times_capped(p->cost, p->count);
    }
    if (*count)
        qsort(paths, *count, sizeof *paths, by_cost);
    return paths;
}

/* Upper bound on length: a longer subpath has a hot prefix, whatever its count, so it is not minimal. */
static size_t longest_subpath(const finder *f, size_t max_length)
{
    uint64_t cheapest = UINT64_MAX, longest;
    for (size_t i = 0; i < f->g->terminal_count; i++)
        cheapest = cost_of(f, (uint32_t)i) < cheapest ? cost_of(f, (uint32_t)i) : cheapest;
    longest = cheapest ? f->min_cost / cheapest + (f->min_cost % cheapest != 0) : UINT64_MAX;
    longest = longest < f->min_length ? f->min_length : longest;
    longest = longest < max_length ? longest : max_length;
    return longest < f->g->length ? (size_t)longest : (size_t)f->g->length;
}

static void finder_free(finder *f)
{
    free(f->order);
    free(f->frequency);
    free(f->texts);
    free(f->bytes);
    free(f->parts);
    free(f->sums);
    free(f->suffixes);
    free(f->subpaths);
    free(f->begins);
    free(f->share);
}

/* Bytes that the search takes for `size` symbols of text: the text and the subpaths that begin at its places. For long
 * subpaths also its suffixes, sums of costs, and an array of places; for short ones what hot_shares says. */
static uint64_t memory_of(const finder *f, uint64_t size, bool levels)
{
    if (levels)
        return size * (f->width + sizeof(uint32_t));
    return size * (f->width + f->width * sizeof *f->suffixes + sizeof *f->sums + sizeof *f->shared + sizeof(uint32_t));
}

uint64_t hot_stream_cost(const grammar *g, const uint64_t *costs)
{
    size_t rules;
    uint32_t *order = grammar_order(g, &rules);
    uint64_t *frequency = grammar_frequencies(g, order, rules), sum = 0;
    for (size_t i = 0; i < rules; i++)
        for (size_t at = g->start[order[i]]; at < g->start[order[i] + 1]; at++)
            if (!is_rule(g->symbols[at]))
                sum = add_capped(
                    sum, times_capped(frequency[order[i]] * grammar_count(g, at), costs ? costs[g->symbols[at]] : 1));
    free(order);
    free(frequency);
    return sum;
}

static bool too_much(const hot_options *options, const hot_paths *paths)
{
    return options->memory && paths->bytes > options->memory;
}

/* How many can search at once. */
static size_t workers_of(const hot_options *options, const hot_paths *paths, uint64_t bytes_each)
{
    uint64_t others = options->memory && bytes_each ? (options->memory - paths->bytes) / bytes_each : THREADS_MAX;
    return least(threads_count(), 1 + (size_t)others);
}

static hot_status search(finder *f, uint64_t size, const hot_options *options, hot_paths *paths)
{
    bool levels = f->longest <= options->levels;
    hot_write(f, size);
    uint64_t bytes_each = levels ? hot_shares(f) : 0;
    paths->bytes += bytes_each;
    if (too_much(options, paths))
        return HOT_TOO_MUCH;
    if (levels)
        hot_levels(f, workers_of(options, paths, bytes_each));
    else
        hot_suffixes(f);
    for (size_t i = 0; i < f->rules; i++)
        read_rule(f, f->order[i]);
    paths->all = collect(f, &paths->count);
    return HOT_FOUND;
}

hot_status hot_find(const grammar *g, const hot_options *options, hot_paths *paths)
{
    finder f = {.g = g, .min_length = options->min_length, .min_cost = options->min_cost, .costs = options->costs};
    *paths = (hot_paths){NULL, 0, 0};
    f.longest = longest_subpath(&f, options->max_length);
    if (f.longest < f.min_length)
        return HOT_FOUND;
    for (f.width = 1; g->terminal_count >> 8 * f.width; f.width++)
        ;
    uint64_t size = hot_measure(&f);
    bool levels = f.longest <= options->levels;
    uint64_t most = levels ? UINT32_MAX - 1 : INT32_MAX / f.width;
    hot_status status = size > most ? HOT_TOO_LONG : HOT_FOUND;
    paths->bytes = memory_of(&f, size, levels);
    if (status == HOT_FOUND)
        status = too_much(options, paths) ? HOT_TOO_MUCH : search(&f, size, options, paths);
    finder_free(&f);
    return status;
}

void hot_free(hot_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->all[i].symbols);
    free(paths->all);
}
