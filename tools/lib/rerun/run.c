/* SPDX-License-Identifier: MIT */
/* The program executes; where it calls a probe, the recording's next events are compared with what the probe would
 * record (expected.h), and the probe's own code is passed over. Handlers start where the recording says. */
#define _GNU_SOURCE
#include "tools/lib/rerun/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/rerun/pending.h"
#include "tools/lib/rerun/run_parts.h"

/* The program ends, or its recording. */
static void end(rerun *r)
{
    if (rerun_expected_more(r->expected))
        rerun_stop(r, "it ends here, but the recording has more paths");
    else if (rerun_expected_gap(r->expected))
        rerun_stop(r, rerun_expected_error(r->expected));
    r->ended = true;
}

/* ---- probes ---- */

/* The recorder's own file has the first number. */
static bool records_to_file(const image *im)
{
    static const char line[] = "sink=semihost\n";
    size_t size;
    const uint8_t *board = image_section(im, ".weft.board", &size);
    return board && memmem(board, size, line, sizeof line - 1);
}

/* A call of one of these functions ends at once: at `at` it returns. */
static void pass_over(rerun *r, rerun_entry entry, uint32_t at)
{
    bool records = rerun_records(r, entry) || entry == RERUN_BEGIN;
    if (!rerun_knows(&r->m.core, rerun_arguments(entry) | RERUN_BIT(RERUN_LR))) {
        rerun_stop(r, rerun_status_text(RERUN_WAY_UNKNOWN));
        return;
    }
    if (r->recording && !rerun_compare(r, entry)) {
        if (rerun_expected_error(r->expected))
            rerun_stop(r, rerun_expected_error(r->expected));
        r->ended = true;
        return;
    }
    if (entry == RERUN_BEGIN && !r->recording)
        r->sum.early = r->m.enabled;
    if (entry == RERUN_BEGIN && records_to_file(r->im))
        r->m.handles |= RERUN_BIT(1);
    if (r->recording)
        r->silent = r->before.most = 0;
    uint32_t laps;
    if (r->recording && entry == RERUN_END && r->counter &&
        rerun_expected_laps(r->expected, r->m.core.exception, &laps) &&
        !rerun_expected_take_laps(r->expected, rerun_laps(r)))
        rerun_stop(r, rerun_expected_error(r->expected));
    else if (r->recording && entry == RERUN_END)
        end(r);
    r->recording = (r->recording || entry == RERUN_BEGIN) && entry != RERUN_END;
    if (records)
        r->plan.made = false;
    rerun_return(r, entry, at);
}

/* ---- events ---- */

/* instructions without a record: a program that computes so long is not expected, unless it counts */
#define SILENT_MAX UINT64_C(100000000)
#define SILENT_COUNTED_MAX UINT64_C(20000000000)

static void count(rerun *r, const full_event *event)
{
    r->sum.exceptions += event->kind == FULL_EXCEPTION;
    if (event->kind != FULL_EXECUTED)
        return;
    r->sum.instructions++;
    r->sum.accesses += event->access_count;
    r->sum.unknown +=
        (uint64_t)__builtin_popcountll(event->unknown) + (uint64_t)__builtin_popcountll(event->unknown_values);
}

/* Up to the next instruction that executes. True: an interrupt comes before it. */
static bool come_to_next(rerun *r)
{
    for (uint32_t passed = 0; !r->ended;) {
        if (r->recording && !r->plan.made && !rerun_plan(r))
            break;
        if (r->plan.waits && rerun_counted(r)) {
            r->plan.made = false;
            continue;
        }
        if (r->plan.comes && !r->plan.at_call && !r->plan.steps)
            return true;
        if (rerun_pending(&r->m))
            return false;
        uint32_t at;
        rerun_entry entry = rerun_entries_at(r->entries, r->m.core.pc, &at);
        if (entry == RERUN_NO_ENTRY || passed == r->m.core.pc)
            break; /* nothing, or the return of what was passed over */
        if (r->plan.comes && r->plan.at_call && rerun_records(r, entry))
            return true;
        pass_over(r, entry, at);
        passed = at;
    }
    return false;
}

