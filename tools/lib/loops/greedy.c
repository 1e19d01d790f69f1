/* SPDX-License-Identifier: MIT */
/* Figure 1 in rounds: find the smallest period that has a repeat; replace the repeats of that period by loop symbols
 * (most iterations first, then the earliest, none that overlaps a chosen one); start again with period 1. Done
 * literally this is quadratic. Here:
 *
 * 1. The sequence is kept as slots. A replaced repeat keeps its first slot, the others are skipped by links.
 * 2. Stages for periods up to 2, 4, 8, ... = `reach`. A stage begins with a list, by period, of the places where a
 *    square (two copies) or, near-optimal, four copies of some period up to `reach` begin.
 * 3. A round takes the places of the smallest period, widens those that still hold to runs, chooses, replaces.
 * 4. A replacement makes new squares only where it touches, so 2 * reach slots on either side of each new loop symbol
 *    are searched again, for all periods up to reach. A replacement of period p removes 2p - 1 symbols, and reach / 2 <
 *    p, except for those that earlier ones of this stage caused. So the work is O(log n) per symbol removed.
 * 5. At the beginning of a stage, all places come from a search of the whole sequence; or, if that is less work, from
 *    the runs that the last such search found and from the neighbourhood of what has changed since.
 *
 * Steps 2, 4 and 5 are in greedy_places.c. */
#include "tools/lib/loops/greedy.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/loops/greedy_state.h"
#include "tools/lib/loops/optimal.h"

/* ---- finding and choosing (step 3) ---- */

/* Widens the square at `slot` to a run of the period. False: fewer than `least` iterations begin there. */
static bool widen(const greedy *g, uint32_t slot, uint32_t period, candidate *c)
{
    uint32_t a = slot, b = slot;
    uint64_t same = 0, before = 0;
    for (uint32_t i = 0; i < period; i++) {
        if (b >= g->size)
            return false;
        b = g->next[b];
    }
    uint32_t x = slot, y = b;
    while (b < g->size && g->code[a] == g->code[b]) {
        a = g->next[a];
        b = g->next[b];
        same++;
    }
    if (same < (uint64_t)(g->least - 1) * period)
        return false;
    while (x && g->code[g->prev[x]] == g->code[g->prev[y]]) {
        x = g->prev[x];
        y = g->prev[y];
        before++;
    }
    *c = (candidate){.slot = x, .stop = b, .turn = a, .end = before + same + period};
    return true;
}

/* All runs of the period that begin at its places, by place. */
static void find_candidates(greedy *g, uint32_t period)
{
    size_t count = greedy_take_places(g, period);
    const uint32_t *slots = g->window_slot;
    g->candidate_count = 0;
    uint32_t turn = 0;
    for (size_t k = 0; k < count; k++) {
        candidate c;
        if (slots[k] < turn || !g->next[slots[k]] || !widen(g, slots[k], period, &c))
            continue;
        turn = c.turn;
        g->candidates = memory_room(g->candidates, g->candidate_count, &g->candidates_max, sizeof *g->candidates);
        g->candidates[g->candidate_count++] = c;
    }
}

/* The repeat of the run with most iterations, then the earliest, in low..high. A repeat starts in the run's first
 * period, or there would be a copy before it, and goes as far as copies fit, or there would be one after it. */
static void find_best(const greedy *g, candidate *c, uint32_t period)
{
    uint64_t most = (c->end - c->start) / period;
    c->iterations = 0;
    for (uint64_t l = most; l >= g->least && l + 1 >= most; l--) {
        uint64_t span = l * period;
        if (c->high < c->low + span)
            continue;
        uint64_t first = c->end + 1 > span + period ? c->end + 1 - span - period : 0;
        uint64_t last = c->start + period - 1;
        last = last < c->end - span ? last : c->end - span;
        last = last < c->high - span ? last : c->high - span;
        first = first > c->low ? first : c->low;
        if (first <= last) {
            c->best = first;
            c->iterations = (uint32_t)l;
            return;
        }
    }
}

static bool is_before(const greedy *g, uint32_t a, uint32_t b)
{
    const candidate *x = g->candidates + a, *y = g->candidates + b;
    return x->iterations > y->iterations || (x->iterations == y->iterations && x->best < y->best);
}

