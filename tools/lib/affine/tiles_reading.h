/* SPDX-License-Identifier: MIT */
/* A stream read with a shape, row by row, from an origin to one end: the points seen, and the boxes without points,
 * go into a hull. Each choice of a next row can be taken back. */
#ifndef WEFT_TOOLS_LIB_AFFINE_TILES_READING_H
#define WEFT_TOOLS_LIB_AFFINE_TILES_READING_H

#include "tools/lib/affine/tiles_shape.h"

typedef struct tiles_row {
    int64_t index[TILES_LEVELS]; /* of its first value */
} tiles_row;

/* The end of a row, and the next row that was chosen there. */
typedef struct tiles_fork {
    size_t mark; /* of the hull */
    uint64_t at;
    int64_t index[TILES_LEVELS];
    tiles_row taken;
} tiles_fork;

typedef struct tiles_reading {
    const int64_t *values;
    uint64_t count, origin;
    const tiles_shape *shape;
    int sign;    /* 1: forward, -1: back */
    uint64_t at; /* values read in this direction, the one at the origin included */
    int64_t index[TILES_LEVELS];
    hull hull;
    tiles_fork *fork; /* TILES_FORKS of them; the caller's */
    size_t forks;
    bool hunting;            /* looking for another choice: the work for that is bounded */
    uint64_t work, work_max; /* done while hunting, in rows tried */
    uint64_t read;           /* rows read otherwise */
    uint64_t reached[2];     /* most values read, forward and back */
} tiles_reading;

/* Starts at the origin in one direction. False: contradiction. */
bool tiles_reading_start(tiles_reading *r, int sign);

/* There is no point whose outer indices are those of `index` and whose index at `level` is `delta` farther. False:
 * contradiction. */
bool tiles_leave_out(tiles_reading *r, const int64_t *index, unsigned level, int64_t delta);

/* Where points may lie whose indices at the levels up to `level` are those of `index`. Inner loops: as far as points
 * were seen. */
void tiles_around(const tiles_reading *r, const int64_t *index, unsigned level, hull_box *box);

/* On to the next row. False: contradiction, or no room for forks, and nothing has changed. */
bool tiles_go_on(tiles_reading *r, const tiles_row *way);

/* Back to the end of a row, forgetting what was chosen there and after. */
void tiles_go_back(tiles_reading *r, size_t to);

/* Forgets forks that the search does not go back to. */
void tiles_forget_forks(tiles_reading *r);

/* The stream has ended: no loop goes on. False: contradiction, and nothing has changed. */
bool tiles_end(tiles_reading *r);

/* The number of values in the direction of reading. */
static inline uint64_t tiles_reach(const tiles_reading *r)
{
    return r->sign > 0 ? r->count - r->origin : r->origin + 1;
}

/* Value k in the direction of reading. */
static inline int64_t tiles_value(const tiles_reading *r, uint64_t k)
{
    return r->values[r->sign > 0 ? r->origin + k : r->origin - k];
}

static inline int64_t tiles_address(const tiles_reading *r, const int64_t *index)
{
    int64_t sum = r->values[r->origin];
    for (unsigned w = 0; w < r->shape->points; w++)
        sum = tiles_plus(sum, tiles_times(r->shape->stride[w], index[r->shape->own[w]]));
    return sum;
}

#endif
