/* SPDX-License-Identifier: MIT */
/* The words of an execution: from their stream; or, where they have none (WET_INFERRED), computed from what the
 * operation reads, or taken from the store that a load's edge names. Only this layer resolves what is inferred. */
#ifndef WEFT_TOOLS_LIB_WET_WORD_H
#define WEFT_TOOLS_LIB_WET_WORD_H

#include "tools/lib/wet/edge.h"

/* The word of a slot of an execution; those of `count` executions from `at` (quicker). */
uint32_t wet_word(wet_file *f, uint32_t node, uint32_t slot, uint32_t instance);
void wet_words(wet_file *f, uint32_t node, uint32_t slot, uint32_t at, uint32_t count, uint32_t *out);

/* The origin of an input, control or part of a load of an execution with timestamp `time`; producer 0: nobody. */
wet_origin wet_edge_origin(wet_file *f, const wet_edge *edge, uint32_t node, uint32_t instance, uint32_t time);

#endif
