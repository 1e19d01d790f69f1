/* SPDX-License-Identifier: MIT */
/* Where a search may begin in the middle of a stream.
 *
 * Four times three times two values, 1000 * h + 100 * i + 4 * j, so 0 4 100 104 200 204 1000 1004 1100...
 *
 *     round   pieces                                 usual length   usual stride between two such pieces
 *     0       0|4|100|104|200|204|1000|1004|...      1              4
 *     1       0 4|100 104|200 204|1000 1004|...      2              96 (from 4 to 100)
 *     2       0 4 100 104 200 204|1000 1004 ...|...  6              796 (from 204 to 1000)
 *     3       all 24 values: one piece, the end
 *
 * From round 2 on, the full piece nearest to the middle is noted: position 12, the value 2000. */
#ifndef WEFT_TOOLS_LIB_AFFINE_START_H
#define WEFT_TOOLS_LIB_AFFINE_START_H

#include <stdint.h>

enum { START_POSITIONS = 6 }; /* loops : 1 to AFFINE_DEPTH : tries the starts of more outer loops; slower */

/* Positions where a loop of full length begins, near the middle: those of innermost loops first. Returns how many.
 * Looks at the middle part of long streams only. */
unsigned start_positions(uint64_t start[START_POSITIONS], const int64_t *values, uint64_t count);

#endif
