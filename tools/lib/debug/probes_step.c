/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/probes_step.h"

bool probes_next(const probes_run *r, debug_instant *at)
{
    debug_instant next = {at->window, at->step + 1};
    while (next.window < r->piece_count && next.step >= r->pieces[next.window].count)
        next = (debug_instant){next.window + 1, 0};
    if (next.window >= r->piece_count)
        return false;
    *at = next;
    return true;
}

bool probes_previous(const probes_run *r, debug_instant *at)
{
    debug_instant before = *at;
    while (before.window && !before.step) {
        before.window--;
        before.step = r->pieces[before.window].count;
    }
    if (!before.step)
        return false;
    *at = (debug_instant){before.window, before.step - 1};
    return true;
}
