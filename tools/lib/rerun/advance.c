/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/rerun/run_parts.h"

void rerun_stop(rerun *r, const char *why)
{
    char line[160] = "";
    uint32_t pc = r->m.core.pc, back;
    const image_symbol *f = image_function(&r->im->symbols, pc);
    if (f && rerun_entries_at(r->entries, f->address, &back) != RERUN_NO_ENTRY) { /* its caller tells more */
        pc = r->m.core.word[RERUN_LR] & ~1u;
        f = image_function(&r->im->symbols, pc);
    }
    const image_line *at = image_line_at(r->im, pc);
    if (at)
        snprintf(line, sizeof line, " (%s:%u)", at->file, at->line);
    snprintf(r->stopped, sizeof r->stopped, "at 0x%08x in %s%s, after %" PRIu64 " instructions: %s", pc,
             f ? f->name : "?", line, r->sum.instructions, why);
    r->sum.stopped = r->stopped;
    r->ended = true;
}

/* ---- what devices answered ---- */

enum { TRIAL_STEPS = 200 }; /* between a load and the probe of its value: a few */

uint32_t rerun_low_bytes(uint32_t value, unsigned size)
{
    return size < 4 ? value & ((1u << 8 * size) - 1) : value;
}

/* Executes up to the next probe of a value, past one of another address (a load of 64 bits has two). True: that value,
 * or half of it, is `value`. *past: how many came before. */
static bool reaches_probe(rerun *r, uint32_t value, unsigned size, unsigned *past)
{
    const uint32_t *a = r->m.core.word;
    *past = 0;
    for (unsigned i = 0; i < TRIAL_STEPS; i++) {
        full_event event;
        uint32_t back;
        rerun_entry entry = rerun_entries_at(r->entries, r->m.core.pc, &back);
        unsigned in = entry == RERUN_VALUE ? 1 : r->high ? 3 : 2;
        if (entry == RERUN_INPUT && a[0] == r->trial.address)
            return rerun_knows(&r->m.core, 3) && rerun_low_bytes(a[1], size) == value;
        if (entry == RERUN_INPUT && *past == 1)
            return false;
        *past += entry == RERUN_INPUT && rerun_records(r, entry);
        if (entry == RERUN_VALUE || entry == RERUN_VALUE64)
            return rerun_knows(&r->m.core, RERUN_BIT(in)) && rerun_low_bytes(a[in], size) == value;
        if (entry == RERUN_PROBE || entry == RERUN_ACCESS || entry == RERUN_INPUT)
            r->m.core.pc = a[RERUN_LR] & ~1u;
        else if (entry != RERUN_NO_ENTRY || rerun_step(&r->m, &event) != RERUN_DONE)
            return false;
    }
    return false;
}

/* Is the value of the load that executes the one that the next probe records, or the one after that (*past: 1)? Tried
 * with a value; then all is as it was. */
static bool is_recorded_as(rerun *r, uint32_t value, unsigned size, unsigned *past)
{
    rerun_machine before = r->m;
    r->trial.on = true;
    r->trial.given = false;
    r->trial.value = rerun_low_bytes(value, size);
    size_t mark = rerun_mark(r->m.space);
    bool is = reaches_probe(r, r->trial.value, size, past);
    rerun_back(r->m.space, mark);
    r->trial.on = false;
    r->m = before;
    return is;
}

static bool is_recorded(rerun *r, unsigned size, unsigned *past)
{
    unsigned again;
    return is_recorded_as(r, 0x96a55a69, size, past) && is_recorded_as(r, 0x69c33c96, size, &again) && again == *past;
}

