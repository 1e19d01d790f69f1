/* SPDX-License-Identifier: MIT */
/* All repeats of the text lie in its runs, and the runs of a part of the text are the runs of the text clipped to the
 * part. A part never contains a body longer than the one at which it was split. So instead of a recursion:
 *
 * 1. Find all runs; sort them by falling period.
 * 2. Keep the text cut into parts, at first one. A chosen loop cuts its part into left | body | copies | right, and the
 *    copies are dead.
 * 3. For each period, clip its runs to the live parts. A part contains two periods of a run only if it covers one of
 *    the positions start + 2p - 1, start + 4p - 1, ... So the parts are found by O(length / period) look-ups, which is
 *    O(n) in all runs together.
 * 4. Clipped runs of one period overlap their neighbours by less than a period. Where they do, a heap hands them out by
 *    iterations, then by place; what a neighbour has taken is clipped off.
 * 5. The chosen loops, by place and falling period, are the nest. */
#include "tools/lib/loops/optimal.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/loops/marks.h"
#include "tools/lib/loops/repeats.h"

typedef struct chosen {
    uint32_t start, period, iterations;
} chosen;

/* A run clipped to a part. */
typedef struct clip {
    uint32_t start, end;
    uint32_t middle; /* a position that no neighbour can take */
} clip;

typedef struct cutter {
    uint32_t size;
    marks cuts;     /* where parts begin, and the end of the text */
    uint64_t *dead; /* bit set, by the first position of a part: the part is dead */
    chosen *loops;
    size_t loop_count, loop_max;
    clip *clips; /* of one period */
    size_t clip_count, clip_max;
} cutter;

static void choose(cutter *c, uint32_t start, uint32_t period, uint32_t iterations)
{
    uint32_t copies = start + period, end = start + period * iterations;
    c->loops = memory_room(c->loops, c->loop_count, &c->loop_max, sizeof *c->loops);
    c->loops[c->loop_count++] = (chosen){start, period, iterations};
    marks_add(&c->cuts, start);
    marks_add(&c->cuts, copies);
    marks_add(&c->cuts, end);
    c->dead[copies >> 6] |= (uint64_t)1 << (copies & 63);
}

/* The part that `at` lies in; false: it is dead. */
static bool part_at(const cutter *c, uint32_t at, uint32_t *start, uint32_t *end)
{
    *start = (uint32_t)marks_at_or_before(&c->cuts, at);
    *end = (uint32_t)marks_after(&c->cuts, *start);
    return !(c->dead[*start >> 6] >> (*start & 63) & 1);
}

/* Step 3 for one run. */
static void clip_run(cutter *c, const run *r)
{
    uint64_t twice = 2 * (uint64_t)r->period;
    for (uint64_t at = r->start + twice - 1; at < r->end;) {
        uint32_t start, end;
        if (part_at(c, (uint32_t)at, &start, &end)) {
            clip k = {start > r->start ? start : r->start, end < r->end ? end : r->end, 0};
            if (k.end - k.start >= twice) {
                k.middle = k.start + r->period;
                c->clips = memory_room(c->clips, c->clip_count, &c->clip_max, sizeof *c->clips);
                c->clips[c->clip_count++] = k;
            }
        }
        at += end > at + twice ? (end - at + twice - 1) / twice * twice : twice;
    }
}

/* True if a comes before b: more iterations, then earlier. */
static bool clip_before(const clip *a, const clip *b, uint32_t period)
{
    uint32_t i = (a->end - a->start) / period, j = (b->end - b->start) / period;
    return i > j || (i == j && a->start < b->start);
}

static void sift_down(clip *heap, size_t count, size_t at, uint32_t period)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && clip_before(heap + child + 1, heap + child, period))
            child++;
        if (!clip_before(heap + child, heap + at, period))
            return;
        clip moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
    }
}

/* Step 4: clips that overlap, each with the next. */
static void choose_among(cutter *c, clip *heap, size_t count, uint32_t period)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(heap, count, i, period);
    while (count) {
        uint32_t start, end;
        clip *top = heap;
        part_at(c, top->middle, &start, &end);
        start = start > top->start ? start : top->start;
        end = end < top->end ? end : top->end;
        uint32_t iterations = (end - start) / period;
        if (start == top->start && end == top->end) {
            choose(c, start, period, iterations);
            iterations = 0;
        }
        top->start = start;
        top->end = end;
        if (iterations < 2)
            *top = heap[--count];
        sift_down(heap, count, 0, period);
    }
}

