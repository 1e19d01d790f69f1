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

/* The probe of a value: it is that of the recording, as far as it is known. */
static bool compare_value(rerun *r, bool wide)
{
    const uint32_t *a = r->m.core.word;
    rerun_value next;
    r->high = false;
    uint32_t exception = r->m.core.exception;
    if (!rerun_expected_value(r->expected, exception, &next) || next.site != a[0])
        return true; /* not recorded: where the values stand in the recording is checked by its paths */
    rerun_expected_take_value(r->expected, exception);
    uint64_t made = wide ? a[2] | (uint64_t)a[3] << 32 : rerun_low_bytes(a[1], next.size);
    uint64_t said = wide ? next.value : rerun_low_bytes((uint32_t)next.value, next.size);
    if (made == said || !rerun_knows(&r->m.core, wide ? 12 : 2))
        return true;
    rerun_stop(r, "it makes another value than the recording has");
    return false;
}

/* The paths that a loop's probe records; `after` only where that is a path too. */
static bool compare_loop(rerun *r, bool records_after)
{
    const uint32_t *a = r->m.core.word; /* first, rest, after, count */
    uint32_t exception = r->m.core.exception;
    bool same = true;
    if (a[3] && same)
        same = rerun_expected_path(r->expected, exception, a[0]);
    for (uint32_t i = 1; i < a[3] && same; i++)
        same = rerun_expected_path(r->expected, exception, a[1]);
    if (records_after && same)
        same = rerun_expected_path(r->expected, exception, a[3] ? a[2] : a[0] + a[2] - a[1]);
    return same;
}

/* The running handler starts. One that was called as a function records nothing. */
static bool compare_start(rerun *r)
{
    rerun_active *top = r->active_count ? &r->active[r->active_count - 1] : NULL;
    if (!top || top->handler != r->m.core.exception || r->m.core.word[1] < RERUN_EXCEPTION_RETURN)
        return true;
    top->started = rerun_expected_take_start(r->expected, top->handler);
    return top->started;
}

static bool compare_access(rerun *r)
{
    const rerun_core *core = &r->m.core;
    uint32_t address;
    if (!rerun_records(r, RERUN_ACCESS))
        return true;
    (void)rerun_expected_access(r->expected, core->exception, core->word[0], &address);
    rerun_expected_take_access(r->expected, core->exception);
    if (!rerun_knows(core, 2) || core->word[1] == address)
        return true;
    rerun_stop(r, "it accesses another address than the recording has");
    return false;
}

/* An answer that is not known here: one before the recording began, say. */
static bool compare_input(rerun *r)
{
    const rerun_core *core = &r->m.core;
    uint32_t value;
    if (!rerun_records(r, RERUN_INPUT))
        return true;
    bool known = rerun_knows(core, 2) || !rerun_expected_input(r->expected, core->exception, 0, &value);
    return rerun_expected_take_input(r->expected, core->exception, known ? core->word[1] : value,
                                     WEFT_INPUT_HASH(core->word[0], core->word[RERUN_LR] & ~1u));
}

/* Bytes that something else wrote are put into memory. */
static bool take_memory(rerun *r)
{
    const rerun_core *core = &r->m.core;
    uint32_t at = core->word[0], size = core->word[1], value = 0;
    if (!r->counter)
        return true; /* they were not recorded */
    if (!size || size > 4) {
        rerun_stop(r, "it records more of its memory at once than a word");
        return false;
    }
    (void)rerun_expected_input(r->expected, core->exception, 0, &value);
    if (!rerun_expected_take_input(r->expected, core->exception, value,
                                   WEFT_INPUT_HASH(at, core->word[RERUN_LR] & ~1u)))
        return false;
    rerun_store(r->m.space, at, size, value, true);
    r->m.stores++;
    r->sum.memory += size;
    return true;
}

#define SUM_MAX (UINT32_C(16) << 20) /* bytes: more than a part has */

/* False: some of the bytes are not known. */
static bool sum_memory(rerun *r, uint32_t at, uint32_t size, uint32_t *sum)
{
    uint64_t byte;
    *sum = WEFT_MEMORY_SUM_START;
    for (uint32_t i = 0; i < size; i++) {
        if (!rerun_load(r->m.space, at + i, 1, &byte))
            return false;
        *sum = WEFT_MEMORY_SUM_STEP(*sum, (uint32_t)byte);
    }
    return true;
}

static bool compare_sum(rerun *r)
{
    const rerun_core *core = &r->m.core;
    uint32_t at = core->word[0], size = core->word[1], said = 0, sum;
    char why[200];
    if (!r->counter)
        return true;
    if (size > SUM_MAX) {
        rerun_stop(r, "it checks more than 16 MB of memory");
        return false;
    }
    bool known = sum_memory(r, at, size, &sum), any = rerun_expected_input(r->expected, core->exception, 0, &said);
    if (known && any && said != sum) {
        snprintf(why, sizeof why,
                 "the %" PRIu32 " bytes from 0x%08" PRIx32 " on are not those that it had: something else wrote there",
                 size, at);
        rerun_stop(r, why);
        return false;
    }
    r->sum.sums += known;
    r->sum.unknown_sums += !known;
    return rerun_expected_take_input(r->expected, core->exception, said,
                                     WEFT_INPUT_HASH(at, core->word[RERUN_LR] & ~1u));
}

static bool compare(rerun *r, rerun_entry entry)
{
    const uint32_t *a = r->m.core.word;
    switch (entry) {
    case RERUN_PATH:
        return rerun_expected_path(r->expected, r->m.core.exception, a[0]);
    case RERUN_PACK:
        return rerun_expected_pack(r->expected, r->m.core.exception, a[0], a[1]);
    case RERUN_VALUE:
    case RERUN_VALUE64:
        return compare_value(r, entry == RERUN_VALUE64);
    case RERUN_LOOP:
    case RERUN_LOOP_PATH:
        return compare_loop(r, entry == RERUN_LOOP_PATH);
    case RERUN_HANDLER:
        return compare_start(r);
    case RERUN_ACCESS:
        return compare_access(r);
    case RERUN_INPUT:
        return compare_input(r);
    case RERUN_MEMORY:
        return take_memory(r);
    case RERUN_SUM:
        return compare_sum(r);
    case RERUN_CHECK:
        return !r->counter || rerun_expected_take_laps(r->expected, rerun_laps(r));
    default:
        return true;
    }
}

static uint64_t arguments_of(rerun_entry entry)
{
    return entry == RERUN_PATH                               ? 1
           : entry == RERUN_PACK                             ? 3
           : entry == RERUN_HANDLER                          ? 2
           : entry == RERUN_MEMORY || entry == RERUN_SUM     ? 3
           : entry == RERUN_INPUT                            ? 1
           : entry == RERUN_LOOP || entry == RERUN_LOOP_PATH ? 15
                                                             : 0;
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
    bool records = rerun_records(r, entry) || entry == RERUN_BEGIN;
    if (!rerun_knows(&r->m.core, arguments_of(entry) | RERUN_BIT(RERUN_LR))) {
        rerun_stop(r, rerun_status_text(RERUN_WAY_UNKNOWN));
        return;
    }
    if (r->recording && !compare(r, entry)) {
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
