/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/tiles_ways.h"

#include <string.h>

/* ---- where a loop starts ---- */

/* Where the loop that level l moves starts, the outer indices being those of `index`. */
static int64_t start_of(const tiles_reading *r, const int64_t *index, unsigned l, unsigned guess)
{
    unsigned w = r->shape->point[l];
    hull_box box;
    tiles_around(r, index, l - 1, &box);
    hull_box all = box;
    if (guess == BY_FACES && r->shape->tile[l] && !r->shape->stride[w]) {
        box.low[w] -= TILES_OFF_TILES * r->shape->size[w];
        box.high[w] += TILES_OFF_TILES * r->shape->size[w];
        hull_box far = box;
        if (hull_clip(&r->hull, &box, w) && (r->sign > 0 ? box.low[w] > far.low[w] : box.high[w] < far.high[w]))
            return r->sign > 0 ? box.low[w] : box.high[w];
        box = all;
    }
    if (guess != PLAINLY && hull_low(&r->hull, w) <= box.high[w] && hull_high(&r->hull, w) >= box.low[w]) {
        int64_t low = hull_low(&r->hull, w), high = hull_high(&r->hull, w);
        box.low[w] = low > box.low[w] ? low : box.low[w];
        box.high[w] = high < box.high[w] ? high : box.high[w];
        all = box;
    }
    if (guess != PLAINLY && !hull_clip(&r->hull, &box, w))
        box = all;
    return r->sign > 0 ? box.low[w] : box.high[w];
}

/* ---- where several do ---- */

/* Level `level` moves on, and the loops inside it start again. */
typedef struct restart {
    unsigned level;
    int64_t index[TILES_LEVELS]; /* with these, if they start where the guess says */
    int64_t most[TILES_POINTS];  /* how far each may start off that; 0: it does not start again */
    int64_t missing;             /* address less the next value */
} restart;

static restart restart_of(const tiles_reading *r, unsigned level, unsigned guess)
{
    const tiles_shape *s = r->shape;
    restart from = {.level = level};
    memcpy(from.index, r->index, sizeof from.index);
    from.index[level] += r->sign;
    for (unsigned l = level + 1; l < s->levels; l++) {
        unsigned w = s->point[l];
        int64_t start = start_of(r, from.index, l, guess);
        from.index[l] = s->tile[l] ? tiles_tile(s, w, start) : start;
        if (s->own[w] == l)
            from.most[w] = !s->size[w]          ? TILES_OFF_UNTILED
                           : s->over[w] > level ? TILES_OFF_TILES * s->size[w]
                                                : s->size[w] - 1;
    }
    from.missing = tiles_plus(tiles_address(r, from.index), -tiles_value(r, r->at));
    return from;
}

/* The row that begins off[] from there, if it is one. */
static void add_way(const tiles_reading *r, tiles_ways *all, const restart *from, const int64_t *off)
{
    const tiles_shape *s = r->shape;
    tiles_row way;
    if (all->count == TILES_CANDIDATES)
        return;
    memcpy(way.index, from->index, sizeof way.index);
    for (unsigned w = 0; w < s->points; w++) {
        if (!from->most[w])
            continue;
        way.index[s->own[w]] += off[w];
        if (s->over[w] != TILES_NONE && s->over[w] > from->level)
            way.index[s->over[w]] = tiles_tile(s, w, way.index[s->own[w]]);
    }
    for (unsigned w = 0; w < s->points; w++)
        if (!tiles_in_tile(s, way.index, w))
            return;
    for (unsigned i = 0; i < all->count; i++)
        if (!memcmp(&all->way[i], &way, sizeof way))
            return;
    all->way[all->count++] = way;
}

/* The n-th distance to try where nothing suggests one, nearest first: a few iterations, and a few off whole tiles.
 * False: there is none. */
static bool nth_off(const tiles_reading *r, const restart *from, unsigned w, unsigned n, int64_t *off)
{
    int64_t size = r->shape->size[w], tiles = n / (2 * TILES_OFF_FEW + 1), few = n % (2 * TILES_OFF_FEW + 1);
    if (tiles && (!size || from->most[w] < size))
        return false;
    tiles = (tiles % 2 ? tiles + 1 : -tiles) / 2;
    few = (few % 2 ? few + 1 : -few) / 2;
    *off = tiles * size + few;
    return *off <= from->most[w] && *off >= -from->most[w];
}

/* Loop w, the last one that starts elsewhere, makes up for what is missing. */
static void solve_way(const tiles_reading *r, tiles_ways *all, const restart *from, int64_t *off, unsigned w,
                      int64_t missing)
{
    int64_t stride = r->shape->stride[w];
    if (!stride && !missing) {
        for (unsigned n = 1; n < TILES_OFF_TRIES; n++)
            if (nth_off(r, from, w, n, &off[w]))
                add_way(r, all, from, off);
    } else if (stride && missing && missing != INT64_MIN && missing % stride == 0) {
        off[w] = -(missing / stride);
        if (off[w] <= from->most[w] && off[w] >= -from->most[w])
            add_way(r, all, from, off);
    }
    off[w] = 0;
}

static void two_elsewhere(const tiles_reading *r, tiles_ways *all, const restart *from, unsigned w)
{
    const tiles_shape *s = r->shape;
    int64_t off[TILES_POINTS] = {0};
    for (unsigned n = 1; n < TILES_OFF_TRIES; n++) {
        if (!nth_off(r, from, w, n, &off[w]))
            continue;
        for (unsigned v = 0; v < s->points; v++)
            if (v != w && from->most[v] && (v > w || s->stride[v]))
                solve_way(r, all, from, off, v, tiles_plus(from->missing, tiles_times(off[w], s->stride[w])));
    }
}

void tiles_add_ways(const tiles_reading *r, tiles_ways *all, unsigned level, unsigned guess, unsigned elsewhere)
{
    restart from = restart_of(r, level, guess);
    int64_t off[TILES_POINTS] = {0};
    if (!elsewhere && !from.missing)
        add_way(r, all, &from, off);
    for (unsigned w = 0; w < r->shape->points && elsewhere; w++) {
        if (!from.most[w])
            continue;
        if (elsewhere == 1)
            solve_way(r, all, &from, off, w, from.missing);
        else
            two_elsewhere(r, all, &from, w);
    }
}

void tiles_find_ways(tiles_reading *r, tiles_ways *all, unsigned elsewhere)
{
    size_t mark = hull_mark(&r->hull);
    all->count = 0;
    for (unsigned level = r->shape->levels - 1;
         r->at < tiles_reach(r) && level-- > 0 && tiles_leave_out(r, r->index, level + 1, r->sign);)
        for (unsigned guess = 0; guess < GUESSES; guess++)
            tiles_add_ways(r, all, level, guess, elsewhere);
    hull_back(&r->hull, mark);
    r->work += r->hunting ? 1 + elsewhere * r->shape->levels : 0;
}
