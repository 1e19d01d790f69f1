/* SPDX-License-Identifier: MIT */
/* The next stop of a run, at breakpoints and watchpoints, in either direction. */
#ifndef WEFT_TOOLS_LIB_DEBUG_SEARCH_H
#define WEFT_TOOLS_LIB_DEBUG_SEARCH_H

#include "tools/lib/debug/run.h"

typedef struct debug_watch {
    uint32_t address, size;
    bool writes, reads; /* what it stops at */
} debug_watch;

/* Where a search stops. */
typedef struct debug_points {
    const uint32_t *breaks; /* addresses of instructions */
    uint32_t break_count;
    const debug_watch *watches;
    uint32_t watch_count;
    bool (*interrupted)(void *context); /* asked from time to time; NULL: never */
    void *context;
} debug_points;

typedef enum debug_end { DEBUG_LIMIT, DEBUG_BREAK, DEBUG_WATCH, DEBUG_INTERRUPTED } debug_end;

typedef struct debug_hit {
    debug_end end;  /* DEBUG_LIMIT: the first or the last instant */
    uint32_t watch; /* its number, and the address in it that was accessed */
    uint32_t address;
} debug_hit;

/* Goes on to the next stop. A breakpoint stops before its instruction. A watchpoint stops where the next step in the
 * direction of the search is the access: before its instruction, or backwards after it; it does so again if the search
 * begins there. That is what gdb expects of this architecture: it takes the step itself. */
debug_hit debug_run_search(debug_run *r, debug_instant *at, const debug_points *points, bool backward);
/* Whether the next step accesses a watchpoint. */
bool debug_run_watched(debug_run *r, debug_instant at, const debug_points *points, bool backward, debug_hit *hit);

#endif
