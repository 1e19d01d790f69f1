/* SPDX-License-Identifier: MIT */
/* What an input is, by its first bytes; and those that hold each instruction, as an execution
 * (tools/lib/profile/execution.h). */
#ifndef WEFT_TOOLS_WEFT_EXECUTED_H
#define WEFT_TOOLS_WEFT_EXECUTED_H

#include "tools/lib/profile/execution.h"

typedef enum executed_kind {
    EXECUTED_PATHS, /* a recording with probes, or anything else */
    EXECUTED_FULL,  /* a full recording */
    EXECUTED_WET    /* a whole execution trace */
} executed_kind;

executed_kind executed_kind_of(const char *path);
/* Prints why an input cannot be read as a recording of paths, and returns the exit status: what it is instead, or
 * `message`. */
int executed_no_paths(const char *name, const char *path, const char *message);

/* A full recording or a whole execution trace, which is added to an execution. */
typedef struct executed_reader executed_reader;

/* The exit status; what is wrong was printed, with the name of the subcommand. The execution outlives the reader. */
int executed_open(executed_reader **reader, execution *run, const char *name, const char *path);
/* Adds some of it. EXECUTION_CUT and EXECUTION_WRONG: what is wrong was printed. */
execution_fed executed_next(executed_reader *reader);
void executed_close(executed_reader *reader);

/* The same for all of it. *cut: the end is missing, which was reported on standard error. */
int executed_read(execution *run, const char *name, const char *path, bool *cut);

#endif
