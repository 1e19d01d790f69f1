/* SPDX-License-Identifier: MIT */
/* The steps, per frame:
 *   1  load it. A gap before it makes the state of every context unknown: it restarts
 *   2  take one stretch after the other. The entry that ends a stretch says how many accesses and values it holds, and
 *      how many of them belong to a path that is unfinished at its end: the tail
 *   3  at a path symbol, report the rest of the path's script, with addresses and values from the sections
 *   4  at the end of a stretch that has a tail, look ahead for the path that it belongs to (scout.h), and report that
 *      much of the path's script
 * A context that is unknown after a gap becomes known when it first appears: the scout finds its next path record, and
 * the counts of that record's stretch show how many of the path's accesses came before the gap (core/FORMAT.md). */
#include "tools/lib/recording/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/replay_parts.h"

/* Step 3. */
static bool path_record(replay *r, uint32_t path)
{
    const replay_script *script = r->model.script(r->model.context, path);
    if (!script)
        return replay_misfit(r, "no function has one of its paths");
    if (!r->report.state->known && !replay_resolve(r))
        return false;
    context_state *state = r->report.state;
    if (state->told) {
        state->told--;
        r->paths_taken++;
        return true;
    }
    if (!state->sought)
        replay_take_missed(state, script);
    if ((state->missed_accesses | state->missed_values) && !container_packs(r->file))
        return replay_misfit(r, "a path has other accesses than were recorded");
    if ((state->sought && state->next != script) || state->accesses > script->accesses ||
        state->values > script->values)
        return replay_misfit(r, "a path has other accesses than were recorded");
    uint32_t accesses = script->accesses - state->accesses, values = script->values - state->values;
    if (accesses > r->at.stretch.accesses - r->at.stretch.accesses_tail - r->accesses_taken ||
        values > r->at.stretch.values - r->at.stretch.values_tail - r->values_taken)
        return replay_misfit(r, "a path has more accesses than were recorded");
    if (!replay_part(r, script, accesses, values))
        return false;
    report_record(&r->report, script);
    r->paths_taken++;
    return true;
}

/* Step 4. */
static bool end_stretch(replay *r)
{
    const trace_stretch *stretch = &r->at.stretch;
    if (r->accesses_taken != stretch->accesses - stretch->accesses_tail ||
        r->values_taken != stretch->values - stretch->values_tail)
        return replay_misfit(r, "paths have fewer accesses than were recorded");
    if (stretch->accesses_tail == 0 && stretch->values_tail == 0)
        return true;
    if (!replay_tail(r, stretch->accesses_tail, stretch->values_tail))
        return false;
    if (!r->report.light)
        frame_numbers_restart(&r->report.numbers);
    return true;
}

/* ---- the way through the container ---- */

static void begin_stretch(replay *r)
{
    r->accesses_taken = r->values_taken = 0;
    r->report.state = contexts_state(&r->contexts, r->at.stretch.context, r->restarts, r->report.fresh);
    if (!r->context_any || r->context_reported != r->report.state->number)
        report_event(&r->report, REPLAY_CONTEXT);
    r->context_any = true;
    r->context_reported = r->report.state->number;
}

static void size_gap(replay_event *event, const weft_counts *then, const weft_counts *now)
{
    event->paths = now->paths - then->paths;
    event->accesses = now->accesses - then->accesses;
    event->values = now->values - then->values;
    event->marks = now->marks - then->marks;
}

/* Events between what was expected and what the frame says. */
static void report_gap(replay *r, bool restarted)
{
    const weft_counts *now = &r->current->body.before, *then = &r->expected;
    replay_event *event = report_event(&r->report, REPLAY_GAP);
    event->counted = !restarted && now->paths >= then->paths && now->accesses >= then->accesses &&
                     now->values >= then->values && now->marks >= then->marks;
    if (event->counted)
        size_gap(event, then, now);
}

/* Not one TRACE frame is left: what follows is about the last recording, and stands where its end record does. False:
 * it has none, or it never had such frames. */
static bool stand_at_end(replay *r)
{
    size_t count = container_frame_count(r->file);
    if (r->current->full)
        return true;
    while (count && container_kind(r->file, count - 1) != WEFT_FRAME_STATS)
        count--;
    if (count == 0 || container_without_paths(r->file))
        return false;
    container_read(r->file, count - 1, &r->current->frame, &r->current->buffer);
    r->report.frame = &r->current->frame;
    r->recording = r->current->frame.recording;
    return true;
}

/* What the end record counts beyond the last frame. */
static void end_recording(replay *r)
{
    weft_counts *then = &r->expected, now;
    if (r->ended || !stand_at_end(r) || !container_end_counts(r->file, r->recording, &now))
        return;
    r->ended = true;
    if (now.paths < then->paths || now.accesses < then->accesses || now.values < then->values ||
        now.marks < then->marks ||
        (now.paths == then->paths && now.accesses == then->accesses && now.values == then->values &&
         now.marks == then->marks))
        return;
    r->report.state = NULL;
    replay_event *event = report_event(&r->report, REPLAY_GAP);
    event->counted = true;
    size_gap(event, then, &now);
}