static void sift_down(greedy *g, size_t count, size_t at)
{
    uint32_t *heap = g->heap;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_before(g, heap[child + 1], heap[child]))
            child++;
        if (!is_before(g, heap[child], heap[at]))
            return;
        uint32_t moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
    }
}

static uint32_t walk(const greedy *g, uint32_t slot, uint64_t steps)
{
    while (steps--)
        slot = g->next[slot];
    return slot;
}

/* ---- replacing ---- */

static void take_body(greedy *g, uint32_t slot, uint32_t period)
{
    g->body = memory_room(g->body, period - 1, &g->body_max, sizeof *g->body);
    for (uint32_t i = 0; i < period; i++, slot = g->next[slot])
        g->body[i] = g->code[slot];
}

static void replace(greedy *g, uint32_t slot, uint32_t period, uint32_t iterations)
{
    take_body(g, slot, period);
    g->code[slot] = nest_intern(g->nest, g->body, period, iterations);
    uint32_t next = g->next[slot];
    for (uint64_t left = (uint64_t)period * iterations - 1; left; left--) {
        uint32_t dead = next;
        next = g->next[dead];
        g->next[dead] = 0;
    }
    g->next[slot] = next;
    if (next < g->size)
        g->prev[next] = slot;
    g->used -= period * iterations - 1;
    g->changed = memory_room(g->changed, g->changed_count, &g->changed_max, sizeof *g->changed);
    g->changed[g->changed_count++] = slot;
}

/* Replaces the best repeat of a run; low and high become its ends. */
static void replace_best(greedy *g, candidate *c, uint32_t period)
{
    uint64_t start = c->best;
    uint32_t slot = walk(g, c->slot, start - c->base), iterations = c->iterations;
    if (g->near_optimal) {
        take_body(g, slot, period);
        uint32_t turn = rotations_turn(&g->known, g->body, period);
        uint64_t end = c->end < c->high ? c->end : c->high;
        uint64_t fit = (end - start - turn) / period;
        if (turn && fit + 1 >= iterations) {
            start += turn;
            iterations = (uint32_t)fit;
            slot = walk(g, slot, turn);
        }
    }
    c->low = start;
    c->high = start + (uint64_t)period * iterations;
    c->slot = slot;
    replace(g, slot, period, iterations);
}

/* Gives the runs first..end, each of which overlaps the next, positions from the first on. */
static void measure_chain(greedy *g, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        candidate *c = g->candidates + i;
        if (i > first) {
            uint64_t overlap = 0;
            for (uint32_t slot = c->slot; slot < c[-1].stop; slot = g->next[slot])
                overlap++;
            c->start = c[-1].end - overlap;
            c->end += c->start;
        }
        c->low = c->base = c->start;
        c->high = c->end;
    }
}

/* Near-optimal: a run leaves what it shares with the one before it to that one, even if that makes it too short. So all
 * copies of such a chain in an outer loop, other than the first, are replaced alike. */
static void replace_in_order(greedy *g, size_t first, size_t end, uint32_t period)
{
    for (size_t i = first; i < end; i++) {
        candidate *c = g->candidates + i;
        if (i > first) {
            c->low = c->base = c[-1].end;
            c->slot = c[-1].stop;
        }
        c->best = c->low;
        c->iterations = (uint32_t)((c->end - c->low) / period);
        if (c->iterations >= 2)
            replace_best(g, c, period);
    }
}

/* What the chosen repeat of a run took is no longer its neighbours'. */
static void clip_neighbours(greedy *g, size_t top, size_t first, size_t end)
{
    candidate *c = g->candidates + top;
    if (top > first && c[-1].high > c->low)
        c[-1].high = c->low;
    if (top + 1 < end && c[1].low < c->high) {
        c[1].low = c[1].base = c->high;
        c[1].slot = g->next[c->slot];
    }
}

/* Greedy: chooses among the runs first..end by iterations, then by place. A run whose best repeat a neighbour has
 * clipped goes back into the heap with what is left. */
