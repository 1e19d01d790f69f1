/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/running.h"

#include "tools/lib/debug/window_make.h"

/* The window that is being made, if it is this one. */
static debug_window *window_made(debug_run *r, uint32_t number)
{
    debug_making *m = r->beyond;
    if (!m || debug_making_number(m) != number)
        return debug_window_new(&r->source, number);
    r->beyond = NULL;
    return debug_making_end(m);
}

debug_window *run_window(debug_run *r, uint32_t number)
{
    unsigned oldest = 0;
    for (unsigned i = 0; i < RUN_WINDOWS; i++) {
        debug_window *w = r->windows[i];
        if (w && w->number == number) {
            w->used = ++r->asked;
            return w;
        }
        if (!w || (r->windows[oldest] && w->used < r->windows[oldest]->used))
            oldest = i;
    }
    if (r->windows[oldest])
        debug_window_free(r->windows[oldest]);
    r->windows[oldest] = window_made(r, number);
    r->windows[oldest]->used = ++r->asked;
    return r->windows[oldest];
}

static bool is_kept(const debug_run *r, uint32_t number)
{
    for (unsigned i = 0; i < RUN_WINDOWS; i++)
        if (r->windows[i] && r->windows[i]->number == number)
            return true;
    return false;
}

/* The window beyond a border that is some steps away; at most `at` steps: all of it, else a share for each step. */
static void beyond_prepare(debug_run *r, uint32_t number, uint32_t steps, uint32_t at)
{
    if (steps > RUN_NEAR || number >= run_windows(r) || is_kept(r, number))
        return;
    if (steps <= at) {
        run_window(r, number);
        return;
    }
    if (r->beyond && debug_making_number(r->beyond) != number) {
        debug_making_free(r->beyond);
        r->beyond = NULL;
    }
    if (r->beyond)
        debug_making_go(r->beyond, debug_making_left(r->beyond) / (steps - at) + 1);
    else
        r->beyond = debug_making_new(&r->source, number);
}

static uint32_t steps_left(debug_run *r, debug_instant at)
{
    return run_window(r, at.window)->step_count - at.step;
}

void run_prepare(debug_run *r, debug_instant at, bool backward)
{
    if (backward)
        beyond_prepare(r, at.window - 1, at.step, RUN_AT);
    else
        beyond_prepare(r, at.window + 1, steps_left(r, at), RUN_AT);
}

void run_arrive(debug_run *r, debug_instant at)
{
    if (at.step <= RUN_JUMP)
        beyond_prepare(r, at.window - 1, at.step, RUN_JUMP);
    if (steps_left(r, at) <= RUN_JUMP)
        beyond_prepare(r, at.window + 1, steps_left(r, at), RUN_JUMP);
}

uint32_t run_windows(const debug_run *r)
{
    return (r->source.f->time - 1) / r->source.f->window + 1;
}

uint32_t run_step_of(const debug_window *w, uint32_t time, uint32_t statement)
{
    uint32_t low = 0, high = w->step_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const debug_step *s = &w->steps[middle];
        if (s->time < time || (s->time == time && s->statement < statement))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
