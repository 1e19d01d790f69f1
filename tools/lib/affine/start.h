/* SPDX-License-Identifier: MIT */
/* Where a search may begin in the middle of a stream. */
#ifndef WEFT_TOOLS_LIB_AFFINE_START_H
#define WEFT_TOOLS_LIB_AFFINE_START_H

#include <stdint.h>

enum { START_POSITIONS = 6 }; /* loops : 1 to AFFINE_DEPTH : tries the starts of more outer loops; slower */

/* Positions where a loop of full length begins, near the middle: those of innermost loops first. Returns how many.
 * Looks at the middle part of long streams only. */
unsigned start_positions(uint64_t start[START_POSITIONS], const int64_t *values, uint64_t count);

#endif
