/* SPDX-License-Identifier: MIT */
/* The run of a program, executed again on the host along a recording of its paths. Its events are those of a full
 * recording, from reset to the end of the recording. Probes are left out: a call of one changes nothing here, and the
 * registers that it may spoil keep their values.
 *
 *     rerun *r = rerun_open(app, file, &options, message, sizeof message);      NULL: print message, exit status 1
 *     for (full_event event; rerun_next_event(r, &event);) ...
 *     rerun_summarise(r, &summary);                       summary.stopped: why it ended before the recording did
 *     rerun_close(r);
 *
 * What is checked: each record of a path, a pack or a loop is the one that the executed program would make there. What
 * is not known is said: events have masks of it, and the summary counts. */
#ifndef WEFT_TOOLS_LIB_RERUN_RUN_H
#define WEFT_TOOLS_LIB_RERUN_RUN_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/rerun/summary.h"

typedef struct rerun rerun;

typedef struct rerun_options {
    bool zero;                /* memory and registers are 0 at reset, as in the emulator; else they are unknown */
    const char *command_line; /* of the program; NULL: unknown */
} rerun_options;

/* The program and the file outlive it. The file knows the program already (program_fits). */
rerun *rerun_open(const program *app, const container *file, const rerun_options *options, char *message,
                  size_t message_size);
void rerun_close(rerun *r);
/* False: the end. `event->unknown_values`: the locations that the instruction wrote and that are not known. */
bool rerun_next_event(rerun *r, full_event *event);
void rerun_summarise(const rerun *r, rerun_summary *summary);

#endif