/* The program's own handlers start where it asks for them. What they do may be to switch threads. */
static rerun_status begin_own(rerun *r, uint32_t exception, full_event *event)
{
    rerun_pending_taken(&r->m, exception);
    if (!rerun_push(r, exception))
        return RERUN_DONE;
    r->active[r->active_count - 1].started = true;
    rerun_status status = rerun_enter(&r->m, exception, event);
    if (status == RERUN_DONE)
        rerun_keep(r, event);
    return status;
}

static rerun_status execute(rerun *r, full_event *event)
{
    uint32_t own = rerun_leaves(&r->m.core) ? 0 : rerun_pending(&r->m);
    if (own)
        return begin_own(r, own, event);
    if (rerun_leaves(&r->m.core)) {
        rerun_status status = rerun_leave(&r->m, event);
        if (status == RERUN_DONE)
            rerun_returned(r, event);
        return status;
    }
    r->returned = false;
    if (r->plan.comes && r->plan.steps)
        r->plan.steps--;
    return rerun_step(&r->m, event);
}

bool rerun_next_event(rerun *r, full_event *event)
{
    bool interrupted = come_to_next(r);
    if (r->ended || (interrupted && !rerun_interrupt(r, event)))
        return false;
    rerun_status status = interrupted ? RERUN_DONE : execute(r, event);
    if (status == RERUN_ENDED) {
        end(r);
        status = RERUN_DONE;
    }
    if (status != RERUN_DONE) {
        rerun_stop(r, rerun_status_text(status));
        return false;
    }
    event->time = r->sum.instructions;
    count(r, event);
    if (!r->plan.comes && rerun_waits(&r->m, &r->before))
        rerun_stop(r, "it waits here for ever: what ends that is not recorded");
    else if (++r->silent > (r->counter ? SILENT_COUNTED_MAX : SILENT_MAX))
        rerun_stop(r, r->counter ? "20,000,000,000 instructions came without a record"
                                 : "100,000,000 instructions came without a record of a path");
    return true;
}

/* ---- opening ---- */

/* Those that do not record their starts. */
static uint32_t own_handlers(const rerun *r)
{
    uint32_t own = 0;
    for (uint32_t i = RERUN_SVCALL; i <= RERUN_PENDSV; i += RERUN_PENDSV - RERUN_SVCALL)
        if (!rerun_entries_calls(r->entries, vectors_word(r->im, i), RERUN_HANDLER))
            own |= 1u << i;
    return own;
}

rerun *rerun_open(const program *app, const container *file, const rerun_options *options, char *message,
                  size_t message_size)
{
    rerun *r = memory_zero(1, sizeof *r);
    r->app = app;
    r->im = program_image(app);
    if (!rerun_machine_open(&r->m, r->im, options->zero)) {
        snprintf(message, message_size, "the image has no vector table, so where it starts is not known");
        rerun_close(r);
        return NULL;
    }
    r->m.command_line = options->command_line;
    r->m.from = (rerun_outside){r, rerun_answer, NULL};
    r->entries = rerun_entries_find(r->im);
    r->m.own = own_handlers(r);
    r->counter = image_counter(r->im);
    r->expected = rerun_expected_open(app, file);
    return r;
}

void rerun_close(rerun *r)
{
    if (!r)
        return;
    free(r->away);
    free(r->kept);
    rerun_expected_close(r->expected);
    rerun_entries_free(r->entries);
    rerun_machine_close(&r->m);
    free(r);
}

void rerun_summarise(const rerun *r, rerun_summary *summary)
{
    *summary = r->sum;
    summary->counts = rerun_expected_counts(r->expected);
    summary->paths = rerun_expected_compared(r->expected);
    summary->unanswered = r->m.unanswered;
    summary->granted = r->m.granted;
}
