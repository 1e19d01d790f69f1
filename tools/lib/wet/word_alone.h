/* SPDX-License-Identifier: MIT */
/* One word of an execution, or one origin, through the edges of its execution, with a memo of the words found lately.
 * Below word.h, which also finds words by blocks. */
#ifndef WEFT_TOOLS_LIB_WET_WORD_ALONE_H
#define WEFT_TOOLS_LIB_WET_WORD_ALONE_H

#include "tools/lib/wet/edge.h"

/* The word of a slot. */
uint32_t wet_word_alone(wet_file *f, wet_execution *at, uint32_t slot);
/* The origin of an input, control or part of a load of an execution with timestamp `time`; producer 0: none. */
wet_origin wet_edge_origin(wet_file *f, const wet_edge *edge, uint32_t node, uint32_t instance, uint32_t time);

/* The statement of an operation of a node. */
static inline const wet_statement *wet_operation_statement(const wet_file *f, const wet_node *n, uint32_t operation)
{
    return &f->statements[n->statements[n->operation_statement[operation]]];
}

#endif
