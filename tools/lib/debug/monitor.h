/* SPDX-License-Identifier: MIT */
/* `monitor weft ...`: questions that a debugger has no command for. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_MONITOR_H
#define WEFT_TOOLS_LIB_DEBUG_MONITOR_H

#include <stdio.h>

#include "tools/lib/debug/run.h"

/* Of a whole execution trace. `at` changes where the command says so. */
void monitor_run(debug_run *r, debug_instant *at, const char *command, FILE *out);

#endif
