/* SPDX-License-Identifier: MIT */
/* The greedy nest (Xu, Subhlok & Hammen, section V, figure 1) and the near-optimal one (section VII).
 *
 * Figure 1 in rounds: the smallest period that has a repeat is found, the repeats of that period are replaced by loop
 * symbols (most iterations first, then the earliest, none that overlaps a chosen one), and all starts anew with period 1.
 * Done literally this is quadratic. Here:
 *
 * 1. The sequence is kept as slots; a replaced repeat keeps its first slot, the others are skipped by links.
 * 2. Stages for periods up to 2, 4, 8, ... = `reach`. A stage begins with a list, by period, of the places where a square
 *    (two copies) or, near-optimal, four copies of some period up to `reach` begin.
 * 3. A round takes the places of the smallest period, widens those that still hold to runs, chooses, replaces.
 * 4. A replacement makes new squares only where it touches, so 2 * reach slots on either side of each new loop symbol are
 *    searched again, for all periods up to reach. A replacement of period p removes 2p - 1 symbols, and reach / 2 < p but
 *    for those that earlier ones of this stage caused: so the work is O(log n) a symbol removed.
 * 5. At the beginning of a stage, all places come from a search of the whole sequence, or from the runs of the last such
 *    search and the neighbourhood of what has changed since, whichever is less. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/loops/nest.h"
#include "tools/lib/loops/repeats.h"

enum {
    DIRECT_MAX = 16, /* up to this reach, neighbourhoods are searched period by period */
    NONE = 0xffffffff
};

/* Where copies begin; chained by period. */
typedef struct place {
    uint32_t slot, chain;
} place;

/* A run found in the sequence as it is now, and what is left of it by its neighbours. Positions x count symbols from
 * the first of the runs that overlap each other. */
typedef struct candidate {
    uint32_t slot; /* of its first symbol that is left ... */
    uint64_t base; /* ... and its position */
    uint32_t stop; /* slot behind the last */
    uint32_t turn; /* slot from which on no further square begins */
    uint64_t start, end, low, high;
    uint64_t best;       /* where the chosen repeat would start ... */
    uint32_t iterations; /* ... and its iterations; 0: none */
} candidate;

/* A known body under all its rotations: that of the least one, and where the known one starts in it. */
typedef struct rotation {
    uint64_t hash;
    size_t first; /* the least rotation: bodies[first .. first + size) */
    uint32_t size, offset;
} rotation;

typedef struct greedy {
    nest *nest;
    uint32_t least;        /* iterations that a loop must have: 2, or 4 */
    bool near_optimal;     /* rotate bodies, share by order */
    uint32_t size;         /* slots */
    uint32_t used;         /* symbols of the sequence now */
    uint32_t *code;        /* one more than slots: an end that equals nothing */
    uint32_t *next, *prev; /* links; next[i] == 0: dead; the last links to `size` */
    uint32_t reach;
    uint32_t *head;  /* by period up to reach: first place + 1 */
    uint32_t lowest; /* all places have at least this period */
    uint32_t place_left;
    place *places;
    uint32_t place_count, place_max, place_free;
    run_list runs; /* of the whole sequence when they were found, by rising period, as slots */
    size_t runs_at;
    bool runs_known;
    uint32_t *changed; /* slots of the loop symbols made since then */
    size_t changed_count, changed_max;
    uint32_t *window, *window_slot; /* a neighbourhood */
    size_t window_max;
    runs_work work;
    run_list found; /* in a neighbourhood */
    size_t work_max;
    candidate *candidates;
    size_t candidate_count, candidate_max;
    uint32_t *heap; /* of candidates */
    size_t heap_max;
    uint32_t *body;
    size_t body_max;
    uint32_t *bodies; /* least rotations of known bodies */
    size_t bodies_count, bodies_max;
    rotation *rotations; /* hash table */
    size_t rotation_count, rotation_max;
} greedy;

/* ---- places ---- */

