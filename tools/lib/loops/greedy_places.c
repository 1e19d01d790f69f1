/* SPDX-License-Identifier: MIT */
/* Steps 2, 4 and 5 of greedy.c: where repeats begin. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/loops/greedy_state.h"

enum { DIRECT_MAX = 16 /* the largest reach at which neighbourhoods are searched period by period */ };

/* ---- places ---- */

static void add_place(greedy *g, uint32_t period, uint32_t slot)
{
    uint32_t i = g->place_free;
    if (i != NONE) {
        g->place_free = g->places[i].chain;
    } else {
        g->places = memory_room(g->places, g->place_count, &g->places_max, sizeof *g->places);
        i = g->place_count++;
    }
    g->places[i] = (place){slot, g->head[period]};
    g->head[period] = i + 1;
    g->place_left++;
    g->lowest = period < g->lowest ? period : g->lowest;
}

/* ---- searching ---- */

/* Adds the places in text[0..size) that begin `least` copies of a period low..high. slot_of NULL: slots are
 * positions. */
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
    size_t max = g->window_max;
    g->window = memory_room(g->window, at, &g->window_max, sizeof *g->window);
    if (g->window_max != max)
        g->window_slot = memory_grow(g->window_slot, g->window_max, sizeof *g->window_slot);
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

void greedy_search_changed(greedy *g, size_t first)
{
    uint64_t radius = (uint64_t)g->least * g->reach; /* symbols to either side */
    if (first == g->changed_count)
        return;
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

void greedy_compact(greedy *g)
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

/* Finds all runs of the whole sequence with at least `least` iterations. */
static void find_all_runs(greedy *g)
{
    greedy_compact(g);
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

void greedy_begin_stage(greedy *g, uint32_t reach)
{
    g->reach = reach;
    free(g->head);
    g->head = memory_zero((size_t)reach + 1, sizeof *g->head);
    g->place_count = g->place_left = 0;
    g->place_free = NONE;
    g->lowest = NONE;
    if (reach <= DIRECT_MAX) {
        greedy_compact(g);
        search_directly(g, g->code, NULL, g->size, reach / 2 + 1, reach);
        return;
    }
    uint64_t around = g->changed_count * (2 * (uint64_t)g->least * reach + 1);
    if (!g->runs_known || around > g->used / 2)
        find_all_runs(g);
    else
        greedy_search_changed(g, 0);
    while (g->runs_at < g->runs.count && g->runs.all[g->runs_at].period <= reach) {
        const run *r = g->runs.all + g->runs_at++;
        add_place(g, r->period, r->start);
    }
}

size_t greedy_take_places(greedy *g, uint32_t period)
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
    for (size_t k = 0; k < count / 2; k++) { /* the chain is in falling order, mostly */
        uint32_t swap = slots[k];
        slots[k] = slots[count - 1 - k];
        slots[count - 1 - k] = swap;
    }
    sort_slots(slots, count);
    return count;
}
