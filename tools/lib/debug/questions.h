/* SPDX-License-Identifier: MIT */
/* Questions to a run from an instant on: what was executed at a place before it, which store came first or last, where
 * a value was stored. Places: tools/lib/wet/place.h. */
#ifndef WEFT_TOOLS_LIB_DEBUG_QUESTIONS_H
#define WEFT_TOOLS_LIB_DEBUG_QUESTIONS_H

#include "tools/lib/debug/search.h"
#include "tools/lib/debug/sought.h"
#include "tools/lib/wet/place.h"

/* The last instance of a place before an instant: its statement has executed by then. With an object in memory it is
 * the last store to it. False: there was none. */
bool debug_place_before(debug_run *r, debug_instant at, const wet_place *place, debug_instant *found);
/* The first store to an object of the whole run. */
bool debug_place_first(debug_run *r, const wet_place *place, debug_instant *found);
/* The same statement as an instance of the trace. */
wet_instance debug_instance_at(debug_run *r, debug_instant at);

typedef struct debug_found {
    uint32_t time, node, statement, instance, address;
} debug_found;

/* Every store of a value, in the order of time: from malloc, *count of them, at most `max`; *all is how many there
 * were. A value that does not fit a word is also found in two words beside each other that one execution of a path
 * stored; the place is that of the later store, the address that of the lower word. */
debug_found *debug_stores_of(debug_run *r, const debug_sought *value, size_t max, size_t *count, uint64_t *all);

#endif