bool rerun_answer(void *own, uint32_t address, unsigned size, uint64_t *value)
{
    rerun *r = own;
    rerun_value next;
    uint32_t input;
    unsigned past;
    if (r->trial.on) {
        bool first = !r->trial.given && address == r->trial.address;
        r->trial.given |= first;
        *value = r->trial.value;
        return first;
    }
    r->trial.address = address;
    if (r->recording && size <= 4 && rerun_expected_input(r->expected, r->m.core.exception, 0, &input)) {
        if (!is_recorded(r, size, &past) || !rerun_expected_input(r->expected, r->m.core.exception, past, &input))
            return false;
        *value = rerun_low_bytes(input, size);
        r->sum.inputs++;
        return true;
    }
    if (!r->recording || size > 4 || !rerun_expected_value(r->expected, r->m.core.exception, &next) ||
        !is_recorded(r, size, &past))
        return false;
    *value = rerun_low_bytes((uint32_t)(r->high ? next.value >> 32 : next.value), size);
    r->high = next.size == 8 && !r->high;
    r->sum.inputs++;
    return true;
}

/* ---- calls that are passed over ---- */

bool rerun_records(rerun *r, rerun_entry entry)
{
    const rerun_core *core = &r->m.core;
    if (entry == RERUN_ACCESS) /* the recording tells of accesses, but not of bases */
        return rerun_knows(core, 1) && rerun_expected_access(r->expected, core->exception, core->word[0], NULL);
    if (entry == RERUN_INPUT)
        return rerun_knows(core, 1) && rerun_is_device(core->word[0]);
    return (entry > RERUN_NO_ENTRY && entry < RERUN_PROBE) || entry == RERUN_END;
}

/* What the caller gets: a loop's probe says which path goes on; the interface's functions a result that is unknown. */
static void put_result(rerun_core *core, rerun_entry entry)
{
    uint32_t *a = core->word;
    if (entry == RERUN_LOOP)
        rerun_set(core, 0, a[3] ? a[2] : a[0] + a[2] - a[1], true);
    if (entry >= RERUN_CALL)
        rerun_set(core, 0, 0, false);
}

/* Something else wrote there, and the recording does not have what. */
static void forget(rerun *r)
{
    const rerun_core *core = &r->m.core;
    uint32_t size = core->word[1] < RERUN_MEMORY_MAX ? core->word[1] : RERUN_MEMORY_MAX;
    for (uint32_t i = 0; rerun_knows(core, 3) && i < size; i++)
        rerun_store(r->m.space, core->word[0] + i, 1, 0, false);
}

void rerun_return(rerun *r, rerun_entry entry, uint32_t back)
{
    rerun_core *core = &r->m.core;
    uint32_t to = core->word[RERUN_LR];
    if (entry == RERUN_FORGET || (entry == RERUN_MEMORY && !r->recording))
        forget(r);
    core->spoiled |= 0xfu | RERUN_BIT(12) | RERUN_BIT(RERUN_LR);
    core->flags_spoiled |= RERUN_N | RERUN_Z | RERUN_C | RERUN_V;
    put_result(core, entry);
    core->pc = back ? back : to >= 0xff000000u ? to : to & ~1u;
}

/* ---- waiting ---- */

bool rerun_same_core(const rerun_core *a, const rerun_core *b)
{
    return a->pc == b->pc && a->known == b->known && a->flags_known == b->flags_known &&
           a->conditional == b->conditional && a->exception == b->exception && a->other_sp == b->other_sp &&
           a->primask == b->primask && a->faultmask == b->faultmask && a->basepri == b->basepri &&
           !memcmp(a->word, b->word, sizeof a->word);
}

/* The moment is chosen again after 1, 2, 4... steps (Brent). */
bool rerun_waits(const rerun_machine *m, rerun_moment *before)
{
    if (before->most && before->stores == m->stores && rerun_same_core(&before->core, &m->core))
        return true;
    if (before->stores != m->stores)
        before->most = 0;
    if (before->steps++ < before->most)
        return false;
    before->core = m->core;
    before->stores = m->stores;
    before->most = 2 * before->most + 1;
    before->steps = 0;
    return false;
}
