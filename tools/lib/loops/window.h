/* SPDX-License-Identifier: MIT */
/* The nest that the target's detector (core/loopnest) writes for a sequence. It is made while the symbols come, in
 * memory for the nest and the distinct symbols alone, however long the sequence is. The window holds the last terms of
 * the outermost level; what leaves it goes into the nest and is not looked at again.
 *
 *     after the symbols              the nest
 *     1 2 1 2                        ( 1 2 )^2
 *     ... 1 2                        ( 1 2 )^3              the loop goes on: no new term
 *     ... 3                          ( 1 2 )^3 3            two terms
 *     ... 1 2 1 2 1 2                ( 1 2 )^3 3 ( 1 2 )^3
 *     ... 3                          ( ( 1 2 )^3 3 )^2      the last two terms are equal to the two before them */
#ifndef WEFT_TOOLS_LIB_LOOPS_WINDOW_H
#define WEFT_TOOLS_LIB_LOOPS_WINDOW_H

#include "tools/lib/loops/nest.h"

typedef struct nest_window nest_window;

/* `terms`: the detector's window, WEFT_LOOPNEST_WINDOW_MIN to _MAX. `depth`: deepest nesting, 1 to
 * WEFT_LOOPNEST_DEPTH_MAX. */
nest_window *nest_window_open(uint32_t terms, uint32_t depth);
/* The next symbols, any values. */
void nest_window_push(nest_window *w, const uint32_t *symbols, size_t count);
/* Bytes of memory that it holds. */
size_t nest_window_bytes(const nest_window *w);
/* The nest of all symbols so far. The window is used up and freed. */
nest *nest_window_finish(nest_window *w);
/* Gives it up without a nest. */
void nest_window_free(nest_window *w);

#endif
