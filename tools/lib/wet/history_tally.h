/* SPDX-License-Identifier: MIT */
/* Questions to an architecture history: how often what missed, by statement, source line or object, in a stretch of
 * time; and each miss in the order of time, in both directions. */
#ifndef WEFT_TOOLS_LIB_WET_HISTORY_TALLY_H
#define WEFT_TOOLS_LIB_WET_HISTORY_TALLY_H

#include "tools/lib/wet/history_run.h"
#include "tools/lib/wet/place.h"

typedef enum wet_by { WET_BY_STATEMENT, WET_BY_LINE, WET_BY_OBJECT } wet_by;

typedef struct wet_count {
    uint64_t executions, misses;
} wet_count;

typedef struct wet_tally {
    wet_count of[MISSES_KINDS];
} wet_tally;

/* What is asked about: executions with timestamps from..to. `place`: only its instructions; or, of an object, only the
 * loads and stores that touch it. NULL: everything. */
typedef struct wet_selection {
    const wet_place *place;
    uint32_t from, to;
} wet_selection;

typedef struct wet_tallies {
    wet_tally total;
    /* By statement: of each static instruction. By line: the same, each line at one of its instructions, and those
     * without a line alone. By object: of each symbol, and last of what is in none; loads and stores only, at the
     * object of their first access. */
    wet_tally *groups;
    uint32_t group_count;
} wet_tallies;

wet_tallies wet_history_tally(wet_file *f, const wet_history *h, const wet_selection *what, wet_by by);
void wet_tallies_free(wet_tallies *t);

/* A miss; `address`: of a load or store, its first access. */
typedef struct wet_miss {
    wet_instance at;
    uint32_t time, address;
    misses_kind kind;
} wet_miss;

/* Calls `tell` for each miss, in the order of time or (`backward`) from the end, until `tell` returns false. */
void wet_history_each(wet_file *f, const wet_history *h, const wet_selection *what, bool backward,
                      bool (*tell)(void *context, const wet_miss *miss), void *context);

#endif
