/* SPDX-License-Identifier: MIT */
/* A whole execution trace as an execution (tools/lib/profile/execution.h): calls and instructions by function. */
#ifndef WEFT_TOOLS_LIB_WET_EXECUTED_H
#define WEFT_TOOLS_LIB_WET_EXECUTED_H

#include "tools/lib/profile/execution.h"
#include "tools/lib/wet/file.h"

typedef struct wet_executed wet_executed;

/* Begins to add all of it. Both outlive the feed. NULL and a message: it is of another program. */
wet_executed *wet_executed_open(wet_file *f, execution *run, char *message, size_t message_size);
/* Adds its next executions, some thousand. EXECUTION_WRONG: it is damaged (f->damaged, f->damaged_at). */
execution_fed wet_executed_next(wet_executed *feed);
void wet_executed_close(wet_executed *feed);

#endif
