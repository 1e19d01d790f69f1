/* SPDX-License-Identifier: MIT */
/* Architecture histories: of each execution of a branch, a load, a store and an instruction, one bit, whether it missed
 * in a modelled part (tools/lib/misses/model.h). Zhang & Gupta, "Whole Execution Traces" (MICRO 2004), section 5.1,
 * table 4.
 *
 * A history is made while a trace is gathered, or later from a file (history_run.h); its bits are kept in a file as
 * columns (history_pack.h).
 *
 *     a load that executed 6 times, and missed the first time and the fifth:    bits 1 0 0 0 1 0 */
#ifndef WEFT_TOOLS_LIB_WET_HISTORY_H
#define WEFT_TOOLS_LIB_WET_HISTORY_H

#include "tools/lib/wet/history_event.h"

/* The bits of an event, by execution of its node. Those beyond `room` * 64 are 0. */
typedef struct wet_bits {
    uint64_t *words;
    uint32_t room; /* words */
    uint32_t ones;
    bool hits; /* a bit says that it did not miss */
} wet_bits;

typedef struct wet_history_step wet_history_step;

typedef struct wet_history_node {
    wet_event *events;
    wet_bits *bits; /* of each event */
    uint32_t event_count;
    wet_history_step *steps; /* what the model gets of an execution; NULL: it is not asked */
    uint32_t step_count;
    uint32_t executions;
} wet_history_node;

typedef struct wet_history {
    misses_model *model; /* NULL: read from a file */
    char text[MISSES_TEXT_MAX];
    wet_history_node *nodes;
    uint32_t node_count;
    size_t node_max;
    uint64_t waited[MISSES_KINDS]; /* cycles; valid after wet_history_done */
} wet_history;

/* NULL and a message: `model` is none. */
wet_history *wet_history_new(const char *model, char *message, size_t message_size);
void wet_history_free(wet_history *h);
/* The next node, or all up to it; `steps`: executions will be added. */
void wet_history_node_add(wet_history *h, const wet_node *n, wet_code code, bool steps);
/* An execution of a node, the next in time: `words` by slot, of which those that are addresses count; `taken`: of the
 * branch that ends it. */
void wet_history_execution(wet_history *h, uint32_t node, const uint32_t *words, bool taken);
void wet_history_done(wet_history *h);

/* Sets a bit that is not set. */
void wet_bits_set(wet_bits *bits, uint32_t at);
static inline bool wet_bits_missed(const wet_bits *bits, uint32_t at)
{
    return bits->hits != (at / 64 < bits->room && bits->words[at / 64] >> at % 64 & 1);
}
/* How many of the executions from..to - 1 missed. */
uint32_t wet_bits_misses(const wet_bits *bits, uint32_t from, uint32_t to);

#endif
