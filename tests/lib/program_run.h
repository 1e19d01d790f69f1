/* SPDX-License-Identifier: MIT */
/* A full recording without what Weft's own functions execute, and without interrupts whose handlers say nothing of
 * their start. So what is left of a run with probes, and of its rerun, must be the same, interrupts included. */
#ifndef WEFT_TESTS_LIB_PROGRAM_RUN_H
#define WEFT_TESTS_LIB_PROGRAM_RUN_H

#include "tools/lib/recording/full.h"
#include "tools/lib/rerun/entries.h"

enum { PROGRAM_RUN_LEVELS = 64 };

typedef struct program_run_kept {
    uint32_t frame, back, lr; /* frame: 0: none */
    bool inside;
} program_run_kept;

typedef struct program_run {
    full_reader *reader;
    const image *im;
    const rerun_entries *entries;
    bool rerun;     /* of the rerun: of each such function only the return was executed */
    full_event now; /* of the recording */
    uint32_t lr;
    unsigned level;
    struct {
        bool unseen;
        bool inside;
        uint32_t exception, back, frame;
    } at[PROGRAM_RUN_LEVELS]; /* by depth of interrupts */
    program_run_kept kept[PROGRAM_RUN_LEVELS];
    unsigned kept_count;
    bool leaves; /* `now` was a chain: its handler has been left, and the other one is entered next */
} program_run;

typedef enum program_run_kind { RUN_END, RUN_INSTRUCTION, RUN_ENTRY, RUN_EXIT } program_run_kind;

/* The next event of the program. *passed: something was left out before it. */
program_run_kind program_run_next(program_run *run, bool *passed);

/* What an instruction wrote to a location. */
static inline uint32_t program_run_value(const full_event *event, unsigned location)
{
    uint64_t below = event->written & ((UINT64_C(1) << location) - 1);
    return event->values[__builtin_popcountll(below)];
}

#endif
