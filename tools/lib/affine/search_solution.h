/* SPDX-License-Identifier: MIT */
/* From a node to the nest that the search returns: ended, turned round where it was found backwards, simplified,
 * checked. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_SOLUTION_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_SOLUTION_H

#include "tools/lib/affine/search_node.h"

/* Turns n, all of whose levels have ended, round: its last value becomes its first. False: a number leaves 64 bits. */
bool search_flip(search_node *n);

/* Keeps n as x->best if it explains more from the first value on than any before. Takes over n. True: it explains the
 * whole stream. */
bool search_keep_best(search *x, search_node *n);

/* The best node as a nest, checked; x->best is gone. False: there is none. */
bool search_take_best(search *x, affine_nest *nest);

#endif
