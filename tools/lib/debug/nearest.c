/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/nearest.h"

#include "tools/lib/base/bisect.h"
#include "tools/lib/debug/running.h"
#include "tools/lib/wet/edge.h"
#include "tools/lib/wet/schedule.h"

typedef struct nearing {
    wet_file *f;
    const uint8_t *wanted;
    bool backward;
} nearing;

static bool is_wanted(const nearing *s, uint32_t node, uint32_t statement)
{
    return s->wanted[s->f->nodes[node].n.statements[statement]];
}

/* The statement of a node that is met first. WET_NONE: none of it is wanted. */
static uint32_t statement_of(const nearing *s, uint32_t node)
{
    uint32_t count = s->f->nodes[node].n.statement_count;
    for (uint32_t i = 0; i < count; i++)
        if (is_wanted(s, node, s->backward ? count - 1 - i : i))
            return s->backward ? count - 1 - i : i;
    return WET_NONE;
}

/* Of two executions, none of which may be known yet (time 0). */
static debug_executed nearer(const nearing *s, debug_executed a, debug_executed b)
{
    bool earlier = a.time < b.time || (a.time == b.time && a.statement < b.statement);
    return !b.time || (a.time && earlier != s->backward) ? a : b;
}

/* ---- in the window of the instant ---- */

static debug_executed in_steps(const nearing *s, const debug_window *w, uint32_t from)
{
    for (uint32_t i = from; s->backward ? i > 0 : i + 1 < w->step_count; i += s->backward ? -1u : 1u) {
        const debug_step *step = &w->steps[s->backward ? i - 1 : i + 1];
        if (is_wanted(s, step->node, step->statement))
            return (debug_executed){step->time, step->statement};
    }
    return (debug_executed){0, 0};
}

/* ---- in other windows ---- */

/* The shift of a node that comes next after a window (backwards: the last one before it). NULL: there is none. */
static const wet_shift *shift_next(const nearing *s, uint32_t node, uint32_t window)
{
    const wet_file_node *n = &s->f->nodes[node];
    const size_t size = sizeof *n->shifts, key = offsetof(wet_shift, window);
    if (s->backward) {
        size_t before = bisect_below(n->shifts, n->shift_count, size, key, window);
        return before ? &n->shifts[before - 1] : NULL;
    }
    size_t low = bisect_up_to(n->shifts, n->shift_count, size, key, window);
    return low < n->shift_count ? &n->shifts[low] : NULL;
}

/* The execution in a shift that is met first. */
static debug_executed in_shift(const nearing *s, uint32_t node, const wet_shift *shift, uint32_t statement)
{
    const wet_file_node *n = &s->f->nodes[node];
    uint32_t end = shift + 1 < n->shifts + n->shift_count ? shift[1].first : n->n.count;
    return (debug_executed){wet_time(s->f, node, s->backward ? end - 1 : shift->first), statement};
}

static debug_executed in_windows(const nearing *s, uint32_t window)
{
    debug_executed best = {0, 0};
    uint32_t at = WET_NONE;
    for (uint32_t node = 0; node < s->f->node_count; node++) {
        const wet_shift *shift = statement_of(s, node) != WET_NONE ? shift_next(s, node, window) : NULL;
        if (shift && (at == WET_NONE || (shift->window > at) == s->backward))
            at = shift->window;
    }
    for (uint32_t node = 0; at != WET_NONE && node < s->f->node_count; node++) {
        uint32_t statement = statement_of(s, node);
        const wet_shift *shift = statement != WET_NONE ? shift_next(s, node, window) : NULL;
        if (shift && shift->window == at)
            best = nearer(s, in_shift(s, node, shift, statement), best);
    }
    return best;
}

/* ---- without a schedule: by the timestamps of all nodes ---- */

static debug_executed in_node(const nearing *s, uint32_t node, uint32_t statement, debug_executed from)
{
    uint32_t count = s->f->nodes[node].n.count, rank;
    if (s->backward) {
        rank = wet_rank(s->f, node, statement < from.statement ? from.time : from.time - 1);
        return (debug_executed){rank ? wet_time(s->f, node, rank - 1) : 0, statement};
    }
    rank = wet_rank(s->f, node, statement > from.statement ? from.time - 1 : from.time);
    return (debug_executed){rank < count ? wet_time(s->f, node, rank) : 0, statement};
}

static debug_executed in_nodes(const nearing *s, debug_executed from)
{
    debug_executed best = {0, 0};
    for (uint32_t node = 0; node < s->f->node_count; node++)
        for (uint32_t k = 0; k < s->f->nodes[node].n.statement_count; k++)
            if (is_wanted(s, node, k))
                best = nearer(s, in_node(s, node, k, from), best);
    return best;
}

debug_executed debug_nearest(debug_run *r, debug_instant from, const uint8_t *wanted, bool backward)
{
    const nearing s = {r->source.f, wanted, backward};
    wet_schedule_read(s.f);
    if (!s.f->shifts) {
        const debug_step *step = debug_run_step(r, from);
        return in_nodes(&s, (debug_executed){step->time, step->statement});
    }
    debug_executed found = in_steps(&s, run_window(r, from.window), from.step);
    return found.time ? found : in_windows(&s, from.window);
}