static void add_place(greedy *g, uint32_t period, uint32_t slot)
{
    uint32_t i = g->place_free;
    if (i != NONE) {
        g->place_free = g->places[i].chain;
    } else {
        if (g->place_count == g->place_max) {
            g->place_max = 2 * g->place_max + 256;
            g->places = memory_grow(g->places, g->place_max, sizeof *g->places);
        }
        i = g->place_count++;
    }
    g->places[i] = (place){slot, g->head[period]};
    g->head[period] = i + 1;
    g->place_left++;
    g->lowest = period < g->lowest ? period : g->lowest;
}

/* ---- searching ---- */

/* Adds the places in text[0..size) that begin `least` copies of a period low..high; slot_of NULL: slots are positions. */
static void search_directly(greedy *g, const uint32_t *text, const uint32_t *slot_of, size_t size, uint32_t low,
                            uint32_t high)
{
    for (uint32_t p = low; p <= high && p < size; p++) {
        uint32_t same = 0, enough = (g->least - 1) * p;
        for (size_t i = 0; i + p < size; i++) {
            same = text[i] == text[i + p] ? same + 1 : 0;
            if (same == enough) {
                uint32_t first = (uint32_t)(i + 1 - same);
                add_place(g, p, slot_of ? slot_of[first] : first);
            }
        }
    }
}

static void need_work(greedy *g, size_t size)
{
    if (size + 1 <= g->work_max)
        return;
    g->work_max = size + 1;
    free(g->work.next);
    free(g->work.match);
    g->work.next = memory_grow(NULL, g->work_max, sizeof(uint32_t));
    g->work.match = memory_grow(NULL, g->work_max, sizeof(uint32_t));
}

static void search_window(greedy *g, size_t size)
{
    if (g->reach <= DIRECT_MAX) {
        search_directly(g, g->window, g->window_slot, size, 1, g->reach);
        return;
    }
    need_work(g, size);
    g->found.count = 0;
    runs_find(g->window, size, g->reach, &g->work, &g->found);
    for (size_t i = 0; i < g->found.count; i++) {
        const run *r = g->found.all + i;
        if ((uint64_t)(r->end - r->start) >= (uint64_t)g->least * r->period)
            add_place(g, r->period, g->window_slot[r->start]);
    }
}

static void gather(greedy *g, size_t at, uint32_t slot)
{
    if (at == g->window_max) {
        g->window_max = 2 * g->window_max + 1024;
        g->window = memory_grow(g->window, g->window_max, sizeof *g->window);
        g->window_slot = memory_grow(g->window_slot, g->window_max, sizeof *g->window_slot);
    }
    g->window[at] = g->code[slot];
    g->window_slot[at] = slot;
}

