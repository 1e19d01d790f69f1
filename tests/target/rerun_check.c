/* SPDX-License-Identifier: MIT */
/* The host's execution (tools/lib/rerun) against a full recording of the emulator:
 *
 *     rerun_check APP.elf FULL.weft
 *
 * From reset on, each instruction must be the one that the emulator executed, with the same values and accesses, or
 * values that are said to be unknown. What devices and semihosting requests answer, and when handlers start, comes from
 * the recording.
 *
 *     rerun_check APP.elf FULL.weft RERUN.weft
 *
 * What `weft rerun` made of a recording of paths, against the emulator's full recording of the same run: the same
 * instructions and accesses, but for what the probes execute; and the same values, but for what comes from registers
 * that a probe has spoiled. Such values are followed: another value anywhere else is a difference.
 *
 * Prints counts; status 1 at the first difference. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/program_run.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/rerun/entries.h"
#include "tools/lib/rerun/exception.h"
#include "tools/lib/rerun/request.h"
#include "tools/lib/rerun/step.h"

static struct {
    full_event seen;
    uint32_t answered; /* accesses of `seen` that were asked for */
} at;

static bool answer_load(void *own, uint32_t address, unsigned size, uint64_t *value)
{
    (void)own;
    for (; at.answered < at.seen.access_count; at.answered++) {
        const full_access *a = &at.seen.accesses[at.answered];
        if (a->store || a->address != address || a->size != size)
            continue;
        *value = a->value;
        at.answered++;
        return true;
    }
    return false;
}

static bool answer_result(void *own, uint32_t request, uint32_t *value)
{
    (void)own;
    (void)request;
    *value = at.seen.value_count ? at.seen.values[0] : 0;
    return at.seen.value_count > 0;
}

static uint64_t unknown_values, unknown_accesses, compared_values, compared_accesses;

static bool same_values(const full_event *mine)
{
    const full_event *seen = &at.seen;
    if (mine->passed != seen->passed)
        return false;
    for (unsigned location = 0; location < 64; location++) {
        if (!(mine->written & seen->written) >> location ||
            !(mine->written & seen->written & (UINT64_C(1) << location)))
            continue;
        if (mine->unknown_values >> location & 1) {
            unknown_values++;
            continue;
        }
        compared_values++;
        if (program_run_value(mine, location) != program_run_value(seen, location)) {
            printf("location %u: %08x, the emulator has %08x\n", location, program_run_value(mine, location),
                   program_run_value(seen, location));
            return false;
        }
    }
    return true;
}

static bool same_accesses(const full_event *mine)
{
    const full_event *seen = &at.seen;
    if (mine->access_count != seen->access_count) {
        printf("%u accesses, the emulator has %u\n", mine->access_count, seen->access_count);
        return false;
    }
    for (uint32_t i = 0; i < mine->access_count; i++) {
        const full_access *a = &mine->accesses[i], *b = &seen->accesses[i];
        bool known = !(mine->unknown >> i & 1);
        compared_accesses++;
        unknown_accesses += !known;
        if (a->address != b->address || a->size != b->size || a->store != b->store || (known && a->value != b->value)) {
            printf("%s %08x %u %" PRIx64 ", the emulator has %s %08x %u %" PRIx64 "\n", a->store ? "store" : "load",
                   a->address, a->size, a->value, b->store ? "store" : "load", b->address, b->size, b->value);
            return false;
        }
    }
    return true;
}

static bool same_registers(const full_event *mine, bool known_flags)
{
    const full_event *seen = &at.seen;
    for (unsigned i = 0; i < 16; i++)
        if (mine->registers[i] != seen->registers[i] && mine->registers[i]) {
            printf("r%u %08x, the emulator has %08x\n", i, mine->registers[i], seen->registers[i]);
            return false;
        }
    uint32_t counted = seen->entry ? ~0u : ~0x0600fc00u; /* the emulator does not say the IT block that goes on */
    bool same_state = !known_flags || !((mine->xpsr ^ seen->xpsr) & counted);
    if (!same_state)
        printf("xpsr %08x, the emulator has %08x\n", mine->xpsr, seen->xpsr);
    return same_state && mine->pc == seen->pc;
}

static bool step(rerun_machine *m)
{
    full_event mine;
    const full_event *seen = &at.seen;
    if (seen->kind == FULL_EXCEPTION) {
        rerun_status status = RERUN_DONE;
        if (rerun_leaves(&m->core))
            status = seen->entry ? rerun_chain(m, seen->to, &mine) : rerun_leave(m, &mine);
        else
            status = rerun_enter(m, seen->to, &mine);
        if (status != RERUN_DONE)
            printf("exception %u to %u: %s\n", seen->from, seen->to, rerun_status_text(status));
        return status == RERUN_DONE && same_registers(&mine, m->core.known >> THUMB_FLAGS & 1);
    }
    if (m->core.pc != seen->instruction->pc) {
        printf("pc %08x, the emulator has %08x\n", m->core.pc, seen->instruction->pc);
        return false;
    }
    rerun_status status = rerun_step(m, &mine);
    if (status == RERUN_ENDED)
        return true;
    if (status != RERUN_DONE) {
        printf("%s\n", rerun_status_text(status));
        return false;
    }
    return same_values(&mine) && same_accesses(&mine);
}

