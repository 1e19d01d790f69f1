/* SPDX-License-Identifier: MIT */
/* A nest whose outermost loop goes on as long as the next values fit: what a long stream needs whose values come piece
 * by piece. The nest must do the same in each iteration of that loop. Faces that depend on it are left out, if the nest
 * generates the same values without them: where a piece ends within a row, the search bounds the row by such a face.
 *
 *     0 4 8 0 4 8 0 4      for (i1 <= 2) for (i2 <= 2) access(4*i2), 8 accesses     growth_begin
 *     8 0 4 8 0 4          all six fit: 14 accesses, i1 <= 4                        growth_match: 6
 *     8 0 4 9 9            three fit. The row that begins with 0 is broken off:     growth_match: 3
 *                          15 accesses, i1 <= 4; 0 4 9 9 are another nest's         growth_end: 2 are given back */
#ifndef WEFT_TOOLS_LIB_AFFINE_GROWTH_H
#define WEFT_TOOLS_LIB_AFFINE_GROWTH_H

#include "tools/lib/affine/nest.h"

typedef struct growth {
    affine_nest nest;     /* after growth_end the caller's, who frees it at any time */
    affine_cursor cursor; /* at the next point */
    uint64_t since;       /* points since the outermost index last changed */
    bool ended;           /* the nest has no next point */
} growth;

/* A copy of the nest, after its accesses, which are `values`. False: it cannot grow. */
bool growth_begin(growth *g, const affine_nest *nest, const int64_t *values);

/* How many of the values follow; less than `count`: the next one does not. They are accesses of the nest. */
uint64_t growth_match(growth *g, const int64_t *values, uint64_t count);

/* Gives the nest back, with the bound that its accesses need. If its last iteration is not whole, and began in the last
 * `recent` values, those of it are taken off; how many is returned. */
uint64_t growth_end(growth *g, uint64_t recent);

#endif
