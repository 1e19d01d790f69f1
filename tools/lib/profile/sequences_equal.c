/* SPDX-License-Identifier: MIT */
/* Steps:
 * 1. Paths get codes, from 1 on, in their order.
 * 2. Equal windows are found by open addressing. The hash of a window follows from that of the one before:
 *        h(i) = sum of m(path[i + n]) B^(k - 1 - n),   h(i + 1) = (h(i) - m(path[i]) B^(k - 1)) B + m(path[i + k])
 *    Each thread takes the windows whose hash is its own. A slot is asked for some windows ahead, so that the processor
 *    need not wait for memory. */
#include "tools/lib/profile/sequences_equal.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/base/threads.h"

/* A window, by its first place in the stream. */
typedef struct window_slot {
    uint32_t first, tag;
    uint32_t count;  /* 0: a free slot */
    uint32_t number; /* of its part's windows, by their first places */
} window_slot;

typedef struct slots {
    window_slot *all;
    size_t mask, used;
} slots;

/* A path by its place in the order of all. */
typedef struct ranked {
    uint32_t place, number;
} ranked;

typedef struct finding {
    const kept_stream *s;
    unsigned k;
    size_t parts;
    slots found[THREADS_MAX];
    equal_windows to;
} finding;

/* ---- step 1 ---- */

static int by_place(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static void find_codes(finding *w, const uint32_t *rank)
{
    const numbering *of = &w->s->of;
    ranked *order = memory_grow(NULL, of->count + (size_t)1, sizeof *order);
    w->to.code = memory_grow(NULL, of->count + (size_t)1, sizeof *w->to.code);
    w->to.codes = of->count;
    w->to.value = memory_grow(NULL, of->count + (size_t)1, sizeof *w->to.value);
    for (uint32_t i = 0; i < of->count; i++)
        order[i] = (ranked){rank ? rank[of->values[i]] : of->values[i], i};
    if (of->count)
        qsort(order, of->count, sizeof *order, by_place);
    for (uint32_t i = 0; i < of->count; i++) {
        w->to.code[order[i].number] = i + 1;
        w->to.value[i + 1] = of->values[order[i].number];
    }
    free(order);
}

static void find_lengths(finding *w)
{
    const kept_stream *s = w->s;
    size_t end = s->count, start = s->start_count;
    w->to.length = memory_grow(NULL, s->count + 1, 1);
    for (size_t i = s->count; i-- > 0;) {
        w->to.length[i] = (uint8_t)(end - i < w->k ? end - i : w->k);
        while (start && s->starts[start - 1] > i)
            start--;
        if (start && s->starts[start - 1] == i)
            end = i;
    }
}

/* ---- step 2 ---- */

enum { AHEAD = 32 /* windows that are looked up at once : 8 to 128 */ };
#define BASE 0x9e3779b97f4a7c15u

static inline uint64_t mixed(uint32_t number)
{
    uint64_t m = (number + UINT64_C(1)) * 0xd6e8feb86659fd93u;
    return m ^ m >> 32;
}

static uint64_t hash_of(const finding *w, size_t at, unsigned length, uint64_t sum)
{
    if (length < w->k) { /* as if an m of 0 came after it */
        sum = 0;
        for (unsigned n = 0; n < w->k; n++)
            sum = sum * BASE + (n < length ? mixed(w->s->numbers[at + n]) : 0);
    }
    sum *= 0xff51afd7ed558ccdu;
    return sum ^ sum >> 32;
}

static void put_slot(slots *t, window_slot one)
{
    size_t at = one.tag & t->mask;
    while (t->all[at].count)
        at = (at + 1) & t->mask;
    t->all[at] = one;
}

static void make_room(slots *t)
{
    slots old = *t;
    if (4 * (t->used + AHEAD) <= 3 * (t->mask + 1) && t->all)
        return;
    t->mask = t->all ? 2 * t->mask + 1 : 4095;
    t->all = memory_table(t->mask + 1, sizeof *t->all);
    for (size_t i = 0; old.all && i <= old.mask; i++)
        if (old.all[i].count)
            put_slot(t, old.all[i]);
    free(old.all);
}

static bool same_window(const finding *w, uint32_t a, uint32_t b)
{
    return w->to.length[a] == w->to.length[b] &&
           !memcmp(w->s->numbers + a, w->s->numbers + b, w->to.length[a] * sizeof *w->s->numbers);
}

static void count_window(const finding *w, slots *t, uint32_t first, uint32_t tag)
{
    size_t at = tag & t->mask;
    while (t->all[at].count && (t->all[at].tag != tag || !same_window(w, t->all[at].first, first)))
        at = (at + 1) & t->mask;
    if (!t->all[at].count) {
        t->all[at] = (window_slot){first, tag, 0, (uint32_t)t->used++};
    }
    t->all[at].count++;
}

static void count_ahead(const finding *w, slots *t, const window_slot *ahead, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const window_slot *slot = &t->all[ahead[i].tag & t->mask];
        if (slot->tag == ahead[i].tag)
            __builtin_prefetch(w->s->numbers + slot->first);
    }
    for (unsigned i = 0; i < count; i++)
        count_window(w, t, ahead[i].first, ahead[i].tag);
}

/* The part's share of all windows. */
static void count_part(void *own, size_t part)
{
    finding *w = own;
    slots *t = &w->found[part];
    window_slot ahead[AHEAD];
    unsigned waiting = 0;
    uint64_t sum = 0, power = 1;
    for (unsigned n = 0; n < w->k; n++) {
        sum = sum * BASE + (n < w->s->count ? mixed(w->s->numbers[n]) : 0);
        power *= n ? BASE : 1;
    }
    make_room(t);
    for (size_t i = 0; i < w->s->count; i++) {
        uint64_t hash = hash_of(w, i, w->to.length[i], sum),
                 next = i + w->k < w->s->count ? mixed(w->s->numbers[i + w->k]) : 0;
        sum = (sum - mixed(w->s->numbers[i]) * power) * BASE + next;
        if ((hash >> 40) % w->parts != part)
            continue;
        ahead[waiting] = (window_slot){(uint32_t)i, (uint32_t)hash, 0, 0};
        __builtin_prefetch(&t->all[ahead[waiting++].tag & t->mask]);
        if (waiting < AHEAD)
            continue;
        count_ahead(w, t, ahead, waiting);
        make_room(t);
        waiting = 0;
    }
    count_ahead(w, t, ahead, waiting);
}

static void gather(finding *w)
{
    size_t first = 0;
    for (size_t part = 0; part < w->parts; part++)
        w->to.count += w->found[part].used;
    w->to.window = memory_grow(NULL, w->to.count + 1, sizeof *w->to.window);
    for (size_t part = 0; part < w->parts; part++) {
        const slots *t = &w->found[part];
        for (size_t i = 0; i <= t->mask; i++)
            if (t->all[i].count)
                w->to.window[first + t->all[i].number] = (equal_window){t->all[i].first, t->all[i].count};
        first += t->used;
        free(t->all);
    }
}

equal_windows equal_windows_find(const kept_stream *s, unsigned k, const uint32_t *rank)
{
    finding w = {.s = s, .k = k, .parts = threads_count()};
    find_codes(&w, rank);
    find_lengths(&w);
    threads_run(w.parts, count_part, &w);
    gather(&w);
    return w.to;
}

void equal_windows_free(equal_windows *w)
{
    free(w->code);
    free(w->value);
    free(w->length);
    free(w->window);
}
