/* SPDX-License-Identifier: MIT */
/* The next stop of a run, at breakpoints and watchpoints, in either direction. */
#ifndef WEFT_TOOLS_LIB_DEBUG_SEARCH_H
#define WEFT_TOOLS_LIB_DEBUG_SEARCH_H

#include "tools/lib/debug/run.h"

/* As search and watched of a subject (subject.h). */
debug_hit debug_run_search(debug_run *r, debug_instant *at, const debug_points *points, bool backward);
bool debug_run_watched(debug_run *r, debug_instant at, const debug_points *points, bool backward, debug_hit *hit);
/* The timestamp of the last execution before an instant of a statement that `is`; 0: there is none. */
uint32_t debug_run_executed(debug_run *r, debug_instant at, bool (*is)(const debug_run *r, const wet_statement *s));

#endif
