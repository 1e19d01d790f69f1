/* SPDX-License-Identifier: MIT */
/* Which node is expanded next: a heap by fitness, the hashes of the nodes met before, and counts of visits, by which
 * nodes that stand where many were expanded already have to wait.
 *
 *     C = 4     values explained, levels     fitness ln(values) - levels ln C
 *     a         12              1            1.10
 *     b         60              2            1.32        comes up first
 *     c         20              2            0.22
 *
 * Another node of 60 values and 2 levels then has to wait: it loses SEARCH_DEFERRED, 0.25, so a (1.10) comes up before
 * it (1.07). A child of b that explains 240 values by 3 levels has b's fitness, 1.32. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_QUEUE_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_QUEUE_H

#include "tools/lib/affine/search_node.h"

/* Stages of expanding a node. A node that is not the best any more waits between two of them. */
enum { STAGE_MOVES, STAGE_GROWTH, STAGE_EARLIER, STAGE_LAST = STAGE_EARLIER };

/* Remembers the node. False: one like it was met before. */
bool search_is_new(search *x, const search_node *n);

/* Rates the node and takes it over. When nodes_max are held, the worse half of all nodes goes. */
void search_queue_push(search *x, search_node *n);

/* The node to expand next; the queue is not empty. The caller takes it over. */
search_node *search_queue_pop(search *x);

/* Takes over a node whose stage is done. It comes up for its next stage when nothing better is left. */
void search_queue_defer(search *x, search_node *n);

#endif
