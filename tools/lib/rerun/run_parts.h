/* SPDX-License-Identifier: MIT */
/* What the files of a rerun share; no other file includes it. Calls go one way:
 *
 *     run.c             the next event: an instruction, an interrupt or its return; the calls of probes
 *        -> compare.c      what a probe would record, against the recording
 *        -> interrupts.c   where the next interrupt comes
 *           -> advance.c   calls that are not executed; what devices answer; waiting for ever; stopping
 */
#ifndef WEFT_TOOLS_LIB_RERUN_RUN_PARTS_H
#define WEFT_TOOLS_LIB_RERUN_RUN_PARTS_H

#include "tools/lib/image/program.h"
#include "tools/lib/rerun/entries.h"
#include "tools/lib/rerun/exception.h"
#include "tools/lib/rerun/expected.h"
#include "tools/lib/rerun/step.h"
#include "tools/lib/rerun/summary.h"

/* A moment that may come again. */
typedef struct rerun_moment {
    rerun_core core;
    uint64_t stores, steps, most;
} rerun_moment;

/* An exception's handler that has been entered. */
typedef struct rerun_active {
    uint32_t handler;
    bool in_probe;
    /* Of what it interrupted: */
    uint32_t exception, sp, other_sp;
    bool other_sp_known, process_stack;
    bool started;  /* its start was compared */
    bool unplaced; /* the code that runs is a probe's, whose stack is not recorded: it called Weft's own interrupt */
    uint64_t spoiled;
    uint32_t flags_spoiled;
} rerun_active;

enum { RERUN_ACTIVE_MAX = 32 };
/* Bytes: more memory than a part has. */
#define RERUN_MEMORY_MAX (UINT32_C(16) << 20)

/* A thread that was switched away while it stood in a probe: its stack pointer there, and here. */
typedef struct rerun_away {
    uint32_t in_probe, sp;
} rerun_away;

/* What one of the program's own handlers interrupted, which may not be what it returns to. */
typedef struct rerun_kept {
    uint32_t frame; /* 0: none */
    uint64_t spoiled;
    uint32_t flags_spoiled;
} rerun_kept;

typedef struct rerun rerun; /* run.h */
struct rerun {
    rerun_machine m;
    rerun_entries *entries;
    rerun_expected *expected;
    const program *app;
    const image *im;
    bool recording, ended;
    uint64_t silent; /* instructions since the last call of a probe */
    struct {
        bool on, given;          /* a value is tried; it was loaded */
        uint32_t value, address; /* address: of the load */
    } trial;
    bool high; /* the next word that is loaded is the upper one of a value of 64 bits */
    rerun_moment before;
    struct {
        bool made, comes; /* it is known whether an interrupt comes before the next event; one does */
        bool in_probe;    /* it comes within a probe: after `steps`, or, if `at_call`, where the next one is called */
        bool at_call;
        uint64_t steps; /* instructions to go */
        rerun_place place;
        bool waits;      /* until the program has counted to: */
        uint32_t laps;   /* then it is made */
        uint64_t stores; /* when that was looked at */
        uint32_t past;   /* times that it was past that, in a row */
    } plan;
    uint32_t counter;                      /* address of what the program counts; 0: it does not */
    rerun_active active[RERUN_ACTIVE_MAX]; /* the newest last */
    unsigned active_count;
    rerun_away *away;
    size_t away_count, away_max;
    rerun_kept *kept;
    size_t kept_count, kept_max;
    bool returned; /* a handler, and no instruction was executed since */
    rerun_summary sum;
    char stopped[400];
};

/* In compare.c. */
/* At a function that records: takes what it would record from the recording. False: that has something else, or no
 * more. */
bool rerun_compare(rerun *r, rerun_entry entry);
/* The registers that must be known there, a bit each. */
uint64_t rerun_arguments(rerun_entry entry);

/* In interrupts.c. */
/* Finds where the next interrupt comes, if one comes before the next event. False: it has stopped. */
bool rerun_plan(rerun *r);
/* What the program has counted, which is known from reset on. */
uint32_t rerun_laps(rerun *r);
/* Whether it has counted to where the next interrupt comes. False also if it has stopped, since it went past that. */
bool rerun_counted(rerun *r);
/* A handler is entered next. False: too many have been, so it has stopped. */
bool rerun_push(rerun *r, uint32_t handler);
/* The planned interrupt comes. False: it has stopped. */
bool rerun_interrupt(rerun *r, full_event *event);
/* One of the program's own has been entered. */
void rerun_keep(rerun *r, const full_event *event);
/* A handler has returned. */
void rerun_returned(rerun *r, full_event *event);

/* In advance.c. */
/* It cannot go on from here. */
void rerun_stop(rerun *r, const char *why);
/* What the rerun knows of devices, as rerun_outside.load. `own` is a rerun. */
bool rerun_answer(void *own, uint32_t address, unsigned size, uint64_t *value);
/* Whether the function records an event of its caller's, or ends the recording. */
bool rerun_records(rerun *r, rerun_entry entry);
/* The function at core.pc returns at once: at `back`, or to its caller if that is 0. */
void rerun_return(rerun *r, rerun_entry entry, uint32_t back);
uint32_t rerun_low_bytes(uint32_t value, unsigned size);
bool rerun_same_core(const rerun_core *a, const rerun_core *b);
/* True if nothing has changed since an earlier moment: then the program waits for ever, unless something comes from
 * outside. */
bool rerun_waits(const rerun_machine *m, rerun_moment *before);

#endif
