/* SPDX-License-Identifier: MIT */
/* What the files of orders share; no other file includes it. */
#ifndef WEFT_TESTS_LIB_ORDERS_PARTS_H
#define WEFT_TESTS_LIB_ORDERS_PARTS_H

#include "tests/lib/orders.h"

enum { RUNS_MAX = 16, NAMED_MAX = 8 };

/* Events are MUST where they have to be recorded or counted as missing, OUT where they have to be counted as left out,
 * NEVER where nothing records. */
typedef enum class { NEVER, MUST, OUT, EITHER } class;
typedef enum mode { NONE, ON, PAUSED, SILENT, ENDED, ENDING, UNKNOWN } mode;

typedef struct orders_run {
    unsigned pauses; /* times that nothing was recorded */
    bool pauses_known, sampled, filtered;
    uint64_t out[2]; /* paths, marks */
    uint64_t out_activations;
    bool out_known;
    bool held; /* a trigger may give up frames */
} orders_run;

typedef struct model {
    const order_log *log;
    class *classes;
    unsigned *runs; /* of events, from 1 */
    bool *wanted;   /* shortly before a trigger */
    orders_run run[RUNS_MAX + 1];
    unsigned count; /* runs that were started */
    mode mode;
    bool armed, by_path; /* a trigger that has not come */
    uint32_t first, before, after, left;
    bool counts_down; /* the trigger came, and `left` paths more are recorded */
    uint32_t named[NAMED_MAX];
    unsigned named_count;
    bool only, filter_unknown;
    uint32_t keep, seen;
    bool seen_unknown;
} model;

/* What is wrong. */
extern char orders_message[400];

static inline bool is_event(const order_logged *entry)
{
    return entry->what < ORDER_EVENTS;
}

/* Steps 2 and 3. False: a recording is not what it has to be, as orders_message says. */
bool orders_compare(const model *m, const uint8_t *bytes, size_t size);

#endif
