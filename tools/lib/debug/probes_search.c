/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/probes_search.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/debug/probes_step.h"
#include "tools/lib/debug/probes_words.h"

/* ---- breakpoints ---- */

static bool is_break(const debug_points *points, uint32_t pc)
{
    for (uint32_t i = 0; i < points->break_count; i++)
        if (points->breaks[i] == pc)
            return true;
    return false;
}

/* Which plans hold a breakpoint. */
static uint8_t *plans_wanted(const probes_run *r, const debug_points *points)
{
    uint8_t *wanted = memory_zero(r->plan_count + 1, 1);
    for (uint32_t i = 0; i < r->plan_count; i++)
        for (uint32_t k = 0; !wanted[i] && k < r->plans[i]->count; k++)
            wanted[i] = is_break(points, r->plans[i]->steps[k].pc);
    return wanted;
}

static bool break_in(const probes_run *r, const debug_points *points, uint32_t piece, uint32_t from, bool backward,
                     debug_instant *found)
{
    const probes_piece *p = &r->pieces[piece];
    uint32_t step = backward && from > p->count ? p->count : from;
    for (; backward ? step > 0 : step < p->count; step += backward ? -1u : 1u) {
        *found = (debug_instant){piece, step - backward};
        if (is_break(points, r->plans[p->plan]->steps[p->from + found->step].pc))
            return true;
    }
    return false;
}

/* The nearest breakpoint after `at`, or before it. */
static bool break_find(const probes_run *r, debug_instant at, const debug_points *points, bool backward,
                       debug_instant *found)
{
    uint8_t *wanted = plans_wanted(r, points);
    bool good = false;
    uint32_t step = backward ? at.step : at.step + 1;
    for (uint32_t piece = at.window; !good && piece < r->piece_count; piece += backward ? -1u : 1u) {
        if (r->pieces[piece].count && wanted[r->pieces[piece].plan])
            good = break_in(r, points, piece, step, backward, found);
        step = backward ? UINT32_MAX : 0;
    }
    free(wanted);
    return good;
}

/* ---- watchpoints ---- */

static unsigned bytes_watched(const debug_watch *watch, uint32_t number)
{
    unsigned mask = 0;
    for (unsigned i = 0; i < 4; i++)
        mask |= number * 4 + i - watch->address < watch->size ? 1u << i : 0;
    return mask;
}

/* A load that shows that code without probes has stored something counts as a write. Forward, so does the load that
 * tells what a block's store put there: only then can a debugger compare. */
static bool entry_hits(const debug_watch *watch, const probes_word *w, uint32_t i, unsigned bytes, bool backward)
{
    const probes_entry *e = &w->entries[i];
    if (!(e->touched & bytes))
        return false;
    return (e->store ? watch->writes : watch->reads) ||
           (watch->writes && (probes_entry_changed(w, i) | (backward ? 0 : probes_entry_learned(w, i))) & bytes);
}

/* The nearest access of a word, at `from` or after it; or before it. */
static const probes_entry *entry_find(const probes_word *w, debug_instant from, const debug_watch *watch, bool backward)
{
    unsigned bytes = bytes_watched(watch, w->number);
    uint32_t i = probes_word_before(w, from);
    for (; backward ? i > 0 : i < w->count; i += backward ? -1u : 1u)
        if (entry_hits(watch, w, i - backward, bytes, backward))
            return &w->entries[i - backward];
    return NULL;
}

/* The nearest access of a watchpoint, as far as it was looked for. */
typedef struct watch_nearest {
    bool found;
    debug_instant at;
    debug_hit hit;
} watch_nearest;

/* Takes the nearest access of a watchpoint, if it is nearer than what was found. */
static void watch_find(const probes_run *r, debug_instant from, const debug_points *points, uint32_t number,
                       bool backward, watch_nearest *best)
{
    const debug_watch *watch = &points->watches[number];
    for (uint64_t a = watch->address & ~3u; a < watch->address + (uint64_t)watch->size; a += 4) {
        const probes_word *w = probes_word_find(r, (uint32_t)a >> 2);
        const probes_entry *e = w ? entry_find(w, from, watch, backward) : NULL;
        if (!e)
            continue;
        int order = debug_instant_compare(probes_entry_at(e), best->at);
        if (best->found && (backward ? order <= 0 : order >= 0))
            continue;
        unsigned first = (unsigned)__builtin_ctz(e->touched & bytes_watched(watch, w->number));
        *best = (watch_nearest){true, probes_entry_at(e), {DEBUG_WATCH, number, w->number * 4 + first}};
    }
}

static watch_nearest watches_find(const probes_run *r, debug_instant from, const debug_points *points, bool backward)
{
    watch_nearest best = {.hit = {.end = DEBUG_LIMIT}};
    for (uint32_t i = 0; i < points->watch_count; i++)
        watch_find(r, from, points, i, backward, &best);
    return best;
}

bool probes_watched(probes_run *r, debug_instant at, const debug_points *points, bool backward, debug_hit *hit)
{
    debug_instant step = at;
    if (backward && !probes_previous(r, &step))
        return false;
    watch_nearest nearest = watches_find(r, at, points, backward);
    if (nearest.found)
        *hit = nearest.hit;
    return nearest.found && debug_instant_compare(nearest.at, step) == 0;
}

/* Whether one of two instants (NULL: none) comes before `until`, in the direction of the search. */
static bool is_within(const debug_instant *until, const debug_instant *a, const debug_instant *b, bool backward)
{
    int x = a ? debug_instant_compare(*a, *until) : 0, y = b ? debug_instant_compare(*b, *until) : 0;
    return backward ? x > 0 || y > 0 : x < 0 || y < 0;
}

debug_hit probes_search(probes_run *r, debug_instant *at, const debug_points *points, bool backward)
{
    debug_instant broken;
    watch_nearest nearest = watches_find(r, *at, points, backward);
    debug_instant watched = nearest.at;
    bool watch = nearest.found;
    if (watch && backward)
        probes_next(r, &watched);
    bool at_break = points->break_count && break_find(r, *at, points, backward, &broken);
    if (points->until && !is_within(points->until, at_break ? &broken : NULL, watch ? &watched : NULL, backward)) {
        *at = *points->until;
        return (debug_hit){.end = DEBUG_LIMIT};
    }
    int order = watch && at_break ? debug_instant_compare(broken, watched) : 0;
    if (at_break && (!watch || (backward ? order > 0 : order < 0))) {
        *at = broken;
        return (debug_hit){.end = DEBUG_BREAK};
    }
    *at = watch ? watched : backward ? (debug_instant){0, 0} : (debug_instant){r->piece_count, 0};
    if (!watch && backward && r->piece_count && !r->pieces[0].count)
        probes_next(r, at);
    if (!watch && !backward)
        probes_previous(r, at);
    return nearest.hit;
}
