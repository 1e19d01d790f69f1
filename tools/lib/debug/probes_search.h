/* SPDX-License-Identifier: MIT */
/* Stops in a recording of probes, as search and watched of a subject. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_PROBES_SEARCH_H
#define WEFT_TOOLS_LIB_DEBUG_PROBES_SEARCH_H

#include "tools/lib/debug/probes_data.h"

debug_hit probes_search(probes_run *r, debug_instant *at, const debug_points *points, bool backward);
bool probes_watched(probes_run *r, debug_instant at, const debug_points *points, bool backward, debug_hit *hit);

#endif
