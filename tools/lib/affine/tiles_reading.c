/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/tiles_reading.h"

#include <string.h>

#include "tools/lib/affine/nest.h"

/* ---- boxes without points ---- */

void tiles_around(const tiles_reading *r, const int64_t *index, unsigned level, hull_box *box)
{
    const tiles_shape *s = r->shape;
    memset(box, 0, sizeof *box);
    for (unsigned w = 0; w < s->points; w++) {
        if (s->own[w] <= level) {
            box->low[w] = box->high[w] = index[s->own[w]];
        } else if (s->over[w] != TILES_NONE && s->over[w] <= level) {
            box->low[w] = tiles_low(s, w, index[s->over[w]]);
            box->high[w] = box->low[w] + s->size[w] - 1;
        } else {
            box->low[w] = hull_low(&r->hull, w);
            box->high[w] = hull_high(&r->hull, w);
        }
    }
}

bool tiles_leave_out(tiles_reading *r, const int64_t *index, unsigned level, int64_t delta)
{
    hull_box box;
    int64_t there[TILES_LEVELS];
    memcpy(there, index, sizeof there);
    there[level] += delta;
    if (!r->shape->tile[level] && !tiles_in_tile(r->shape, there, r->shape->point[level]))
        return true;
    tiles_around(r, there, level, &box);
    return hull_exclude(&r->hull, &box);
}

/* Level `level` moves on: nothing lies between `index` and `next`. */
static bool leave_gap(tiles_reading *r, const int64_t *index, const int64_t *next, unsigned level)
{
    for (unsigned l = level + 1; l < r->shape->levels; l++)
        if (!tiles_leave_out(r, index, l, r->sign) || !tiles_leave_out(r, next, l, -r->sign))
            return false;
    return true;
}

/* ---- rows ---- */

/* The last index, in the direction of reading, of loop w in its tile. */
static int64_t exit_of(const tiles_reading *r, const int64_t *index, unsigned w)
{
    int64_t low = tiles_low(r->shape, w, index[r->shape->over[w]]);
    return r->sign > 0 ? low + r->shape->size[w] - 1 : low;
}

/* The row goes on for `values` more. False: contradiction, and only the hull has changed. */
static bool end_row(tiles_reading *r, uint64_t values)
{
    unsigned l = r->shape->levels - 1;
    int64_t point[TILES_POINTS];
    r->index[l] += r->sign * (int64_t)values;
    tiles_point(r->shape, r->index, point);
    bool right = hull_include(&r->hull, point);
    if (right)
        r->at += values;
    else
        r->index[l] -= r->sign * (int64_t)values;
    return right;
}

/* The rest of the row. False: contradiction. */
static bool read_row(tiles_reading *r)
{
    const tiles_shape *s = r->shape;
    unsigned w = s->points - 1, l = s->own[w];
    uint64_t left = tiles_reach(r) - r->at;
    if (s->size[w]) {
        uint64_t most = (uint64_t)((exit_of(r, r->index, w) - r->index[l]) * r->sign);
        left = most < left ? most : left;
    }
    int64_t start = tiles_plus(tiles_address(r, r->index), r->sign * s->stride[w]);
    uint64_t same = 0;
    if (left)
        same = r->sign > 0 ? affine_match_run(r->values + r->origin + r->at, left, start, s->stride[w])
                           : affine_match_back(r->values + r->origin - r->at, left, start, -s->stride[w]);
    if (!same)
        return true;
    size_t mark = hull_mark(&r->hull);
    if (end_row(r, same))
        return true;
    /* The next row goes on with the same stride by chance: this one ends where others like it did. */
    hull_back(&r->hull, mark);
    hull_box box;
    tiles_around(r, r->index, l - 1, &box);
    hull_clip(&r->hull, &box, w);
    int64_t known = r->sign > 0 ? box.high[w] - r->index[l] : r->index[l] - box.low[w];
    return known >= 0 && (uint64_t)known < same && end_row(r, (uint64_t)known);
}

bool tiles_reading_start(tiles_reading *r, int sign)
{
    r->sign = sign;
    r->at = 1;
    memset(r->index, 0, sizeof r->index);
    r->forks = 0;
    return read_row(r);
}

static bool enter(tiles_reading *r, const tiles_row *way)
{
    unsigned level = 0;
    int64_t point[TILES_POINTS], before[TILES_LEVELS];
    while (way->index[level] == r->index[level])
        level++;
    memcpy(before, r->index, sizeof before);
    memcpy(r->index, way->index, sizeof r->index);
    r->at++;
    uint64_t *most = &r->reached[r->sign < 0];
    *most = r->at > *most ? r->at : *most;
    tiles_point(r->shape, r->index, point);
    *(r->hunting ? &r->work : &r->read) += 1;
    return hull_include(&r->hull, point) && leave_gap(r, before, r->index, level) && read_row(r);
}

bool tiles_end(tiles_reading *r)
{
    size_t mark = hull_mark(&r->hull);
    for (unsigned l = 0; l < r->shape->levels; l++)
        if (!tiles_leave_out(r, r->index, l, r->sign)) {
            hull_back(&r->hull, mark);
            return false;
        }
    return true;
}

/* ---- choices ---- */

void tiles_go_back(tiles_reading *r, size_t to)
{
    const tiles_fork *f = &r->fork[to];
    hull_back(&r->hull, f->mark);
    r->at = f->at;
    memcpy(r->index, f->index, sizeof r->index);
    r->forks = to;
}

void tiles_forget_forks(tiles_reading *r)
{
    size_t old = r->forks > TILES_FAR ? r->forks - TILES_FAR : 0;
    memmove(r->fork, r->fork + old, (r->forks - old) * sizeof *r->fork);
    r->forks -= old;
}

bool tiles_go_on(tiles_reading *r, const tiles_row *way)
{
    if (r->forks == TILES_FORKS)
        return false;
    tiles_fork *f = &r->fork[r->forks++];
    *f = (tiles_fork){.mark = hull_mark(&r->hull), .at = r->at, .taken = *way};
    memcpy(f->index, r->index, sizeof f->index);
    if (enter(r, way))
        return true;
    tiles_go_back(r, r->forks - 1);
    return false;
}
