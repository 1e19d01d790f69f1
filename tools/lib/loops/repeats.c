/* SPDX-License-Identifier: MIT */
/* Two passes, one per order of the symbols. A pass goes from right to left and keeps, for each position i,
 *
 *     next[i]   the next position whose suffix is smaller: [i, next[i]) is the longest Lyndon word at i
 *     match[i]  LCE(i, next[i]), the length that the two suffixes share
 *
 * 1. The chain i+1, next[i+1], next[next[i+1]], ... contains the only candidates for next[i].
 * 2. From one candidate c to the next, d = next[c], LCE(i,c) and LCE(c,d) decide, unless they are equal. Then the
 *    comparison goes on from there, never from the start.
 * 3. If [i,d) stands again at d, the answer is that of d and d + (d - i), which is known: LCE(d, next[d]), or, where d
 *    has passed that candidate, the length kept in match[] of the candidate passed. (If d has not passed it, the two
 *    share less than d - i symbols.)
 * 4. A word whose extension to both sides reaches two periods is the root of a run. The run is reported at its first
 *    root: there the extension to the left is shorter than a period.
 *
 * Cost. What step 2 compares again is at most the shorter of the words [i,d) and [d,next[d]), which are then joined, or
 * become neighbours under one parent. So each symbol is charged O(log n) times (small to large). The same holds for the
 * extension to the left. */
#include "tools/lib/loops/repeats.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

typedef struct pass {
    const uint32_t *text;
    size_t size;
    uint32_t period_max;
    bool reverse; /* larger symbols first, and the end of the text last instead of first */
    uint32_t *next, *match;
    run_list *list;
} pass;

/* Symbols that the suffixes at `a` < `b` share, `known` of them known, at most `max`. */
static uint32_t extend(const uint32_t *text, uint32_t a, uint32_t b, uint32_t known, uint32_t max)
{
    const uint32_t *x = text + a, *y = text + b;
    uint32_t m = known;
    while (m + 2 <= max) {
        uint64_t p, q;
        memcpy(&p, x + m, sizeof p);
        memcpy(&q, y + m, sizeof q);
        if (p != q)
            return m + (x[m] == y[m]);
        m += 2;
    }
    return m + (m < max && x[m] == y[m]);
}

/* LCE(d, d + period), where the suffix at d is the smaller one and nothing before d + period is smaller. If they share
 * a period, d has passed d + period as a candidate. */
static uint32_t match_beyond(const pass *w, uint32_t d, uint32_t period)
{
    uint32_t beyond = d + period, left = (uint32_t)w->size - beyond;
    uint32_t m = extend(w->text, d, beyond, 0, period < left ? period : left);
    return m < period ? m : w->match[beyond];
}

/* Compares the suffixes at i and d, which share `*shared` symbols at least (steps 2 and 3). True: that of i is
 * smaller. `*shared` becomes LCE(i,d). */
static inline bool is_smaller(const pass *w, uint32_t i, uint32_t d, uint32_t *shared)
{
    uint32_t period = d - i, left = (uint32_t)w->size - d;
    uint32_t m = extend(w->text, i, d, *shared, period < left ? period : left);
    if (m >= period) {
        uint32_t beyond = d + period;
        bool falls = w->next[d] == beyond && !(w->reverse && beyond == w->size);
        *shared = period + (falls ? w->match[d] : match_beyond(w, d, period));
        return !falls;
    }
    *shared = m;
    if (m == left)
        return w->reverse;
    return (w->text[i + m] < w->text[d + m]) != w->reverse;
}

/* Steps 1 to 3: sets next[i] and match[i]. */
static inline void find_next(const pass *w, uint32_t i)
{
    uint32_t d = i + 1, shared = 0, size = (uint32_t)w->size;
    bool known = false; /* `shared` is exact, and i is smaller */
    while (d < size) {
        if (!known && !is_smaller(w, i, d, &shared)) {
            w->next[i] = d;
            w->match[i] = shared;
            return;
        }
        uint32_t beyond = w->next[d], after = w->match[d];
        w->match[d] = shared; /* from now on LCE(parent, d) */
        d = beyond;
        if (d < size && shared > after) {
            w->next[i] = d;
            w->match[i] = after;
            return;
        }
        known = shared < after;
    }
    w->next[i] = size;
    w->match[i] = 0;
}

static void report(run_list *list, uint32_t start, uint32_t end, uint32_t period)
{
    list->all = memory_room(list->all, list->count, &list->max, sizeof *list->all);
    list->all[list->count++] = (run){start, end, period};
}

/* Step 4. */
static inline void find_run(const pass *w, uint32_t i)
{
    uint32_t j = w->next[i], period = j - i, right = w->match[i], left = 0;
    const uint32_t *text = w->text;
    if (period > w->period_max)
        return;
    if (right < period) {
        /* The farthest symbol that must match is the least likely to. */
        uint32_t need = period - right;
        if (need > i || need == period || text[i - need] != text[j - need])
            return;
    }
    uint32_t max = i < period ? i : period;
    while (left < max && text[i - 1 - left] == text[j - 1 - left])
        left++;
    if (left < period && left + right >= period)
        report(w->list, i - left, j + right, period);
}

void runs_find(const uint32_t *text, size_t size, uint32_t period_max, const runs_work *work, run_list *list)
{
    for (int reverse = 0; reverse < 2; reverse++) {
        pass w = {text, size, period_max, reverse, work->next, work->match, list};
        work->match[size] = 0;
        for (uint32_t i = (uint32_t)size; i-- > 0;) {
            find_next(&w, i);
            if (w.next[i] < size)
                find_run(&w, i);
        }
    }
}

void runs_find_all(const uint32_t *text, size_t size, run_list *list)
{
    runs_work work = {memory_grow(NULL, size + 1, sizeof(uint32_t)), memory_grow(NULL, size + 1, sizeof(uint32_t))};
    runs_find(text, size, UINT32_MAX, &work, list);
    free(work.next);
    free(work.match);
}

void runs_free(run_list *list)
{
    free(list->all);
    *list = (run_list){0};
}
