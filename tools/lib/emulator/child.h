/* SPDX-License-Identifier: MIT */
/* The emulator as a child process: started, waited for, ended. SIGINT, SIGTERM and SIGHUP to us end a wait. */
#ifndef WEFT_TOOLS_LIB_EMULATOR_CHILD_H
#define WEFT_TOOLS_LIB_EMULATOR_CHILD_H

#include <sys/types.h>

#include "tools/lib/emulator/guard.h"
#include "tools/lib/emulator/run.h"

/* Seconds that the emulator may take to do what it is told, and to start. It takes far less; but this machine may do
 * much other work, and then an emulator that is given up too early is a recording that is lost. */
#define CHILD_PATIENCE 30.0
#define CHILD_START 120.0

/* From here on the first of the signals is noted, and ends what waits. What was noted before is forgotten. */
void child_catch_signals(void);
bool child_interrupted(void);

/* Starts the program words[0]. It reads `input` (NULL: nothing). Its standard output joins our standard error. -1 and
 * errno: also when it cannot be run at all. errno is below 0 where the guard cannot be set up in the child. */
pid_t child_start(const char *const *words, const char *input, guard *guarded);
/* Waits for the whole run. True: the child ended before the time `until` (0: whenever), and how is in `end`. False,
 * too: the disk is full. */
bool child_wait_for_run(const emulator_run *run, pid_t child, double until, emulator_end *end);
/* Whether it has ended; it can still be waited for. */
bool child_has_ended(pid_t child);
/* Asks it to end, so that the plugin can finish its file, and kills it if it does not; or kills it at once, where all
 * that is wanted is out. */
void child_end(pid_t child, bool all_out, emulator_end *end);
/* Waits a moment between two looks. */
void child_rest(void);

#endif