/* ---- with probes ---- */

#define SPOILED_BY_PROBES (0xfu | 1u << 12 | 1u << THUMB_FLAGS)
#define FLOATS_SPOILED (UINT64_C(0xffff) << 32 | UINT64_C(1) << 16)
enum { WORDS = 1 << 18 };

static struct {
    uint64_t locations;
    uint32_t words[WORDS]; /* addresses / 4 + 1 of spoiled words, by hash */
    uint64_t values;       /* that differ for it */
    uint32_t sp;
} spoiled;

static uint32_t *word_at(uint32_t address)
{
    uint32_t key = address / 4 + 1, i = key * 0x9e3779b1u >> 14;
    while (spoiled.words[i] && spoiled.words[i] != key && spoiled.words[i] != UINT32_MAX)
        i = (i + 1) % WORDS;
    return &spoiled.words[i];
}

static bool word_is_spoiled(uint32_t address)
{
    uint32_t key = address / 4 + 1, i = key * 0x9e3779b1u >> 14;
    for (; spoiled.words[i]; i = (i + 1) % WORDS)
        if (spoiled.words[i] == key)
            return true;
    return false;
}

static void mark_word(uint32_t address, bool is)
{
    uint32_t key = address / 4 + 1, i = key * 0x9e3779b1u >> 14;
    if (is && !word_is_spoiled(address))
        *word_at(address) = key;
    for (; !is && spoiled.words[i]; i = (i + 1) % WORDS)
        if (spoiled.words[i] == key)
            spoiled.words[i] = UINT32_MAX; /* free again */
}

/* Below the stack pointer a probe, or an interrupt without probes, leaves what it pushed. */
static void spoil_stack(void)
{
    enum { BELOW = 1400 }; /* bytes: more than a probe takes (tests/freestanding/stack.sh) */
    for (uint32_t below = 4; spoiled.sp && below <= BELOW; below += 4)
        mark_word(spoiled.sp - below, true);
}

/* Does the instruction read something that a probe spoiled? */
static bool reads_spoiled(const full_event *mine)
{
    thumb_insn insn;
    const full_instruction *i = mine->instruction;
    thumb_decode(&insn, i->pc, i->bytes, i->size, i->condition);
    bool is = (insn.reads | thumb_compute_reads(&insn, THUMB_FLAGS)) & spoiled.locations;
    for (uint32_t k = 0; k < mine->access_count; k++)
        for (uint32_t byte = 0; byte < mine->accesses[k].size; byte++)
            is |= !mine->accesses[k].store && word_is_spoiled(mine->accesses[k].address + byte);
    return is || (mine->written >> THUMB_FLAGS & 1 && spoiled.locations >> THUMB_FLAGS & 1);
}

static bool same_but_spoiled(const full_event *mine)
{
    const full_event *seen = &at.seen;
    bool may_differ = reads_spoiled(mine);
    for (uint32_t k = 0; k < mine->access_count; k++) {
        const full_access *a = &mine->accesses[k], *b = &seen->accesses[k];
        bool differs = a->value != b->value, unknown = mine->unknown >> k & 1;
        unknown_accesses += unknown;
        may_differ |= unknown;
        compared_accesses++;
        if (a->address != b->address || a->size != b->size || a->store != b->store || (differs && !may_differ)) {
            printf("access %08x %u %" PRIx64 ", the emulator has %08x %u %" PRIx64 "\n", a->address, a->size, a->value,
                   b->address, b->size, b->value);
            return false;
        }
        spoiled.values += differs;
        for (uint32_t byte = 0; a->store && byte < a->size; byte += 4)
            mark_word(a->address + byte, differs || (a->size < 4 && word_is_spoiled(a->address)));
    }
    if (mine->written >> 13 & 1)
        spoiled.sp = program_run_value(mine, 13);
    for (unsigned location = 0; location < 64; location++) {
        if (!(mine->written & seen->written) >> location ||
            !(mine->written & seen->written & (UINT64_C(1) << location)))
            continue;
        bool differs = program_run_value(mine, location) != program_run_value(seen, location);
        compared_values++;
        if (differs && !may_differ && !(mine->unknown_values >> location & 1)) {
            printf("location %u: %08x, the emulator has %08x\n", location, program_run_value(mine, location),
                   program_run_value(seen, location));
            return false;
        }
        spoiled.values += differs;
        uint64_t bit = UINT64_C(1) << location;
        spoiled.locations = differs ? spoiled.locations | bit : spoiled.locations & ~bit;
    }
    return true;
}

