/* SPDX-License-Identifier: MIT */
/* The paths that a context is in: what is reported of them before their record comes (steps 3 and 4 of replay.c). */
#include "tools/lib/recording/replay_parts.h"

#include <inttypes.h>
#include <stdio.h>

bool replay_misfit(replay *r, const char *what)
{
    if (!r->error[0])
        snprintf(r->error, sizeof r->error,
                 "byte %" PRIu64
                 ": the recording does not fit the program: %s. If this is the image that was traced, an "
                 "interrupt that no mask holds back (NMI, or while code without privilege records directly) may have "
                 "interrupted the recorder (port/cortex-m/weft_target.h), or its sink has probes (hal/sink.h)",
                 r->current->frame.offset, what);
    r->open = false;
    return false;
}

static uint32_t take_some(int64_t *left, uint32_t most)
{
    uint32_t some = *left < most ? (uint32_t)*left : most;
    *left -= some;
    return some;
}

/* At the start of a path: what was made of it in a gap, if the gap began in an earlier path of its record. */
void replay_take_missed(context_state *state, const replay_script *script)
{
    if (state->item || !(state->missed_accesses | state->missed_values))
        return;
    state->accesses += take_some(&state->missed_accesses, script->accesses);
    state->values += take_some(&state->missed_values, script->values);
}

/* Finds the script of the path that the current context is in, once per path. A context that is unknown becomes known;
 * that happens at the start of a stretch. */
bool replay_resolve(replay *r)
{
    context_state *state = r->report.state;
    scout_found result;
    if (state->sought)
        return true;
    if (!scout_seek(&r->scout, r->at, state->number, !state->known, state->told, &result))
        return replay_misfit(r, "no function has one of its paths");
    state->sought = true;
    state->next = result.script;
    if (result.script && !state->known) {
        if (result.accesses < 0 || result.values < 0)
            return replay_misfit(r, "a path has fewer accesses than were recorded");
        state->known = true;
        state->missed_accesses = result.accesses;
        state->missed_values = result.values;
    }
    if (result.script)
        replay_take_missed(state, result.script);
    return true;
}

/* Reports items of a script that happened before its record. */
bool replay_part(replay *r, const replay_script *script, uint32_t accesses, uint32_t values)
{
    bool good = report_items(&r->report, script, accesses, values);
    r->accesses_taken += accesses;
    r->values_taken += values;
    if (r->report.numbers.missing)
        (void)replay_misfit(r, "addresses are missing");
    return good || replay_misfit(r, "a path has other accesses than were recorded");
}

/* The events of a tail that belong to the context's next path. */
static bool report_next(replay *r, const replay_script *next, uint32_t *accesses, uint32_t *values)
{
    const context_state *state = r->report.state;
    if (state->accesses > next->accesses || state->values > next->values)
        return replay_misfit(r, "a path has other accesses than were recorded");
    uint32_t left_accesses = next->accesses - state->accesses, left_values = next->values - state->values;
    uint32_t some_accesses = *accesses < left_accesses ? *accesses : left_accesses;
    uint32_t some_values = *values < left_values ? *values : left_values;
    *accesses -= some_accesses;
    *values -= some_values;
    return replay_part(r, next, some_accesses, some_values);
}

/* Events of a tail whose path is not known. */
static void pass_over(replay *r, uint32_t accesses, uint32_t values)
{
    replay_event *event = report_event(&r->report, REPLAY_UNRESOLVED);
    event->accesses = accesses;
    event->values = values;
    r->unresolved += accesses + values;
    if (!r->report.light && !frame_numbers_skip(&r->report.numbers, accesses, values) && r->at.stretch.last)
        r->left_over = true; /* nothing follows in the frame */
}

/* A tail goes on after a path's last access: that path has ended, and its record holds more of them. */
static bool tell_early(replay *r)
{
    context_state *state = r->report.state;
    if (!container_packs(r->file) || state->told == BALLARUS_PACK_MAX)
        return replay_misfit(r, "a path has other accesses than were recorded");
    report_record(&r->report, state->next);
    state->told++;
    return true;
}

bool replay_tail(replay *r, uint32_t accesses, uint32_t values)
{
    while (replay_resolve(r)) {
        if (!r->report.state->next) {
            pass_over(r, accesses, values);
            return true;
        }
        if (!report_next(r, r->report.state->next, &accesses, &values))
            return false;
        if (!(accesses | values))
            return true;
        if (!tell_early(r))
            return false;
    }
    return false;
}
