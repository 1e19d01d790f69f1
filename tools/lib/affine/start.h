/* SPDX-License-Identifier: MIT */
/* Where a search may begin in the middle of a stream. Used by tools/lib/affine/search.c. */
#ifndef WEFT_TOOLS_LIB_AFFINE_START_H
#define WEFT_TOOLS_LIB_AFFINE_START_H

#include <stdint.h>

enum { START_POSITIONS = 6 };

/* Positions where a loop of full length begins, innermost loops first; how many. Looks at a part of the values, in
 * the middle. */
unsigned start_positions(uint64_t start[START_POSITIONS], const int64_t *values, uint64_t count);

#endif
