/* SPDX-License-Identifier: MIT */
/* Step 2 of hot.c for long subpaths: by the suffix tree of the text. */
#include <divsufsort.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/hot_finder.h"

static uint64_t weight_at(const finder *f, size_t place)
{
    size_t low = 0, high = f->part_count; /* parts[low].start <= place < parts[high].start */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (f->parts[middle].start <= place)
            low = middle;
        else
            high = middle;
    }
    return f->parts[low].weight;
}

static void sum_costs(finder *f)
{
    uint64_t sum = 0, most = 1;
    f->sums = memory_zero(f->size + 1, sizeof *f->sums);
    for (size_t place = 0; place < f->size; place++) {
        uint32_t code = code_at(f, place);
        uint64_t cost = code ? cost_of(f, code - 1) : 0;
        most = cost > most ? cost : most;
        sum += cost;
        f->sums[place + 1] = sum;
    }
    f->safe = (size_t)(UINT64_MAX / most);
}

/* The fewest symbols from a place on that cost `cost`; `most` + 1: `most` symbols are not enough. */
/* The fewest symbols of the next `step` that cost that much, as all of these do. */
static size_t reach_within(const uint64_t *sums, size_t step, uint64_t cost)
{
    size_t low = 0;
    while (step - low > 1) { /* low symbols cost less, step symbols do not */
        size_t middle = low + (step - low) / 2;
        if (sums[middle] - sums[0] < cost)
            low = middle;
        else
            step = middle;
    }
    return step;
}

static size_t reach(const finder *f, size_t place, size_t most, uint64_t cost)
{
    size_t length = 0;
    while (length < most) {
        size_t step = least(most - length, f->safe);
        const uint64_t *sums = f->sums + place + length;
        if (sums[step] - sums[0] >= cost)
            return length + reach_within(sums, step, cost);
        cost -= sums[step] - sums[0];
        length += step;
    }
    return most + 1;
}

static void sort_suffixes(finder *f)
{
    size_t bytes = f->size * f->width;
    f->suffixes = memory_grow(NULL, bytes, sizeof *f->suffixes);
    if (divsufsort(f->bytes, f->suffixes, (int32_t)bytes))
        memory_grow(NULL, SIZE_MAX, 2); /* out of memory: ends the program */
    for (size_t i = 0; i < bytes; i++) {
        size_t place = (size_t)f->suffixes[i] / f->width;
        if ((size_t)f->suffixes[i] % f->width == 0 && code_at(f, place))
            f->suffixes[f->suffix_count++] = (int32_t)place;
    }
    f->suffixes = memory_grow(f->suffixes, f->suffix_count, sizeof *f->suffixes);
}

/* Kärkkäinen, Manzini, Puglisi: "Permuted longest-common-prefix array" (2009). In the order of the text, a place shares
 * at most one symbol less than the place before it. */
static void find_shared(finder *f)
{
    enum { FIRST = -1 };
    f->shared = memory_zero(f->size, sizeof *f->shared); /* first, the place of the suffix before */
    for (size_t i = 0; i < f->suffix_count; i++)
        f->shared[f->suffixes[i]] = i ? f->suffixes[i - 1] : FIRST;
    size_t length = 0;
    for (size_t place = 0; place < f->size; place++) {
        if (!code_at(f, place)) {
            length = 0;
            continue;
        }
        int32_t other = f->shared[place];
        uint32_t code;
        while (other != FIRST && length < f->longest && (code = code_at(f, place + length)) &&
               code == code_at(f, (size_t)other + length))
            length++;
        length = other == FIRST ? 0 : length;
        f->shared[place] = (int32_t)length;
        length -= length > 0;
    }
}

/* Adds a subpath that ends on this edge. Subpaths below the edge begin with it, so they are not minimal. They are the
 * last of the list, and leave it. */
static void add_subpath(finder *f, subpath w)
{
    while (f->subpath_count && f->subpaths[f->subpath_count - 1].first >= w.first)
        f->subpath_count--;
    f->subpaths = memory_room(f->subpaths, f->subpath_count, &f->subpath_max, sizeof *f->subpaths);
    f->subpaths[f->subpath_count++] = w;
}

/* A node of the suffix tree, as suffixes in order. */
typedef struct interval {
    size_t first;
    size_t length;  /* symbols that its suffixes share */
    uint64_t count; /* of its string in the stream */
} interval;

/* The edge of the suffix tree above a node that ends with suffix `last`: subpaths longer than `above`, up to the node's
 * length. The count is the same all along the edge. */
static void judge_edge(finder *f, const interval *node, size_t last, size_t above)
{
    if (node->length <= above || node->length < f->min_length)
        return;
    uint64_t cost = f->min_cost / node->count + (f->min_cost % node->count != 0);
    size_t wanted = reach(f, (size_t)f->suffixes[node->first], node->length, cost);
    wanted = wanted < f->min_length ? f->min_length : wanted;
    if (wanted > above && wanted <= node->length) /* one of up to `above` symbols is hot before this edge */
        add_subpath(f, (subpath){(uint32_t)node->first, (uint32_t)last, (size_t)f->suffixes[node->first],
                                 (uint32_t)wanted, false, node->count});
}

/* Of each place the next gap. */
static uint32_t *find_gaps(const finder *f)
{
    uint32_t *gaps = memory_zero(f->size, sizeof *gaps), gap = 0;
    for (size_t place = f->size; place-- > 0; gaps[place] = gap)
        gap = code_at(f, place) ? gap : (uint32_t)place;
    return gaps;
}

/* Judges each edge of the suffix tree, after those below it. On the stack are the nodes that contain suffix i, the root
 * at the bottom. */
static void find_subpaths(finder *f)
{
    interval *stack = memory_zero(f->longest + 1, sizeof *stack);
    uint32_t *gaps = find_gaps(f);
    size_t depth = 0;
    for (size_t i = 0; i < f->suffix_count; i++) {
        size_t place = (size_t)f->suffixes[i], before = (size_t)f->shared[place];
        size_t next = i + 1 < f->suffix_count ? (size_t)f->shared[f->suffixes[i + 1]] : 0;
        interval done = {i, least(f->longest, gaps[place] - place), weight_at(f, place)};
        judge_edge(f, &done, i, before > next ? before : next);
        for (; stack[depth].length > next; depth--) {
            size_t above = stack[depth - 1].length;
            stack[depth].count += done.count;
            done = stack[depth];
            judge_edge(f, &done, i, above > next ? above : next);
        }
        if (stack[depth].length < next)
            stack[++depth] = (interval){done.first, next, done.count};
        else
            stack[depth].count += done.count;
    }
    free(gaps);
    free(stack);
}

static void mark_beginnings(finder *f)
{
    f->begins = (uint32_t *)f->shared;
    f->shared = NULL;
    memset(f->begins, 0, f->size * sizeof *f->begins);
    for (size_t w = 0; w < f->subpath_count; w++)
        for (size_t i = f->subpaths[w].first; i <= f->subpaths[w].last; i++)
            f->begins[f->suffixes[i]] = (uint32_t)w + 1;
}

void hot_suffixes(finder *f)
{
    sort_suffixes(f);
    find_shared(f);
    sum_costs(f);
    find_subpaths(f);
    mark_beginnings(f);
}
