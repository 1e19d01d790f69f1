/* SPDX-License-Identifier: MIT */
/* A loop nest as a tree of loops, a line (or a JSON object) per loop, outer loops before those in them. Equal loops are
 * one: those whose bodies are equal except for iterations, in the same loop or in loops that are one.
 *
 *     (ab(c)^2)^3ab(c)^5d(c)^7         44.44% 3 x 4  at 0, 12 symbols
 *                                      22.22%   2 x 1  at 2, 2 symbols
 *                                      44.44% 5..7 x 1  at 14, 12 symbols, 2 places
 */
#ifndef WEFT_TOOLS_LIB_LOOPS_TREE_H
#define WEFT_TOOLS_LIB_LOOPS_TREE_H

#include "tools/lib/base/json.h"
#include "tools/lib/image/places.h"
#include "tools/lib/loops/text.h"

typedef struct nest_tree nest_tree;

/* `where`: the source lines of each loop's body are given; NULL: not. The nest, what `where` stands for and what `name`
 * needs must last as long as the tree. */
nest_tree *nest_tree_new(const nest *n, const path_places *where, nest_namer *name, void *context);
void nest_tree_free(nest_tree *t);
/* Loops of the tree: equal ones count once. */
size_t nest_tree_size(const nest_tree *t);

/* Loops of `min_share` percent of the sequence or more, a line each: share, iterations, symbols per iteration, the
 * position of the first place, symbols of all places. */
void nest_tree_print(const nest_tree *t, double min_share, FILE *file);
/* The same as an array "tree" of the object that is open. Each: depth, start, iterations (least), body (symbols of the
 * first place), span, share (0 to 1), iterations_max, places, and lines if they are given. */
void nest_tree_json(const nest_tree *t, double min_share, json *j);
/* For people: a table of the `count` loops with the largest shares, of at most `columns` characters a line: what runs
 * (source lines, or the body's first symbols), share, iterations, symbols per iteration, places. */
void nest_tree_summary(const nest_tree *t, size_t count, unsigned columns, FILE *file);

#endif
