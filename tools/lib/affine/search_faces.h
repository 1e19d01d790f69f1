/* SPDX-License-Identifier: MIT */
/* Faces of a node: fitted to examples, and made to agree with all that the stream has shown before. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_FACES_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_FACES_H

#include "tools/lib/affine/search_node.h"

/* One side of one level, and how its faces are fitted. */
typedef struct search_side {
    unsigned level, side;
    bool lift;      /* the bound has to reach the present index, which is not an end */
    int64_t margin; /* see fit_options; 0: none */
} search_side;

/* Adds the bound `value` under the outer indices at[0..outer-1]. False: another value is known there, or there is no
 * room. */
bool search_example_add(search_examples *e, const int64_t *at, unsigned outer, int64_t value);

/* Fits the faces of one side of n, and takes in examples of the past, which `old` explains, until both agree there.
 * False: no faces do. */
bool search_refit(search *x, search_node *n, const search_node *old, search_side which);

/* Ends level l at the present index, if it has not ended. False: no faces do that. */
bool search_close_level(search *x, search_node *n, const search_node *old, unsigned l);

/* Ends every level of n at its last value. False: no faces do that. */
bool search_close_all(search *x, search_node *n);

#endif
