/* SPDX-License-Identifier: MIT */
/* What is done by the debugger interface of an emulator that waits before the program's first instruction: the program
 * is let go, and where the run asks for it, stopped again and looked at. */
#ifndef WEFT_TOOLS_LIB_EMULATOR_VISIT_H
#define WEFT_TOOLS_LIB_EMULATOR_VISIT_H

#include <sys/types.h>

#include "tools/lib/emulator/gdb.h"
#include "tools/lib/emulator/guard.h"
#include "tools/lib/emulator/run.h"

/* A program that is stopped. */
struct emulator_memory {
    gdb *connection;
};

/* When a run that begins now is to end; 0: never. */
double visit_end_of(const emulator_run *run);

/* `socket`: the interface's path. `guarded`: NULL if the program is trusted; else the guard starts with the program.
 * *until is set when the program starts. False: the interface does not answer. */
bool visit_from_start(const emulator_run *run, const char *socket, pid_t child, guard *guarded, double *until,
                      emulator_end *end);

#endif
