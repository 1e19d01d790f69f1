/* SPDX-License-Identifier: MIT */
/* The ways of many walks over one graph (walk.h), as trees: each node is a step of a walk and knows the node before it.
 * Where walks meet, only the first goes on. What is certain of a way then are the nodes on every walk that leads to its
 * end: its dominators (Cooper, Harvey & Kennedy, A simple, fast dominance algorithm, 2001).
 *
 * One walk takes the steps 10 11 30 31. Another one takes 10 20, comes to 30, and does not go on:
 *
 *         +-> 11 --+           nodes:  0 is step 10      2 is step 20, before it 0
 *     10 -+        +-> 30 -> 31        1 is step 11, before it 0     3 is step 30, before it 1, and 2 by routes_meet
 *         +-> 20 --+                   4 is step 31, before it 3
 *
 * Of the way that ends at node 4 the steps 10, 30 and 31 are certain; of 11 and 20 either may be missing. Common with
 * the way that ends at node 1 is step 10: both begin with it, and their ends differ. */
#ifndef WEFT_TOOLS_LIB_MACHINE_ROUTES_H
#define WEFT_TOOLS_LIB_MACHINE_ROUTES_H

#include <stddef.h>
#include <stdint.h>

#define ROUTES_NONE UINT32_MAX /* before the first step of a walk; and where there is no room for more */

typedef struct routes routes;

routes *routes_new(void);
void routes_free(routes *t);
/* The node that routes_add will give next. */
uint32_t routes_next(const routes *t);
uint32_t routes_add(routes *t, uint32_t step, uint32_t before);
/* Another walk has come to a node. */
void routes_meet(routes *t, uint32_t node, uint32_t before);
/* All walks are done: finds what is certain. */
void routes_settle(routes *t);
/* The steps of a way that are certain. With steps of another way in *steps (`count` of them, 0 at first) only what both
 * begin with and end with stays. Returns how many there are. */
size_t routes_common(const routes *t, uint32_t node, uint32_t **steps, size_t count);

#endif
