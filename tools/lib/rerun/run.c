/* SPDX-License-Identifier: MIT */
/* The program executes; where it calls a probe, the recording's next events are compared with what the probe would
 * record (expected.h), and the probe's own code is passed over. */
#define _GNU_SOURCE
#include "tools/lib/rerun/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/rerun/entries.h"
#include "tools/lib/rerun/exception.h"
#include "tools/lib/rerun/expected.h"
#include "tools/lib/rerun/step.h"

struct rerun {
    rerun_machine m;
    rerun_entries *entries;
    rerun_expected *expected;
    const image *im;
    bool recording, ended;
    rerun_summary sum;
    char stopped[400];
};

rerun *rerun_open(const program *app, const container *file, const rerun_options *options, char *message,
                  size_t message_size)
{
    rerun *r = memory_zero(1, sizeof *r);
    r->im = program_image(app);
    if (!rerun_machine_open(&r->m, r->im, options->zero)) {
        snprintf(message, message_size, "the image has no vector table, so where it starts is not known");
        rerun_close(r);
        return NULL;
    }
    r->m.command_line = options->command_line;
    r->entries = rerun_entries_find(r->im);
    r->expected = rerun_expected_open(app, file);
    return r;
}

void rerun_close(rerun *r)
{
    if (!r)
        return;
    rerun_expected_close(r->expected);
    rerun_entries_free(r->entries);
    rerun_machine_close(&r->m);
    free(r);
}

static void stop(rerun *r, const char *why)
{
    char line[160] = "";
    const image_symbol *f = image_function(&r->im->symbols, r->m.core.pc);
    const image_line *at = image_line_at(r->im, r->m.core.pc);
    if (at)
        snprintf(line, sizeof line, " (%s:%u)", at->file, at->line);
    snprintf(r->stopped, sizeof r->stopped, "at 0x%08x in %s%s, after %" PRIu64 " instructions: %s", r->m.core.pc,
             f ? f->name : "?", line, r->sum.instructions, why);
    r->sum.stopped = r->stopped;
    r->ended = true;
}

/* ---- probes ---- */

/* The paths that a loop's probe records; `after` only where that is a path too. */
static bool compare_loop(rerun *r, bool records_after)
{
    const uint32_t *a = r->m.core.word; /* first, rest, after, count */
    bool same = true;
    if (a[3] && same)
        same = rerun_expected_path(r->expected, a[0]);
    for (uint32_t i = 1; i < a[3] && same; i++)
        same = rerun_expected_path(r->expected, a[1]);
    if (records_after && same)
        same = rerun_expected_path(r->expected, a[3] ? a[2] : a[0] + a[2] - a[1]);
    return same;
}

static bool compare(rerun *r, rerun_entry entry)
{
    const uint32_t *a = r->m.core.word;
    switch (entry) {
    case RERUN_PATH:
        return rerun_expected_path(r->expected, a[0]);
    case RERUN_PACK:
        return rerun_expected_pack(r->expected, a[0], a[1]);
    case RERUN_LOOP:
    case RERUN_LOOP_PATH:
        return compare_loop(r, entry == RERUN_LOOP_PATH);
    default:
        return true;
    }
}

/* What the caller gets: a loop's probe says which path goes on; the interface's functions a result that is unknown. */
static void put_result(rerun *r, rerun_entry entry)
{
    rerun_core *core = &r->m.core;
    uint32_t *a = core->word;
    if (entry == RERUN_LOOP)
        rerun_set(core, 0, a[3] ? a[2] : a[0] + a[2] - a[1], true);
    if (entry >= RERUN_CALL)
        rerun_set(core, 0, 0, false);
}

static uint64_t arguments_of(rerun_entry entry)
{
    return entry == RERUN_PATH ? 1 : entry == RERUN_PACK ? 3 : entry == RERUN_LOOP || entry == RERUN_LOOP_PATH ? 15 : 0;
}

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
    rerun_core *core = &r->m.core;
    if (!rerun_knows(core, arguments_of(entry) | RERUN_BIT(RERUN_LR))) {
        stop(r, rerun_status_text(RERUN_WAY_UNKNOWN));
        return;
    }
    if (r->recording && !compare(r, entry)) {
        if (rerun_expected_error(r->expected))
            stop(r, rerun_expected_error(r->expected));
        r->ended = true;
        return;
    }
    if (entry == RERUN_BEGIN && records_to_file(r->im))
        r->m.handles |= RERUN_BIT(1);
    r->recording = (r->recording || entry == RERUN_BEGIN) && entry != RERUN_END;
    r->ended = r->ended || entry == RERUN_END;
    put_result(r, entry);
    uint32_t back = core->word[RERUN_LR];
    core->pc = at ? at : back >= 0xff000000u ? back : back & ~1u;
}

/* ---- events ---- */

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

bool rerun_next_event(rerun *r, full_event *event)
{
    rerun_entry entry;
    uint32_t at = 0; /* nothing else is passed over: the return that is there executes */
    while (!r->ended && !at && (entry = rerun_entries_at(r->entries, r->m.core.pc, &at)) != RERUN_NO_ENTRY)
        pass_over(r, entry, at);
    if (r->ended)
        return false;
    event->time = r->sum.instructions;
    rerun_status status = rerun_leaves(&r->m.core) ? rerun_leave(&r->m, event) : rerun_step(&r->m, event);
    if (status == RERUN_ENDED) {
        r->ended = true;
        status = RERUN_DONE;
    }
    if (status != RERUN_DONE) {
        stop(r, rerun_status_text(status));
        return false;
    }
    event->time = r->sum.instructions;
    count(r, event);
    return true;
}

void rerun_summarise(const rerun *r, rerun_summary *summary)
{
    *summary = r->sum;
    summary->paths = rerun_expected_compared(r->expected);
    summary->unanswered = r->m.unanswered;
    summary->granted = r->m.granted;
}
