/* SPDX-License-Identifier: MIT */
/* The foundations of the search for tiled loops. The hull of points seen is compared with a plain list of points and
 * boxes, the loops that scan a polyhedron with all its points. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/affine/hull.h"
#include "tools/lib/affine/scan.h"

enum { SIDE = 7, STEPS = 60, MARKS = 8, HALVES = 10 };

static check_random numbers = {1};

static int64_t below(unsigned n)
{
    return check_random_below(&numbers, n);
}

/* ---- the hull ---- */

typedef struct plain {
    unsigned points, boxes;
    int64_t point[STEPS][HULL_POINTS];
    hull_box box[STEPS];
} plain;

static int64_t product(const hull *h, unsigned n, const int64_t *point)
{
    int64_t sum = 0;
    for (unsigned d = 0; d < h->dims; d++)
        sum += h->normal[n][d] * point[d];
    return sum;
}

static int64_t support(const hull *h, const plain *p, unsigned n)
{
    int64_t most = INT64_MIN;
    for (unsigned i = 0; i < p->points; i++)
        if (product(h, n, p->point[i]) > most)
            most = product(h, n, p->point[i]);
    return most;
}

/* The next point of the box. False: that was the last. */
static bool next_point(const hull_box *box, unsigned dims, int64_t *point)
{
    for (unsigned d = 0; d < dims; d++) {
        if (point[d]++ < box->high[d])
            return true;
        point[d] = box->low[d];
    }
    return false;
}

/* True if every point of every box has one of the normals beyond all points seen. */
static bool possible(const hull *h, const plain *p, const uint16_t *normal, unsigned normals)
{
    for (unsigned b = 0; b < p->boxes; b++) {
        int64_t point[HULL_POINTS];
        memcpy(point, p->box[b].low, sizeof point);
        do {
            bool cut = false;
            for (unsigned n = 0; n < normals && !cut; n++)
                cut = product(h, normal[n], point) > support(h, p, normal[n]);
            if (!cut)
                return false;
        } while (next_point(&p->box[b], h->dims, point));
    }
    return true;
}

static bool same_supports(const hull *h, const plain *p)
{
    for (unsigned n = 0; n < h->normals; n++)
        EXPECT(h->support[n] == support(h, p, n));
    return true;
}

/* One random point or box. False: the hull and the list do not agree. */
static bool step(hull *h, plain *p, const uint16_t *all)
{
    size_t mark = hull_mark(h);
    plain was = *p;
    bool right;
    if (!p->points || below(3)) {
        int64_t *point = p->point[p->points++];
        for (unsigned d = 0; d < h->dims; d++)
            point[d] = below(SIDE);
        right = hull_include(h, point);
    } else {
        hull_box *box = &p->box[p->boxes++];
        for (unsigned d = 0; d < h->dims; d++) {
            box->low[d] = below(SIDE + 4) - 2;
            box->high[d] = box->low[d] + below(3);
        }
        right = hull_exclude(h, box);
    }
    EXPECT(right == possible(h, p, all, h->normals));
    if (!right) {
        hull_back(h, mark);
        *p = was;
    }
    return same_supports(h, p);
}

static bool faces_leave_out_all(const hull *h, const plain *p)
{
    uint16_t face[HULL_NORMALS];
    unsigned faces = hull_faces(h, face);
    return possible(h, p, face, faces);
}

static void the_hull_is_that_of_a_plain_list(void)
{
    uint16_t all[HULL_NORMALS];
    for (unsigned n = 0; n < HULL_NORMALS; n++)
        all[n] = (uint16_t)n;
    for (unsigned run = 0; run < check_amount(60, 200, 400); run++) {
        static plain p, kept;
        hull h;
        size_t mark = 0;
        memset(&p, 0, sizeof p);
        hull_init(&h, 1 + run % HULL_POINTS);
        for (unsigned s = 0; s < STEPS; s++) {
            if (s == STEPS / 3) {
                mark = hull_mark(&h);
                kept = p;
            }
            if (s == STEPS / 2) { /* and back again */
                hull_back(&h, mark);
                p = kept;
                CHECK(same_supports(&h, &p));
            }
            CHECK(step(&h, &p, all));
        }
        CHECK(faces_leave_out_all(&h, &p));
        hull_free(&h);
    }
}

/* ---- scanning ---- */

static bool inside(const scan_half *half, unsigned halves, unsigned depth, const int64_t *index)
{
    for (unsigned i = 0; i < halves; i++) {
        int64_t sum = half[i].constant;
        for (unsigned l = 0; l < depth; l++)
            sum += half[i].slope[l] * index[l];
        if (sum < 0)
            return false;
    }
    return true;
}

/* In the order of loops. False: that was the last. */
static bool next_in_cube(int64_t *index, unsigned depth)
{
    for (unsigned l = depth; l-- > 0;) {
        if (++index[l] < SIDE)
            return true;
        index[l] = 0;
    }
    return false;
}

/* Visits the points of the cube; those inside must be the nest's, one after the other. */
static bool scans_all(const affine_level *level, unsigned depth, const scan_half *half, unsigned halves)
{
    affine_cursor c;
    int64_t index[AFFINE_DEPTH] = {0};
    bool more = affine_first(&c, level, depth, 0, AFFINE_PATIENCE);
    do {
        if (!inside(half, halves, depth, index))
            continue;
        EXPECT(more && !memcmp(c.index, index, depth * sizeof *index));
        if (c.index[depth - 1] < c.upper[depth - 1])
            c.index[depth - 1]++;
        else
            more = affine_next_row(&c);
    } while (next_in_cube(index, depth));
    EXPECT(!more);
    return true;
}

static bool empty(const scan_half *half, unsigned halves, unsigned depth)
{
    int64_t index[AFFINE_DEPTH] = {0};
    do
        EXPECT(!inside(half, halves, depth, index));
    while (next_in_cube(index, depth));
    return true;
}

static void loops_scan_every_point_once_and_in_order(void)
{
    for (unsigned run = 0; run < check_amount(100, 500, 1000); run++) {
        scan_half half[HALVES];
        affine_level level[4];
        unsigned depth = 1 + (unsigned)below(4), halves = 0;
        memset(half, 0, sizeof half);
        memset(level, 0, sizeof level);
        for (unsigned l = 0; l < depth; l++) {
            half[halves++].slope[l] = 1;
            half[halves].slope[l] = -1;
            half[halves++].constant = SIDE - 1;
        }
        for (unsigned extra = (unsigned)below(3); extra--; halves++) {
            for (unsigned l = 0; l < depth; l++)
                half[halves].slope[l] = below(5) - 2;
            half[halves].constant = below(2 * SIDE) - 2;
        }
        if (scan_bounds(level, depth, half, halves))
            CHECK(scans_all(level, depth, half, halves));
        else
            CHECK(empty(half, halves, depth));
    }
}

static void a_polyhedron_without_an_end_has_no_loops(void)
{
    scan_half half[2] = {{.slope = {1}}, {.slope = {0, 1}}};
    affine_level level[2];
    memset(level, 0, sizeof level);
    CHECK(!scan_bounds(level, 2, half, 2));
}

int main(void)
{
    RUN(the_hull_is_that_of_a_plain_list);
    RUN(loops_scan_every_point_once_and_in_order);
    RUN(a_polyhedron_without_an_end_has_no_loops);
    return check_failed();
}
