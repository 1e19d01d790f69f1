/* SPDX-License-Identifier: MIT */
/* Which edges of a graph lead back to the head of a loop: those to a node that a walk in depth is still in.
 *
 *     entered at 0:  0 -> 1, 1 -> 2, 2 -> 1, 1 -> 3        back: 2 -> 1
 *     (a jump backward to the common end of two branches is none)
 */
#ifndef WEFT_TOOLS_LIB_PROFILE_BACK_EDGES_H
#define WEFT_TOOLS_LIB_PROFILE_BACK_EDGES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct back_edges back_edges;

back_edges *back_edges_open(uint32_t nodes, uint32_t edges);
/* Each once, before the walk, which takes the edges out of a node from the one added last on. */
void back_edges_add(back_edges *b, uint32_t edge, uint32_t from, uint32_t to);
/* Walks what was not reached yet. */
void back_edges_walk(back_edges *b, uint32_t root);
/* Walks the rest, too, node by node, and frees `b`. By edge: whether it leads back; false if it was not added. From
 * malloc. */
bool *back_edges_close(back_edges *b);

#endif
