/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/running.h"

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
    r->windows[oldest] = debug_window_new(&r->source, number);
    r->windows[oldest]->used = ++r->asked;
    return r->windows[oldest];
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
