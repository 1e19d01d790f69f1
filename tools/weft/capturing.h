/* SPDX-License-Identifier: MIT */
/* What the steps of `weft capture` share.
 *     capture_options.c  1  the command line
 *     capture.c          2  machine and sink, from the image; and the order of the steps
 *     capture_outputs.c  3  the files it writes, under names that pass through the emulator's options
 *     capture_run.c      4  the run, and how it ended
 *     capture_memory.c      what is read from the memory of the stopped program: RAM ring, black box
 *     capture_health.c      whether the stopped program was well
 *     capture_leave.c       the end of a program that leaves by itself
 *     capture_totals.c   5  what the recording says of itself
 * A function that returns a status has reported what is wrong, unless it is EXIT_DONE. */
#ifndef WEFT_TOOLS_WEFT_CAPTURING_H
#define WEFT_TOOLS_WEFT_CAPTURING_H

#include "tools/lib/base/leftover.h"
#include "tools/lib/base/output.h"
#include "tools/lib/emulator/emulator.h"
#include "tools/lib/image/firmware.h"
#include "tools/lib/recording/tally.h"
#include "tools/weft/capture_stream.h"
#include "tools/weft/command.h"
#include "tools/weft/follow.h"

typedef struct capture {
    const char *name, *elf, *memory, *out, *board, *argument, *input, *watch, *count;
    follow_request follow;
    bool full, json, timeout_given, trust;
    bool foreign; /* not built by `make firmware`: its start-up is its own */
    long long timeout, icount;
    firmware *firmware;
    const char *machine, *sink;
    capture_stream *stream; /* a full recording on standard output; NULL: it goes elsewhere */
    output *trace, *beside; /* where the recording goes, and what the plugin writes besides; NULL: nowhere */
    char folder[32];        /* of links with short and plain names to them: names pass through the emulator's options */
    char link[64], seen[64]; /* and the firmware's command line */
    struct {
        leftover folder, link, seen;
    } made;
    bool left, left_busy; /* the program left by itself; and its recording could not be ended before */
    uint32_t ring;        /* address of the RAM ring, or black box */
    int extracted;        /* status of reading it */
    int health;           /* and whether the program was well */
    bool (*read)(struct capture *c, struct emulator_memory *memory); /* reads it; NULL: it is elsewhere */
} capture;

typedef struct capture_totals {
    uint64_t events, bytes, lost;
    tally in; /* of a full recording: the accesses */
    bool gaps;
    const char *at_least; /* container_at_least; NULL: not of a full recording */
} capture_totals;

/* Step 1. OPTIONS_READ: go on. */
int capture_options(capture *c, int argc, char **argv);

/* Step 3. */
int capture_outputs_open(capture *c);
/* After a run: gives the outputs their names. An output that is empty stays open, and its file is not written. */
int capture_outputs_keep(capture *c);
/* Whether the file at `path`, which holds a recording that is not whole, can grow; else the disk is full. */
int capture_outputs_can_grow(const capture *c, const char *path);
/* Removes the files that were not kept. */
void capture_outputs_close(capture *c);

/* Step 4. EXIT_DONE: the program ran, however it ended. */
int capture_run(capture *c, emulator_end *end);
/* Says what was refused to the program. */
void capture_run_refused(const capture *c, const emulator_end *end);
/* Says how the program ended if not well. EXIT_INPUT: the trace may be cut short by that. */
int capture_run_judge(const capture *c, const emulator_end *end);
/* Of a run whose sink is RAM ring or black box: where it stops, and what is read then. */
int capture_memory_prepare(capture *c, emulator_run *run);

/* The stopped program: says whether the recorder refused to start, and whether stacks of tasks are too small. Then it
 * reads the trace, if that is in memory. `context` is the capture. */
bool capture_health(void *context, struct emulator_memory *memory);

/* Of a program that may leave by itself: the plugin's arguments, to be freed; NULL: it cannot be told. */
char *capture_leave_arguments(capture *c);
/* After the run: whether it did, and what was in its memory then. */
void capture_leave_take(capture *c);

/* Step 5. EXIT_DONE: `t` is what the recording says of itself. */
int capture_total_full(capture *c, capture_totals *t);
/* `judged`: whether the program was built as it should be for it. */
int capture_total_container(const capture *c, capture_totals *t, int *judged);
/* `end` is NULL if nothing was run. */
void capture_totals_print(const capture *c, const capture_totals *t, const emulator_end *end);

#endif