static void replace_by_iterations(greedy *g, size_t first, size_t end, uint32_t period)
{
    size_t count = 0;
    g->heap = memory_room(g->heap, end - first - 1, &g->heap_max, sizeof *g->heap);
    for (size_t i = first; i < end; i++) {
        find_best(g, g->candidates + i, period);
        g->heap[count++] = (uint32_t)i;
    }
    for (size_t i = count / 2; i-- > 0;)
        sift_down(g, count, i);
    while (count) {
        uint32_t top = g->heap[0];
        candidate *c = g->candidates + top;
        uint64_t best = c->best;
        uint32_t iterations = c->iterations;
        find_best(g, c, period);
        if (c->iterations == iterations && c->best == best) {
            replace_best(g, c, period);
            c->iterations = 0;
            clip_neighbours(g, top, first, end);
        }
        if (!c->iterations)
            g->heap[0] = g->heap[--count];
        sift_down(g, count, 0);
    }
}

static void run_round(greedy *g, uint32_t period)
{
    size_t changed = g->changed_count;
    find_candidates(g, period);
    for (size_t i = 0, next; i < g->candidate_count; i = next) {
        for (next = i + 1; next < g->candidate_count; next++)
            if (g->candidates[next].slot >= g->candidates[next - 1].stop)
                break;
        measure_chain(g, i, next);
        if (g->near_optimal)
            replace_in_order(g, i, next, period);
        else
            replace_by_iterations(g, i, next, period);
    }
    if (g->changed_count > changed)
        greedy_search_changed(g, changed);
}

static void run_stages(greedy *g)
{
    for (uint32_t reach = 1; g->used / g->least > reach / 2; reach *= 2) {
        greedy_begin_stage(g, reach);
        while (g->place_left) {
            uint32_t period = g->lowest;
            while (!g->head[period])
                period++;
            g->lowest = period;
            run_round(g, period);
        }
    }
    greedy_compact(g);
}

static void begin(greedy *g, const uint32_t *symbols, size_t size)
{
    dense d = dense_of(symbols, size);
    g->nest = nest_new(d.symbols, d.alphabet);
    free(d.symbols);
    g->size = g->used = (uint32_t)size;
    g->code = d.text;
    g->code[size] = NONE;
    g->next = memory_grow(NULL, size, sizeof *g->next);
    g->prev = memory_grow(NULL, size, sizeof *g->prev);
    for (uint32_t i = 0; i < size; i++) {
        g->next[i] = i + 1;
        g->prev[i] = i - 1;
    }
}

static void end(greedy *g)
{
    void *all[] = {g->code,       g->next,      g->prev,       g->head,        g->places,
                   g->runs.all,   g->changed,   g->window,     g->window_slot, g->work.next,
                   g->work.match, g->found.all, g->candidates, g->heap,        g->body};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    rotations_free(&g->known);
}

nest *nest_greedy(const uint32_t *symbols, size_t size)
{
    greedy g = {.least = 2};
    begin(&g, symbols, size);
    run_stages(&g);
    nest_set_root(g.nest, g.code, g.size);
    end(&g);
    return g.nest;
}

/* Copies a sequence of items of one nest to another, as `renamed` says, and reduces it to its optimal nest there. */
static size_t reduce_items(nest *to, uint32_t *out, const uint32_t *items, size_t size, const nest *from,
                           const uint32_t *renamed)
{
    for (size_t i = 0; i < size; i++)
        out[i] = nest_is_loop(from, items[i]) ? renamed[items[i] - from->alphabet] : items[i];
    return nest_reduce(to, out, size);
}

nest *nest_near_optimal(const uint32_t *symbols, size_t size)
{
    greedy g = {.least = 4, .near_optimal = true};
    begin(&g, symbols, size);
    run_stages(&g);
    /* Near-optimal: now makes the loops of 3 or fewer iterations, in each body and in the root. */
    nest *n = nest_new(g.nest->symbols, g.nest->alphabet);
    uint32_t *renamed = memory_grow(NULL, g.nest->loop_count, sizeof *renamed);
    uint32_t *items = memory_grow(NULL, size + 1, sizeof *items);
    for (uint32_t i = 0; i < g.nest->loop_count; i++) {
        const nest_loop *loop = g.nest->loops + i;
        size_t count = reduce_items(n, items, g.nest->items + loop->first, loop->size, g.nest, renamed);
        renamed[i] = nest_intern(n, items, (uint32_t)count, loop->iterations);
    }
    size_t count = reduce_items(n, items, g.code, g.size, g.nest, renamed);
    nest_set_root(n, items, count);
    free(renamed);
    free(items);
    nest_free(g.nest);
    end(&g);
    return n;
}
