/* SPDX-License-Identifier: MIT */
/* Address streams of loop nests given as text: tiled, time-skewed, triangular, guarded, reversed, strided; of any
 * extent, tile size, element size and base. A tile without a point leaves no trace, so the stream depends on the points
 * and their order only, not on how a compiler bounds the tile loops. */
#ifndef WEFT_TESTS_LIB_TILINGS_H
#define WEFT_TESTS_LIB_TILINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tiling {
    const char *name;
    const char *order; /* loops, outermost first: a letter; in capitals the loop over its tiles */
    const char
        *domain;      /* affine expressions over the loops, n, m and s that are not negative at a point; `;` between */
    const char *refs; /* affine subscripts, `;` between */
    bool hard;        /* small sizes may take more loops than `order` has, or a sequence of nests */
} tiling;

typedef struct tiling_sizes {
    int64_t n, m, s; /* as the kernel means them */
    int64_t tile[3]; /* of the first, second, ... tiled loop, the last for all others too */
    int64_t base, element;
} tiling_sizes;

unsigned tilings_count(void);
const tiling *tilings_get(unsigned kernel);

unsigned tiling_refs(const tiling *t);
/* The stream of one reference. Malloc; *count values. */
int64_t *tiling_stream(const tiling *t, unsigned ref, const tiling_sizes *sizes, size_t *count);

#endif
