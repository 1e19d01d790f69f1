/* SPDX-License-Identifier: MIT */
/* Which nodes execute in each window of time (snapshots.h), and how often: so an execution is found by its timestamp
 * without the timestamps of nodes that do not execute near it.
 *
 *   of each window: varint: count of nodes | of each, ascending: varint: its number minus that of the one before, minus
 *   1 (of the first: its number); varint: how often it executes, minus 1
 *
 * Nodes 4 2 4 4 execute in one window, node 7 in the next:
 *
 *   2 | 2 0 | 1 2      two nodes: node 2 once; node 2 + 1 + 1 = 4 three times
 *   1 | 7 0            one node: node 7 once */
#ifndef WEFT_TOOLS_LIB_WET_SCHEDULE_H
#define WEFT_TOOLS_LIB_WET_SCHEDULE_H

#include "tools/lib/squeeze/bytes.h"
#include "tools/lib/wet/file.h"

/* While a run is read. */
typedef struct wet_schedule wet_schedule;
wet_schedule *wet_schedule_new(void);
void wet_schedule_free(wet_schedule *s);
/* An execution of a node, in the order of time. */
void wet_schedule_add(wet_schedule *s, uint32_t node);
/* A window ends. */
void wet_schedule_window(wet_schedule *s);
/* All of it; stays the schedule's. */
const squeeze_bytes *wet_schedule_bytes(const wet_schedule *s);

/* Reads that of a file, when it is first asked for: `shifts` of its nodes. What is damaged sets `damaged` of the file,
 * and no node has shifts. */
void wet_schedule_read(wet_file *f);
/* The shift in which a node executes in a window, and the number after its last execution there. False: it does not
 * execute then; *end is how often it executed before. The node must have shifts. */
bool wet_schedule_find(const wet_file *f, uint32_t node, uint32_t window, uint32_t *first, uint32_t *end);

#endif
