/* SPDX-License-Identifier: MIT */
/* `monitor weft ...` of a recording of probes: what its events tell. Why a value came about they do not. Private to the
 * room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_PROBES_MONITOR_H
#define WEFT_TOOLS_LIB_DEBUG_PROBES_MONITOR_H

#include "tools/lib/debug/probes_data.h"

void probes_monitor(probes_run *r, debug_instant *at, const debug_context *c, const char *command, FILE *out);

#endif
