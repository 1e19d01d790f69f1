/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/tiles_build.h"

#include <string.h>

#include "tools/lib/affine/scan.h"

enum { HALVES = HULL_NORMALS + 2 * TILES_POINTS };

/* The index vector that becomes 0: the least index of each loop, or where its tile begins. */
static void lowest(const tiles_reading *r, int64_t *low)
{
    const tiles_shape *s = r->shape;
    for (unsigned w = 0; w < s->points; w++) {
        low[w] = hull_low(&r->hull, w);
        if (s->size[w])
            low[w] = tiles_low(s, w, tiles_tile(s, w, low[w]));
    }
}

/* The hull's faces, moved by low[]. */
static unsigned domain_halves(const tiles_reading *r, const int64_t *low, scan_half *half)
{
    const tiles_shape *s = r->shape;
    uint16_t face[HULL_NORMALS];
    unsigned faces = hull_faces(&r->hull, face);
    for (unsigned f = 0; f < faces; f++) {
        half[f].constant = r->hull.support[face[f]];
        for (unsigned w = 0; w < s->points; w++) {
            half[f].slope[s->own[w]] = -r->hull.normal[face[f]][w];
            half[f].constant -= r->hull.normal[face[f]][w] * low[w];
        }
    }
    return faces;
}

/* Loop w stays in the tile that the loop over its tiles stands at: size * tile <= index <= size * tile + size - 1. */
static void tile_halves(const tiles_shape *s, unsigned w, scan_half *half)
{
    half[0].slope[s->own[w]] = 1;
    half[0].slope[s->over[w]] = -s->size[w];
    half[1].slope[s->own[w]] = -1;
    half[1].slope[s->over[w]] = s->size[w];
    half[1].constant = s->size[w] - 1;
}

static bool build(const tiles_reading *r, affine_nest *nest)
{
    const tiles_shape *s = r->shape;
    scan_half half[HALVES];
    int64_t low[TILES_POINTS];
    memset(half, 0, sizeof half);
    lowest(r, low);
    unsigned halves = domain_halves(r, low, half);
    nest->base = r->values[r->origin];
    for (unsigned w = 0; w < s->points; w++) {
        nest->base = tiles_plus(nest->base, tiles_times(s->stride[w], low[w]));
        nest->level[s->own[w]].coefficient = s->stride[w];
        if (!s->size[w])
            continue;
        tile_halves(s, w, &half[halves]);
        halves += 2;
    }
    return scan_bounds(nest->level, nest->depth, half, halves);
}

/* The point of the nest's value k, as the hull has it. False: the nest has no such value. */
static bool generated_point(const tiles_reading *r, const affine_nest *nest, uint64_t k, int64_t *point)
{
    affine_cursor c;
    int64_t low[TILES_POINTS];
    unsigned inner = nest->depth - 1;
    lowest(r, low);
    bool more = affine_first(&c, nest->level, nest->depth, nest->base, TILES_PATIENCE);
    for (; more; more = affine_next_row(&c)) {
        uint64_t row = affine_left(&c, inner) + 1;
        if (k < row) {
            c.index[inner] += (int64_t)k;
            tiles_point(r->shape, c.index, point);
            for (unsigned w = 0; w < r->shape->points; w++)
                point[w] += low[w];
            return true;
        }
        k -= row;
    }
    return false;
}

/* The faces of the hull cut off all boxes known to be empty. Points that they let in all the same are left out one by
 * one. */
bool tiles_build(tiles_reading *r, affine_nest *nest)
{
    for (unsigned round = 0; round < TILES_REPAIRS; round++) {
        hull_box wrong;
        memset(&wrong, 0, sizeof wrong);
        if (!build(r, nest))
            return false;
        nest->accesses = r->count;
        uint64_t same = affine_match(nest, r->values, r->count, TILES_PATIENCE);
        r->read += same / 8;
        if (!generated_point(r, nest, same, wrong.low))
            return same == r->count;
        memcpy(wrong.high, wrong.low, sizeof wrong.high);
        if (!hull_exclude(&r->hull, &wrong))
            return false;
    }
    return false;
}
