/* SPDX-License-Identifier: MIT */
/* What the steps of an expansion have in common: inner levels end, outer ones move on, and the child runs on as far
 * as it predicts. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_CHILD_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_CHILD_H

#include "tools/lib/affine/search_node.h"

/* A node, and what it becomes when the levels from l on end at its last value: made once for all its children. */
typedef struct search_family {
    const search_node *parent;
    search_node *closed[AFFINE_DEPTH];
    bool known[AFFINE_DEPTH]; /* closed[l] was tried; it is NULL if no faces do that */
} search_family;

const search_node *search_family_closed(search *x, search_family *f, unsigned l);
void search_family_free(search *x, search_family *f);

/* Lifts the upper bound of level l to the present index, and beyond it if possible. False: the level has ended here
 * before. */
bool search_lift_level(search *x, search_node *n, const search_node *old, unsigned l);

/* Levels l and inner ones start again, off[] from their lower bounds (NULL: at them). Upper bounds give way. False: no
 * faces do that. */
bool search_start_levels(search *x, search_node *n, const search_node *old, unsigned l, const int64_t *off);

/* Goes on while the nest predicts the stream. Sets the index of the last value predicted. */
void search_run_on(search *x, search_node *n);

/* Takes over a child whose index is that of the next value, and lets it run on. True: it explains the whole stream. */
bool search_offer(search *x, search_node *n);

#endif
