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

/* Adds a full recording or a whole execution trace. The exit status; *cut: the end is missing, which was said on
 * standard error. */
int executed_read(execution *run, const char *name, const char *path, bool *cut);

#endif
