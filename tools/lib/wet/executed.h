/* SPDX-License-Identifier: MIT */
/* A whole execution trace as an execution (tools/lib/profile/execution.h): calls and instructions by function. */
#ifndef WEFT_TOOLS_LIB_WET_EXECUTED_H
#define WEFT_TOOLS_LIB_WET_EXECUTED_H

#include "tools/lib/profile/execution.h"
#include "tools/lib/wet/file.h"

/* Adds all of it. False and a message: it is of another program. Damage: f->damaged, f->damaged_at. */
bool wet_executed(wet_file *f, execution *run, char *message, size_t message_size);

#endif
