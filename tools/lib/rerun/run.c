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
    uint64_t silent; /* instructions since the last call of a probe */
    struct {
        bool on, given; /* a value is tried; it was loaded */
        uint32_t value;
    } trial;
    struct {
        rerun_core core;
        uint64_t stores, steps, most;
    } before;  /* a moment that may come again */
    bool high; /* the next word that is loaded is the upper one of a value of 64 bits */
    rerun_summary sum;
    char stopped[400];
};

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

/* The program ends, or its recording. */
static void end(rerun *r)
{
    if (rerun_expected_more(r->expected))
        stop(r, "it ends here, but the recording has more paths");
    r->ended = true;
}

/* ---- what devices answered ---- */

enum { TRIAL_STEPS = 200 }; /* between a load and the probe of its value: a few */

static uint32_t low_bytes(uint32_t value, unsigned size)
{
    return size < 4 ? value & ((1u << 8 * size) - 1) : value;
}

/* Executes up to the next probe of a value. True: that value, or half of it, is `value`. */
static bool reaches_probe(rerun *r, uint32_t value, unsigned size)
{
    const uint32_t *a = r->m.core.word;
    for (unsigned i = 0; i < TRIAL_STEPS; i++) {
        full_event event;
        uint32_t back;
        rerun_entry entry = rerun_entries_at(r->entries, r->m.core.pc, &back);
        unsigned in = entry == RERUN_VALUE ? 1 : r->high ? 3 : 2;
        if (entry == RERUN_VALUE || entry == RERUN_VALUE64)
            return rerun_knows(&r->m.core, RERUN_BIT(in)) && low_bytes(a[in], size) == value;
        if (entry == RERUN_PROBE)
            r->m.core.pc = a[RERUN_LR] & ~1u;
        else if (entry != RERUN_NO_ENTRY || rerun_step(&r->m, &event) != RERUN_DONE)
            return false;
    }
    return false;
}

/* Is the value of the load that executes the one that the next probe records? Tried with a value; then all is as it
 * was. */
static bool is_recorded(rerun *r, uint32_t value, unsigned size)
{
    rerun_machine before = r->m;
    r->trial.on = true;
    r->trial.given = false;
    r->trial.value = low_bytes(value, size);
    rerun_mark(r->m.space);
    bool is = reaches_probe(r, r->trial.value, size);
    rerun_back(r->m.space);
    r->trial.on = false;
    r->m = before;
    return is;
}

static bool answer(void *own, uint32_t address, unsigned size, uint64_t *value)
{
    rerun *r = own;
    rerun_value next;
    (void)address;
    if (r->trial.on) {
        bool first = !r->trial.given;
        r->trial.given = true;
        *value = r->trial.value;
        return first;
    }
    if (!r->recording || size > 4 || !rerun_expected_value(r->expected, &next) || !is_recorded(r, 0x96a55a69, size) ||
        !is_recorded(r, 0x69c33c96, size))
        return false;
    *value = low_bytes((uint32_t)(r->high ? next.value >> 32 : next.value), size);
    r->high = next.size == 8 && !r->high;
    r->sum.inputs++;
    return true;
}

/* The probe of a value: it is that of the recording, as far as it is known. */
static bool compare_value(rerun *r, bool wide)
{
    const uint32_t *a = r->m.core.word;
    rerun_value next;
    r->high = false;
    if (!rerun_expected_value(r->expected, &next) || next.site != a[0])
        return true; /* not recorded: where the values stand in the recording is checked by its paths */
    rerun_expected_take_value(r->expected);
    uint64_t made = wide ? a[2] | (uint64_t)a[3] << 32 : low_bytes(a[1], next.size);
    uint64_t said = wide ? next.value : low_bytes((uint32_t)next.value, next.size);
    if (made == said || !rerun_knows(&r->m.core, wide ? 12 : 2))
        return true;
    stop(r, "it makes another value than the recording has");
    return false;
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
    case RERUN_VALUE:
    case RERUN_VALUE64:
        return compare_value(r, entry == RERUN_VALUE64);
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
    if (r->recording)
        r->silent = r->before.most = 0;
    if (r->recording && entry == RERUN_END)
        end(r);
    r->recording = (r->recording || entry == RERUN_BEGIN) && entry != RERUN_END;
    put_result(r, entry);
    uint32_t back = core->word[RERUN_LR];
    core->pc = at ? at : back >= 0xff000000u ? back : back & ~1u;
}

/* ---- waiting ---- */

#define SILENT_MAX 100000000u /* instructions without a record: a program that computes so long is not expected */

static bool same_core(const rerun_core *a, const rerun_core *b)
{
    return a->pc == b->pc && a->known == b->known && a->flags_known == b->flags_known &&
           a->conditional == b->conditional && a->exception == b->exception && a->other_sp == b->other_sp &&
           a->primask == b->primask && a->faultmask == b->faultmask && a->basepri == b->basepri &&
           !memcmp(a->word, b->word, sizeof a->word);
}

/* True if nothing has changed since an earlier moment: then the program waits for ever, unless something comes from
 * outside. The moment is chosen again after 1, 2, 4... steps (Brent). */
static bool waits(rerun *r)
{
    if (r->before.most && r->before.stores == r->m.stores && same_core(&r->before.core, &r->m.core))
        return true;
    if (r->before.stores != r->m.stores)
        r->before.most = 0;
    if (r->before.steps++ < r->before.most)
        return false;
    r->before.core = r->m.core;
    r->before.stores = r->m.stores;
    r->before.most = 2 * r->before.most + 1;
    r->before.steps = 0;
    return false;
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
        end(r);
        status = RERUN_DONE;
    }
    if (status != RERUN_DONE) {
        stop(r, rerun_status_text(status));
        return false;
    }
    event->time = r->sum.instructions;
    count(r, event);
    if (waits(r))
        stop(r, "it waits here for ever: what ends that is not recorded");
    else if (++r->silent > SILENT_MAX)
        stop(r, "100,000,000 instructions came without a record of a path");
    return true;
}

/* ---- opening ---- */

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
    r->m.from = (rerun_outside){r, answer, NULL};
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

void rerun_summarise(const rerun *r, rerun_summary *summary)
{
    *summary = r->sum;
    summary->paths = rerun_expected_compared(r->expected);
    summary->unanswered = r->m.unanswered;
    summary->granted = r->m.granted;
}
