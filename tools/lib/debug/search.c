/* SPDX-License-Identifier: MIT */
/* The next stop. Breakpoints: the nearest execution of each node that holds the address (nearest.h).
 * Watchpoints: the windows that touched a word of theirs, each looked through in the direction of the search. */
#include "tools/lib/debug/search.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/nearest.h"
#include "tools/lib/debug/running.h"

typedef struct search {
    debug_run *r;
    wet_file *f;
    const debug_points *points;
    bool backward;
    debug_instant from;
    bool found;
    debug_instant best;
    debug_hit hit;
} search;

/* Whether an instant comes before the best one found yet, in the direction of the search. */
static bool is_better(const search *s, debug_instant at)
{
    int order = debug_instant_compare(at, s->best);
    return !s->found || (s->backward ? order > 0 : order < 0);
}

static void take(search *s, debug_instant at, debug_hit hit)
{
    if (!is_better(s, at))
        return;
    s->found = true;
    s->best = at;
    s->hit = hit;
}

/* ---- breakpoints ---- */

static bool is_break(const search *s, uint32_t instruction)
{
    const wet_static *i = &s->f->statics[instruction];
    for (uint32_t k = 0; !i->exception && k < s->points->break_count; k++)
        if (s->points->breaks[k] == i->insn.pc)
            return true;
    return false;
}

uint32_t debug_run_executed(debug_run *r, debug_instant at, bool (*is)(const debug_run *r, const wet_statement *s))
{
    const wet_file *f = r->source.f;
    uint8_t *wanted = memory_zero(f->statement_count + 1, 1);
    for (uint32_t i = 0; i < f->statement_count; i++)
        wanted[i] = is(r, &f->statements[i]);
    debug_executed last = debug_nearest(r, at, wanted, true);
    free(wanted);
    return last.time;
}

static void breaks_search(search *s)
{
    uint8_t *wanted = memory_zero(s->f->statement_count + 1, 1);
    for (uint32_t i = 0; i < s->f->statement_count; i++)
        wanted[i] = is_break(s, s->f->statements[i].instruction);
    debug_executed best = debug_nearest(s->r, s->from, wanted, s->backward);
    free(wanted);
    if (best.time)
        take(s, debug_run_at(s->r, best.time, best.statement), (debug_hit){.end = DEBUG_BREAK});
}

/* ---- watchpoints ---- */

static bool watch_hit(const debug_watch *watch, const debug_access *a)
{
    return !a->core && (a->store ? watch->writes : watch->reads) &&
           (a->address - watch->address < watch->size || watch->address - a->address < a->size);
}

/* Whether a step accesses one of them. */
static bool step_watched(const debug_points *points, const debug_window *w, uint32_t step, debug_hit *hit)
{
    for (uint32_t i = w->steps[step].accesses; i < w->steps[step + 1].accesses; i++)
        for (uint32_t k = 0; k < points->watch_count; k++) {
            const debug_watch *watch = &points->watches[k];
            if (!watch_hit(watch, &w->accesses[i]))
                continue;
            uint32_t address = w->accesses[i].address;
            *hit = (debug_hit){DEBUG_WATCH, k, address - watch->address < watch->size ? address : watch->address};
            return true;
        }
    return false;
}

/* The next window that touched a watched word, from `window` on; WET_NEVER. */
static uint32_t window_watched(const search *s, uint32_t window)
{
    uint32_t best = WET_NEVER;
    for (uint32_t k = 0; k < s->points->watch_count; k++) {
        const debug_watch *watch = &s->points->watches[k];
        unsigned flags = (watch->writes ? (unsigned)WET_WRITTEN : 0) | (watch->reads ? (unsigned)WET_READ : 0);
        for (uint64_t a = watch->address & ~3u; a < watch->address + (uint64_t)watch->size; a += 4) {
            uint32_t at = wet_past_touched(s->r->source.past, (uint32_t)a >> 2, flags, window, s->backward);
            if (at != WET_NEVER && (best == WET_NEVER || (s->backward ? at > best : at < best)))
                best = at;
        }
    }
    return best;
}

/* Steps of a window, from `step` on in the direction of the search (backwards: those before it). */
static bool window_search(search *s, uint32_t window, uint32_t step)
{
    const debug_window *w = run_window(s->r, window);
    debug_hit hit;
    uint32_t i = s->backward && step > w->step_count ? w->step_count : step;
    for (; s->backward ? i > 0 : i < w->step_count; i += s->backward ? -1u : 1u) {
        debug_instant at = {window, i - s->backward};
        if (!step_watched(s->points, w, at.step, &hit))
            continue;
        if (!s->backward || debug_run_next(s->r, &at))
            take(s, at, hit);
        return true;
    }
    return false;
}

bool debug_run_watched(debug_run *r, debug_instant at, const debug_points *points, bool backward, debug_hit *hit)
{
    if (!points->watch_count || (backward && !debug_run_previous(r, &at)))
        return false;
    return step_watched(points, run_window(r, at.window), at.step, hit);
}

static void watches_search(search *s)
{
    uint32_t window = s->from.window, step = s->from.step;
    while (window != WET_NEVER && is_better(s, (debug_instant){window, s->backward ? UINT32_MAX : 0})) {
        if (window_search(s, window, step))
            return;
        if (s->points->interrupted && s->points->interrupted(s->points->context)) {
            take(s, (debug_instant){window, 0}, (debug_hit){.end = DEBUG_INTERRUPTED});
            return;
        }
        if (s->backward ? !window : window + 1 >= run_windows(s->r))
            return;
        window = window_watched(s, s->backward ? window - 1 : window + 1);
        step = s->backward ? UINT32_MAX : 0;
    }
}

debug_hit debug_run_search(debug_run *r, debug_instant *at, const debug_points *points, bool backward)
{
    search s = {.r = r, .f = r->source.f, .points = points, .backward = backward, .from = *at};
    if (points->until)
        take(&s, *points->until, (debug_hit){.end = DEBUG_LIMIT});
    if (points->break_count)
        breaks_search(&s);
    if (points->watch_count)
        watches_search(&s);
    if (!s.found) {
        *at = backward ? debug_run_first(r) : debug_run_last(r);
        return (debug_hit){.end = DEBUG_LIMIT};
    }
    *at = s.best;
    const debug_window *w = run_window(r, at->window);
    if (w->steps[at->step].exception) /* only where a search was interrupted */
        debug_run_next(r, at);
    return s.hit;
}
