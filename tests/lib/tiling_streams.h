/* SPDX-License-Identifier: MIT */
/* The streams of the nests of tilings.h, in `stream`. For tests of one file. */
#ifndef WEFT_TESTS_LIB_TILING_STREAMS_H
#define WEFT_TESTS_LIB_TILING_STREAMS_H

#include "tests/lib/address_streams.h"
#include "tests/lib/tilings.h"

/* Tiles of 7; tiles of different sizes; tiles of odd elements going down in memory. */
static const tiling_sizes tiling_sets[] = {
    {20, 25, 9, {7, 7, 7}, 0x20000000, 8}, {24, 24, 12, {6, 8, 4}, 0x10000, 2}, {14, 31, 10, {4, 9, 3}, -5000, -12}};

/* The stream of one reference, in `stream`. */
static inline bool load_tiling(const tiling *t, unsigned ref, const tiling_sizes *sizes)
{
    int64_t *values = tiling_stream(t, ref, sizes, &length);
    EXPECT(length > 0 && length <= STREAM_MAX);
    memcpy(stream, values, length * sizeof *values);
    free(values);
    return true;
}

#endif
