/* SPDX-License-Identifier: MIT */
/* Where edges lead: timestamps of executions, and the producer of a word. */
#ifndef WEFT_TOOLS_LIB_WET_EDGE_H
#define WEFT_TOOLS_LIB_WET_EDGE_H

#include "tools/lib/wet/file.h"

/* An execution of a node. */
typedef struct wet_execution {
    uint32_t node, instance;
    uint32_t time; /* its timestamp; 0: not looked up yet */
} wet_execution;

/* Timestamp of an execution, and how many executions of a node have a timestamp of at most `time`. */
uint32_t wet_time(wet_file *f, uint32_t node, uint32_t instance);
uint32_t wet_rank(wet_file *f, uint32_t node, uint32_t time);
/* The timestamp, looked up once. */
static inline uint32_t wet_execution_time(wet_file *f, wet_execution *at)
{
    if (!at->time)
        at->time = wet_time(f, at->node, at->instance);
    return at->time;
}

/* The origin of an edge of an execution, and the producer's place in the edge's list. Producer 0: none. `address` is
 * the word of the edge's slot where wet_edge_wants_address, else anything. */
wet_origin wet_edge_choose(wet_file *f, const wet_edge *edge, wet_execution *at, uint32_t address, uint32_t *choice);
static inline bool wet_edge_wants_address(const wet_edge *edge)
{
    return edge->mode >= WET_IN_STEP;
}

#endif