static void choose_period(cutter *c, uint32_t period)
{
    for (size_t i = 0, next; i < c->clip_count; i = next) {
        clip *k = c->clips + i;
        for (next = i + 1; next < c->clip_count && c->clips[next].start < c->clips[next - 1].end; next++)
            ;
        if (next == i + 1)
            choose(c, k->start, period, (k->end - k->start) / period);
        else
            choose_among(c, k, next - i, period);
    }
    c->clip_count = 0;
}

/* Clips the runs of one period, all[0..count), by rising start. They are two sequences of falling start (repeats.h). */
static void clip_period(cutter *c, const run *all, size_t count)
{
    size_t turn = 1;
    while (turn < count && all[turn].start < all[turn - 1].start)
        turn++;
    for (size_t a = turn, b = count; a > 0 || b > turn;) {
        bool first = b == turn || (a > 0 && all[a - 1].start < all[b - 1].start);
        clip_run(c, first ? all + --a : all + --b);
    }
}

/* Sorts by rising period, stably. The list's memory is replaced. */
static void sort_by_period(run_list *list)
{
    uint32_t longest = 0;
    for (size_t i = 0; i < list->count; i++)
        longest = list->all[i].period > longest ? list->all[i].period : longest;
    uint32_t *place = memory_zero((size_t)longest + 2, sizeof *place);
    run *sorted = memory_grow(NULL, list->count, sizeof *sorted);
    for (size_t i = 0; i < list->count; i++)
        place[list->all[i].period + 1]++;
    for (uint32_t p = 0; p <= longest; p++)
        place[p + 1] += place[p];
    for (size_t i = 0; i < list->count; i++)
        sorted[place[list->all[i].period]++] = list->all[i];
    free(place);
    free(list->all);
    list->all = sorted;
}

/* Steps 1 to 4. The chosen loops, in order of falling period. */
static chosen *choose_loops(const uint32_t *text, uint32_t size, size_t *count)
{
    run_list runs = {0};
    cutter c = {.size = size};
    runs_find_all(text, size, &runs);
    sort_by_period(&runs);
    marks_init(&c.cuts, size);
    marks_add(&c.cuts, 0);
    marks_add(&c.cuts, size);
    c.dead = memory_zero(size / 64 + 1, sizeof *c.dead);
    for (size_t end = runs.count, first; end > 0; end = first) {
        uint32_t period = runs.all[end - 1].period;
        for (first = end - 1; first > 0 && runs.all[first - 1].period == period; first--)
            ;
        clip_period(&c, runs.all + first, end - first);
        choose_period(&c, period);
    }
    runs_free(&runs);
    marks_free(&c.cuts);
    free(c.dead);
    free(c.clips);
    *count = c.loop_count;
    return c.loops;
}

/* Sorts by start, stably, so the longest period comes first. A last one is added that never starts. */
static chosen *sort_by_start(chosen *loops, size_t count, uint32_t size)
{
    uint32_t *place = memory_zero((size_t)size + 1, sizeof *place);
    chosen *sorted = memory_grow(NULL, count + 1, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        place[loops[i].start + 1]++;
    for (uint32_t at = 0; at < size; at++)
        place[at + 1] += place[at];
    for (size_t i = 0; i < count; i++)
        sorted[place[loops[i].start]++] = loops[i];
    sorted[count] = (chosen){UINT32_MAX, 0, 0};
    free(place);
    free(loops);
    return sorted;
}

/* Step 5, in place; gives the number of items that are left. */
static size_t build(nest *n, uint32_t *items, uint32_t size, const chosen *loop)
{
    struct {
        const chosen *loop;
        size_t items; /* before it */
    } open[NEST_DEPTH_MAX];
    unsigned depth = 0;
    size_t count = 0;
    for (uint32_t at = 0;;) {
        if (depth && at == open[depth - 1].loop->start + open[depth - 1].loop->period) {
            const chosen *done = open[--depth].loop;
            size_t first = open[depth].items;
            items[first] = nest_intern(n, items + first, (uint32_t)(count - first), done->iterations);
            count = first + 1;
            at = done->start + done->period * done->iterations;
        } else if (at == size) {
            return count;
        } else if (loop->start == at) {
            open[depth].loop = loop++;
            open[depth++].items = count;
        } else {
            items[count++] = items[at++];
        }
    }
}

size_t nest_reduce(nest *n, uint32_t *items, size_t size)
{
    size_t count;
    chosen *loops = choose_loops(items, (uint32_t)size, &count);
    loops = sort_by_start(loops, count, (uint32_t)size);
    size = build(n, items, (uint32_t)size, loops);
    free(loops);
    return size;
}

nest *nest_optimal(const uint32_t *symbols, size_t size)
{
    dense d = dense_of(symbols, size);
    nest *n = nest_new(d.symbols, d.alphabet);
    free(d.symbols);
    nest_set_root(n, d.text, nest_reduce(n, d.text, size));
    free(d.text);
    return n;
}
