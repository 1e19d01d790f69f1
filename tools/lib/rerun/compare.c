/* SPDX-License-Identifier: MIT */
/* What a probe would record, held against the recording's next event. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>

#include "core/format.h"
#include "tools/lib/rerun/run_parts.h"

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

/* Of bytes that something else wrote, or that have a check sum. True: it has stopped. */
static bool is_large(rerun *r, uint32_t size)
{
    if (size > RERUN_MEMORY_MAX)
        rerun_stop(r, "it reports more than 16 MB of memory at once");
    return size > RERUN_MEMORY_MAX;
}

/* Bytes that something else wrote are put into memory. */
static bool take_memory(rerun *r)
{
    const rerun_core *core = &r->m.core;
    uint32_t at = core->word[0], size = core->word[1], value = 0;
    if (size > 4) {
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
    if (is_large(r, size))
        return false;
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

bool rerun_compare(rerun *r, rerun_entry entry)
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
    case RERUN_FORGET:
        return !is_large(r, r->m.core.word[1]);
    case RERUN_CHECK:
        return !r->counter || rerun_expected_take_laps(r->expected, rerun_laps(r));
    default:
        return true;
    }
}

static bool takes_memory(rerun_entry entry)
{
    return entry == RERUN_MEMORY || entry == RERUN_SUM || entry == RERUN_FORGET;
}

uint64_t rerun_arguments(rerun_entry entry)
{
    return entry == RERUN_PATH                               ? 1
           : entry == RERUN_PACK                             ? 3
           : entry == RERUN_HANDLER                          ? 2
           : takes_memory(entry)                             ? 3
           : entry == RERUN_INPUT                            ? 1
           : entry == RERUN_LOOP || entry == RERUN_LOOP_PATH ? 15
                                                             : 0;
}