static int compare_slots(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_slots(uint32_t *slots, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (slots[i] < slots[i - 1]) {
            qsort(slots, count, sizeof *slots, compare_slots);
            return;
        }
}

/* Searches around changed[first..): least * reach symbols to either side (step 4). */
static void search_changed(greedy *g, size_t first)
{
    uint64_t radius = (uint64_t)g->least * g->reach;
    sort_slots(g->changed + first, g->changed_count - first);
    for (size_t i = first; i < g->changed_count;) {
        uint32_t slot = g->changed[i];
        if (!g->next[slot]) {
            i++;
            continue;
        }
        for (uint64_t left = radius; left && slot; left--)
            slot = g->prev[slot];
        size_t count = 0;
        bool passed = false;
        for (uint64_t after = 0; slot < g->size && after < radius; slot = g->next[slot]) {
            gather(g, count++, slot);
            after += passed;
            while (i < g->changed_count && g->changed[i] <= slot) {
                i++;
                passed = true;
                after = 0;
            }
        }
        search_window(g, count);
    }
}

/* ---- stages ---- */

/* Closes the gaps: slots are positions again. */
static void compact(greedy *g)
{
    uint32_t to = 0;
    for (uint32_t slot = 0; slot < g->size; to++) {
        uint32_t next = g->next[slot];
        g->code[to] = g->code[slot];
        slot = next;
    }
    g->size = g->used;
    g->code[g->size] = NONE;
    for (uint32_t i = 0; i < g->size; i++) {
        g->next[i] = i + 1;
        g->prev[i] = i - 1;
    }
    g->changed_count = 0;
    g->runs_known = false;
}

static int compare_periods(const void *a, const void *b)
{
    uint32_t x = ((const run *)a)->period, y = ((const run *)b)->period;
    return (x > y) - (x < y);
}

/* All runs of the whole sequence with at least `least` iterations. */
static void find_all_runs(greedy *g)
{
    compact(g);
    need_work(g, g->size);
    g->runs.count = 0;
    runs_find(g->code, g->size, g->size / g->least, &g->work, &g->runs);
    size_t kept = 0;
    for (size_t i = 0; i < g->runs.count; i++) {
        run r = g->runs.all[i];
        if ((uint64_t)(r.end - r.start) >= (uint64_t)g->least * r.period)
            g->runs.all[kept++] = r;
    }
    g->runs.count = kept;
    if (kept)
        qsort(g->runs.all, kept, sizeof *g->runs.all, compare_periods);
    g->runs_at = 0;
    g->runs_known = true;
    free(g->work.next);
    free(g->work.match);
    g->work = (runs_work){0};
    g->work_max = 0;
}

/* Step 5. */
static void begin_stage(greedy *g, uint32_t reach)
{
    g->reach = reach;
    free(g->head);
    g->head = memory_zero((size_t)reach + 1, sizeof *g->head);
    g->place_count = g->place_left = 0;
    g->place_free = NONE;
    g->lowest = NONE;
    if (reach <= DIRECT_MAX) {
        compact(g);
        search_directly(g, g->code, NULL, g->size, reach / 2 + 1, reach);
        return;
    }
    uint64_t around = g->changed_count * (2 * (uint64_t)g->least * reach + 1);
    if (!g->runs_known || around > g->used / 2)
        find_all_runs(g);
    else
        search_changed(g, 0);
    while (g->runs_at < g->runs.count && g->runs.all[g->runs_at].period <= reach) {
        const run *r = g->runs.all + g->runs_at++;
        add_place(g, r->period, r->start);
    }
}

/* ---- a round ---- */

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

/* All runs of the period that its places tell of, by place. */
static void find_candidates(greedy *g, uint32_t period)
{
    size_t count = 0;
    uint32_t i = g->head[period];
    g->head[period] = 0;
    for (; i; count++) {
        place *p = g->places + i - 1;
        uint32_t chain = p->chain;
        gather(g, count, p->slot);
        p->chain = g->place_free;
        g->place_free = i - 1;
        i = chain;
    }
    g->place_left -= (uint32_t)count;
    uint32_t *slots = g->window_slot;
    for (size_t k = 0; k < count / 2; k++) {
        uint32_t swap = slots[k];
        slots[k] = slots[count - 1 - k];
        slots[count - 1 - k] = swap;
    }
    sort_slots(slots, count);
    g->candidate_count = 0;
    uint32_t turn = 0;
    for (size_t k = 0; k < count; k++) {
        candidate c;
        if (slots[k] < turn || !g->next[slots[k]] || !widen(g, slots[k], period, &c))
            continue;
        turn = c.turn;
        if (g->candidate_count == g->candidate_max) {
            g->candidate_max = 2 * g->candidate_max + 64;
            g->candidates = memory_grow(g->candidates, g->candidate_max, sizeof *g->candidates);
        }
        g->candidates[g->candidate_count++] = c;
    }
}

/* The repeat of the run with most iterations, then the earliest, in low..high. A repeat starts in the run's first period
 * (else a copy would stand before it) and goes as far as copies fit (else one would stand behind it). */
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

/* ---- rotations (near-optimal) ---- */

/* Where the least rotation of body[0..size) starts (Duval). */
static uint32_t least_rotation(const uint32_t *body, uint32_t size)
{
    uint32_t i = 0, j = 1, k = 0;
    while (i < size && j < size && k < size) {
        uint32_t a = body[(i + k) % size], b = body[(j + k) % size];
        if (a == b) {
            k++;
            continue;
        }
        if (a > b)
            i += k + 1;
        else
            j += k + 1;
        j += i == j;
        k = 0;
    }
    return i < j ? i : j;
}

static void rotations_grow(greedy *g)
{
    rotation *old = g->rotations;
    size_t old_max = g->rotation_max;
    g->rotation_max = old_max ? 2 * old_max : 64;
    g->rotations = memory_zero(g->rotation_max, sizeof *g->rotations);
    for (size_t i = 0; i < old_max; i++)
        if (old[i].size) {
            size_t at = old[i].hash & (g->rotation_max - 1);
            while (g->rotations[at].size)
                at = (at + 1) & (g->rotation_max - 1);
            g->rotations[at] = old[i];
        }
    free(old);
}

/* How far g->body[0..size) must be turned left to become a known body; if none is known, it is from now on. */
static uint32_t turn_to_known(greedy *g, uint32_t size)
{
    const uint32_t *body = g->body;
    uint32_t least = least_rotation(body, size);
    uint64_t hash = size;
    for (uint32_t i = 0; i < size; i++)
        hash = (hash ^ body[(least + i) % size]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    if (2 * g->rotation_count >= g->rotation_max)
        rotations_grow(g);
    size_t at = hash & (g->rotation_max - 1);
    for (; g->rotations[at].size; at = (at + 1) & (g->rotation_max - 1)) {
        const rotation *known = g->rotations + at;
        uint32_t same = 0;
        while (known->size == size && same < size && g->bodies[known->first + same] == body[(least + same) % size])
            same++;
        if (same == size)
            return (least + known->offset) % size;
    }
    if (g->bodies_count + size > g->bodies_max) {
        g->bodies_max = 2 * g->bodies_max + size + 64;
        g->bodies = memory_grow(g->bodies, g->bodies_max, sizeof *g->bodies);
    }
    g->rotations[at] = (rotation){hash, g->bodies_count, size, (size - least) % size};
    g->rotation_count++;
    for (uint32_t i = 0; i < size; i++)
        g->bodies[g->bodies_count++] = body[(least + i) % size];
    return 0;
}

/* ---- replacing ---- */

static void take_body(greedy *g, uint32_t slot, uint32_t period)
{
    if (period > g->body_max) {
        g->body_max = 2 * (size_t)period;
        g->body = memory_grow(g->body, g->body_max, sizeof *g->body);
    }
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
    if (g->changed_count == g->changed_max) {
        g->changed_max = 2 * g->changed_max + 256;
        g->changed = memory_grow(g->changed, g->changed_max, sizeof *g->changed);
    }
    g->changed[g->changed_count++] = slot;
}

/* Replaces the best repeat of a run; low and high become its ends. */
static void replace_best(greedy *g, candidate *c, uint32_t period)
{
    uint64_t start = c->best;
    uint32_t slot = walk(g, c->slot, start - c->base), iterations = c->iterations;
    if (g->near_optimal) {
        take_body(g, slot, period);
        uint32_t turn = turn_to_known(g, period);
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

/* Near-optimal: a run leaves what it shares with the one before it to that one, whatever that makes of it. So all copies
 * of such a chain in an outer loop, but for the first, are replaced alike. */
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

/* Greedy: chooses among the runs first..end by iterations, then place. */
static void replace_by_iterations(greedy *g, size_t first, size_t end, uint32_t period)
{
    size_t count = 0;
    if (end - first > g->heap_max) {
        g->heap_max = 2 * (end - first);
        g->heap = memory_grow(g->heap, g->heap_max, sizeof *g->heap);
    }
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
            if (top > first && c[-1].high > c->low)
                c[-1].high = c->low;
            if (top + 1 < end && c[1].low < c->high) {
                c[1].low = c[1].base = c->high;
                c[1].slot = g->next[c->slot];
            }
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
        search_changed(g, changed);
}

static void run_stages(greedy *g)
{
    for (uint32_t reach = 1; g->used / g->least > reach / 2; reach *= 2) {
        begin_stage(g, reach);
        while (g->place_left) {
            uint32_t period = g->lowest;
            while (!g->head[period])
                period++;
            g->lowest = period;
            run_round(g, period);
        }
    }
    compact(g);
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
    void *all[] = {g->code,       g->next,   g->prev,        g->head,      g->places,     g->runs.all,
                   g->changed,    g->window, g->window_slot, g->work.next, g->work.match, g->found.all,
                   g->candidates, g->heap,   g->body,        g->bodies,    g->rotations};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
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

/* A copy of a sequence of items of one nest as items of another, reduced to its optimal nest there. */
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
    /* The loops of 3 or fewer iterations that are left, in each body and at the top. */
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
