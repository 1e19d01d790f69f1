/* SPDX-License-Identifier: MIT */
/* Which executions of a node have a bit in an architecture history (history.h): its events. An event is a statement's
 * fetch, loads, stores, or branch: a statement that loads several words has one. */
#ifndef WEFT_TOOLS_LIB_WET_HISTORY_EVENT_H
#define WEFT_TOOLS_LIB_WET_HISTORY_EVENT_H

#include "tools/lib/misses/model.h"
#include "tools/lib/wet/trace.h"

/* Of a node. */
#define WET_EVENTS_MAX (4u * WET_OPERATIONS_MAX)

typedef struct wet_code {
    const wet_statement *statements;
    const wet_static *statics;
} wet_code;

typedef struct wet_event {
    uint8_t kind; /* misses_kind */
    uint8_t statement;
} wet_event;

/* The node's events, statement by statement; their number. Exceptions fetch nothing, and load or store a frame. */
uint32_t wet_events_of(const wet_node *n, wet_code code, wet_event events[WET_EVENTS_MAX]);
/* The node's slot of a statement's first operation. */
uint32_t wet_statement_slot(const wet_node *n, wet_code code, uint32_t statement);

#endif
