/* SPDX-License-Identifier: MIT */
/* A loop nest as a tree: a line (or a JSON object) a loop, outer loops before those in them. */
#ifndef WEFT_TOOLS_LIB_LOOPS_TREE_H
#define WEFT_TOOLS_LIB_LOOPS_TREE_H

#include "tools/lib/base/json.h"
#include "tools/lib/image/program.h"
#include "tools/lib/loops/nest.h"

/* Loops of `min_share` percent of the sequence or more. With `app` the symbols are path numbers, and the source lines of
 * each loop's body are told; NULL: not. */
void nest_tree_print(const nest *n, double min_share, program *app, FILE *file);
/* The same as an array "tree" of the object that is open: share (0 to 1), iterations, body (symbols), start, span,
 * depth, lines. */
void nest_tree_json(const nest *n, double min_share, program *app, json *j);

#endif