/* Step 1. False: no more frames. */
static bool open_frame(replay *r)
{
    size_t index = container_next(r->file, WEFT_FRAME_TRACE, r->next_frame);
    if (index >= r->end) {
        if (index == container_frame_count(r->file))
            end_recording(r);
        return false;
    }
    if (r->scout.ahead->full && r->scout.ahead->index == index) {
        r->current = r->scout.ahead;
        r->scout.ahead = r->scout.current;
        r->scout.current = r->current;
    }
    window_load(r->current, r->file, index);
    r->report.frame = &r->current->frame;
    r->next_frame = index + 1;
    const trace_body *body = &r->current->body;
    bool restarted = r->current->frame.recording != r->recording;
    if (restarted || r->current->frame.after_gap) {
        r->restarts++;
        r->report.fresh = restarted && !r->current->frame.after_gap;
        r->report.state = NULL;
        r->context_any = false;
        if (restarted)
            r->expected = (weft_counts){0};
        if (r->current->frame.after_gap || (restarted && r->recording != UINT32_MAX))
            report_gap(r, restarted && !r->current->frame.after_gap);
        r->recording = r->current->frame.recording;
    }
    r->expected.paths = body->before.paths + body->counts.paths;
    r->expected.accesses = body->before.accesses + body->counts.accesses;
    r->expected.values = body->before.values + body->counts.values;
    r->expected.marks = body->before.marks + body->counts.marks;
    r->stamp = body->begun;
    r->open = true;
    r->paths_taken = 0;
    r->left_over = false;
    const char *wrong = r->report.light ? NULL : frame_numbers_start(&r->report.numbers, body);
    if (wrong)
        return replay_misfit(r, wrong);
    if (!place_start(&r->at, r->current))
        return replay_misfit(r, "its contexts are damaged");
    begin_stretch(r);
    return true;
}

static bool close_frame(replay *r)
{
    if (trace_symbols_corrupt(r->current->decoder))
        return replay_misfit(r, "its control symbols are damaged, or of a coder that this build does not know");
    if (r->paths_taken != r->current->body.counts.paths + trace_symbols_extra(r->current->decoder))
        return replay_misfit(r, "paths are missing, or left over");
    if (!r->at.stretch.last || !end_stretch(r))
        return replay_misfit(r, "switches of context are missing");
    if (trace_marks_next(&r->at.marks, &r->current->body, false, &r->mark))
        return replay_misfit(r, "marks are left over");
    if (r->left_over) {
        r->open = false;
        return true;
    }
    const char *wrong = r->report.light ? NULL : frame_numbers_end(&r->report.numbers);
    if (wrong)
        return replay_misfit(r, wrong);
    r->open = false;
    return true;
}

static bool mark(replay *r)
{
    if (!trace_marks_next(&r->at.marks, &r->current->body, false, &r->mark))
        return replay_misfit(r, "marks are missing");
    if (r->mark.kind == WEFT_MARK_STAMP)
        r->stamp += r->mark.argument;
    replay_event *event = report_event(&r->report, REPLAY_MARK);
    event->mark = &r->mark;
    event->time = r->stamp;
    r->at.symbol++;
    return true;
}

static bool step(replay *r)
{
    uint32_t symbol;
    if (!r->open)
        return open_frame(r);
    if (!window_symbol(r->current, r->at.symbol, &symbol))
        return close_frame(r);
    if (symbol >= WEFT_SYMBOL_PATH) {
        if (!path_record(r, symbol - WEFT_SYMBOL_PATH))
            return false;
        r->at.symbol++;
        return true;
    }
    if (symbol == WEFT_SYMBOL_MARK)
        return mark(r);
    if (symbol != WEFT_SYMBOL_CONTEXT)
        return replay_misfit(r, "an escape symbol that this build does not know");
    if (!end_stretch(r))
        return false;
    r->at.symbol++;
    if (r->at.stretch.last || !trace_stretches_next(&r->at.stretches, &r->at.stretch))
        return replay_misfit(r, "switches of context are missing");
    begin_stretch(r);
    return true;
}

replay *replay_open(const container *file, replay_model model)
{
    replay *r = memory_zero(1, sizeof *r);
    r->file = file;
    r->model = model;
    r->end = container_frame_count(file);
    r->recording = UINT32_MAX;
    r->restarts = 1;
    window_open(&r->frames[0], file);
    window_open(&r->frames[1], file);
    frame_numbers_open(&r->report.numbers);
    r->current = &r->frames[0];
    r->scout = (scout){file, model, r->current, &r->frames[1]};
    return r;
}

void replay_close(replay *r)
{
    if (!r)
        return;
    window_close(&r->frames[0]);
    window_close(&r->frames[1]);
    contexts_free(&r->contexts);
    frame_numbers_close(&r->report.numbers);
    free(r->report.out);
    free(r->report.moved);
    free(r->report.guess);
    free(r);
}

bool replay_next(replay *r, replay_event *event)
{
    report *from = &r->report;
    while (from->at == from->count) {
        from->at = from->count = 0;
        if ((r->error[0] || !step(r)) && from->count == 0)
            return false;
    }
    *event = from->out[from->at++];
    return true;
}

const char *replay_error(const replay *r)
{
    return r->error[0] ? r->error : NULL;
}

void replay_leave_out(replay *r, unsigned kinds)
{
    r->report.left_out = kinds;
}

replay_accesses replay_accesses_of(const replay *r)
{
    return r->report.accesses;
}

uint64_t replay_unknown(const replay *r)
{
    return r->report.accesses.unknown;
}

uint64_t replay_unresolved(const replay *r)
{
    return r->unresolved;
}
