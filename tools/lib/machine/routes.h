/* SPDX-License-Identifier: MIT */
/* The ways of many walks over one graph (walk.h), as trees: each node is a step of a walk and knows the node before it.
 * Where walks meet, only the first goes on. What is certain of a way then are the nodes on every walk that leads to its
 * end: its dominators (Cooper, Harvey & Kennedy, A simple, fast dominance algorithm, 2001). */
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