/* What interrupts find in registers, and leave in memory, differs where they come within a probe. */
static uint64_t kept_spoiled[PROGRAM_RUN_LEVELS];

static void spoil_entry(const full_event *mine, unsigned level)
{
    spoiled.sp = mine->registers[13];
    spoil_stack();
    for (uint32_t word = 0; word < 0x68; word += 4)
        mark_word(mine->frame + word, true);
    kept_spoiled[level] = spoiled.locations;
    spoiled.locations |= 0x1fff | UINT64_C(1) << THUMB_FLAGS | FLOATS_SPOILED;
}

static int compare_runs(const image *im, full_reader *emulator, full_reader *rerun)
{
    static program_run seen, mine;
    rerun_entries *entries = rerun_entries_find(im);
    uint64_t instructions = 0, passed_over = 0, interrupts = 0;
    seen = (program_run){.reader = emulator, .im = im, .entries = entries};
    mine = (program_run){.reader = rerun, .im = im, .entries = entries, .rerun = true};
    bool same = true;
    while (same) {
        bool passed = false, skipped = false;
        program_run_kind kind = program_run_next(&mine, &passed);
        if (kind == RUN_END)
            break;
        same = kind == program_run_next(&seen, &skipped);
        passed_over += passed;
        if (passed || skipped) {
            spoil_stack();
            spoiled.locations |= SPOILED_BY_PROBES | FLOATS_SPOILED;
        }
        at.seen = seen.now;
        if (same && kind == RUN_INSTRUCTION) {
            same = mine.now.instruction->pc == seen.now.instruction->pc &&
                   mine.now.access_count == seen.now.access_count && same_but_spoiled(&mine.now);
            instructions++;
        } else if (same && kind == RUN_ENTRY) {
            same = mine.now.to == seen.at[seen.level].exception;
            spoil_entry(&mine.now, mine.level);
            interrupts++;
        } else if (same) {
            spoiled.sp = mine.now.registers[13];
            spoil_stack();
            spoiled.locations = kept_spoiled[mine.level + 1] | SPOILED_BY_PROBES | FLOATS_SPOILED;
        }
        if (!same)
            printf("not ok: after %" PRIu64 " instructions, kind %d, at %08x in %u, the emulator at %08x in %u\n",
                   instructions, (int)kind, mine.now.kind == FULL_EXECUTED ? mine.now.instruction->pc : mine.now.pc,
                   mine.at[mine.level].exception,
                   seen.now.kind == FULL_EXECUTED ? seen.now.instruction->pc : seen.now.pc,
                   seen.at[seen.level].exception);
    }
    printf("%" PRIu64 " instructions, %" PRIu64 " probes, %" PRIu64 " values, %" PRIu64 " accesses, %" PRIu64
           " spoiled, %" PRIu64 " interrupts\n",
           instructions, passed_over, compared_values, compared_accesses, spoiled.values, interrupts);
    rerun_entries_free(entries);
    return !same || !instructions;
}

/* ---- without ---- */

static int compare_machine(const image *im, full_reader *emulator)
{
    rerun_machine m;
    uint64_t instructions = 0;
    if (!rerun_machine_open(&m, im, true)) {
        puts("no vector table");
        return 1;
    }
    m.from = (rerun_outside){NULL, answer_load, answer_result};
    bool same = true;
    while (same && full_next(emulator, &at.seen) > 0) {
        at.answered = 0;
        same = step(&m);
        if (!same)
            printf("not ok: after %" PRIu64 " instructions, at %08x\n", instructions,
                   at.seen.kind == FULL_EXECUTED ? at.seen.instruction->pc : at.seen.pc);
        instructions += at.seen.kind == FULL_EXECUTED;
    }
    printf("%" PRIu64 " instructions, %" PRIu64 " values, %" PRIu64 " unknown, %" PRIu64 " accesses, %" PRIu64
           " of unknown value\n",
           instructions, compared_values, unknown_values, compared_accesses, unknown_accesses);
    rerun_machine_close(&m);
    return !same || !instructions;
}

int main(int argc, char **argv)
{
    char message[512];
    if (argc != 3 && argc != 4)
        return 2;
    image *im = image_open(argv[1], message, sizeof message);
    full_reader *emulator = im ? full_open(argv[2], message, sizeof message) : NULL;
    full_reader *rerun = emulator && argc == 4 ? full_open(argv[3], message, sizeof message) : NULL;
    if (!emulator || (argc == 4 && !rerun)) {
        puts(message);
        return 1;
    }
    int status = rerun ? compare_runs(im, emulator, rerun) : compare_machine(im, emulator);
    full_close(rerun);
    full_close(emulator);
    image_close(im);
    return status;
}
