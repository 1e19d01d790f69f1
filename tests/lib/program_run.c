/* SPDX-License-Identifier: MIT */
#include "tests/lib/program_run.h"

#include "tools/lib/image/vectors.h"
#include "tools/lib/rerun/pending.h"

static bool is_of_weft(const program_run *f, uint32_t pc)
{
    uint32_t back;
    const image_symbol *function = image_function(&f->im->symbols, pc);
    return function && rerun_entries_at(f->entries, function->address, &back) != RERUN_NO_ENTRY;
}

/* Its handler says nothing of its start, so the rerun has nothing of it: Weft's own, or one without probes. */
static bool is_unseen(const program_run *f, uint32_t exception)
{
    uint32_t probe, size;
    if (exception == RERUN_SVCALL || exception == RERUN_PENDSV)
        return false; /* they come where the program asks for them */
    return !image_symbol_named(f->im, "__weft_handler", &probe, &size) ||
           !rerun_entries_reach(f->entries, vectors_word(f->im, exception), probe);
}

/* Of what is interrupted, by its frame: a handler may return to another thread. */
static void keep(program_run *f)
{
    for (unsigned i = 0; i < PROGRAM_RUN_LEVELS; i++)
        if (f->kept[i].frame == f->now.frame)
            f->kept[i].frame = 0; /* of what has not returned so far, but must have */
    f->kept[f->kept_count++ % PROGRAM_RUN_LEVELS] =
        (program_run_kept){f->now.frame, f->at[f->level].back, f->lr, f->at[f->level].inside};
}

static void bring_back(program_run *f)
{
    for (unsigned i = 0; i < PROGRAM_RUN_LEVELS; i++) {
        program_run_kept *kept = &f->kept[i];
        if (!kept->frame || kept->frame != f->now.frame)
            continue;
        f->at[f->level].inside = kept->inside;
        f->at[f->level].back = kept->back;
        f->lr = kept->lr;
        kept->frame = 0;
        return;
    }
    f->at[f->level].inside = false; /* a thread that starts */
}

/* An exception is entered or left. True: it is to be compared. */
static bool note_exception(program_run *f, bool entry)
{
    if (!entry) {
        bool unseen = f->at[f->level].unseen;
        f->level -= f->level > 0;
        bring_back(f);
        return !unseen;
    }
    keep(f);
    f->level += f->level + 1 < PROGRAM_RUN_LEVELS;
    f->at[f->level].exception = f->now.to;
    f->at[f->level].frame = f->now.frame;
    f->at[f->level].inside = false;
    f->at[f->level].unseen = !f->rerun && is_unseen(f, f->now.to);
    return !f->at[f->level].unseen;
}

/* True: the instruction is the program's own. */
static bool note_instruction(program_run *f)
{
    uint32_t pc = f->now.instruction->pc, back;
    bool is = !f->at[f->level].unseen;
    if (f->at[f->level].inside && pc == f->at[f->level].back)
        f->at[f->level].inside = false;
    if (!f->rerun && !f->at[f->level].inside && rerun_entries_at(f->entries, pc, &back) != RERUN_NO_ENTRY) {
        f->at[f->level].inside = true;
        f->at[f->level].back = f->lr & ~1u;
    }
    is &= !f->at[f->level].inside && !(f->rerun && is_of_weft(f, pc));
    if (f->now.written >> 14 & 1)
        f->lr = program_run_value(&f->now, 14);
    return is;
}

program_run_kind program_run_next(program_run *f, bool *passed)
{
    for (;;) {
        if (f->leaves) {
            f->leaves = false;
            if (note_exception(f, true))
                return RUN_ENTRY;
        }
        if (full_next(f->reader, &f->now) <= 0)
            return RUN_END;
        if (f->now.kind == FULL_EXECUTED) {
            if (note_instruction(f))
                return RUN_INSTRUCTION;
            *passed = true;
            continue;
        }
        bool chain = f->now.entry && f->now.from && full_is_chained(&f->now, f->at[f->level].frame);
        f->leaves = chain;
        bool seen = note_exception(f, f->now.entry && !chain);
        if (f->now.entry && !chain)
            f->lr = f->now.registers[14];
        if (seen)
            return f->now.entry && !chain ? RUN_ENTRY : RUN_EXIT;
        *passed = true;
    }
}
