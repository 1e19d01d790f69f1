/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/affine/hull.h"
#include "tools/lib/affine/scan.h"
#include "tools/lib/affine/search.h"
#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

enum { POINTS = HULL_POINTS, LEVELS = 2 * POINTS, NONE = UINT8_MAX };

/* Bounds of the search. */
enum {
    CANDIDATES = 256, /* for the row after one */
    OFF_UNTILED = 40, /* how far an index may start from where it is thought to: of a loop without tiles, */
    OFF_TILES = 4,    /* of one with tiles, where the loop over them starts anew, in tiles */
    OFF_FEW = 8,      /* how far those are tried that nothing tells; the same off whole tiles */
    OFF_TRIES = (2 * OFF_FEW + 1) * (2 * OFF_TILES + 1),
    REPAIRS = 30,     /* points that the faces found first have to be told to leave out */
    CHANGES = 3,      /* choices to take otherwise at once, */
    NEAR = 4,         /* the later ones within so many rows */
    FORKS = 4096,     /* places to go back to, */
    WINDOW = 300,     /* those that are all tried, */
    FAR = 2048,       /* and those that are where an outer loop moved on */
    LOOK = 200,       /* rows that are enough to believe in a choice */
    SAMPLE = 1 << 17, /* values in which full tiles are sought, */
    WINDOWS = 8,      /* and places where */
    KINDS = 64,       /* of blocks that are told apart, */
    KINDS_TRIED = 4,  /* and tried, those of one depth */
    TRIALS = 400,
    SHARE = 16,         /* work for a trial in the first round, */
    MORE = 16,          /* times as much in the next, */
    FAVOURED = 3,       /* and for the trial of this rank half of what the first may do */
    FLATTER = 4,        /* times as much, for trials of fewer loops than were found; */
    LEAST = 300,        /* not less */
    PATIENCE = 1 << 20, /* empty inner loops in a row */
};

/* Of values, so that strides do not overflow. Sums may wrap in trials: the nest that comes out is checked exactly. */
#define VALUE_MAX ((int64_t)1 << 61)

/* A nest that is to be tried: its levels, outermost first. */
typedef struct shape {
    unsigned points, levels;
    int64_t stride[POINTS];            /* outermost loop first */
    int64_t size[POINTS];              /* of its tiles; 0: none */
    int64_t offset[POINTS];            /* where in its tile the origin lies */
    uint8_t point[LEVELS];             /* what the level moves */
    bool tile[LEVELS];                 /* by whole tiles */
    uint8_t own[POINTS], over[POINTS]; /* level of the loop itself, and over its tiles (or NONE) */
} shape;

typedef struct row_start {
    int64_t index[LEVELS];
} row_start;

/* The end of a row, and how the next one was chosen. */
typedef struct fork {
    size_t mark;
    uint64_t at;
    int64_t index[LEVELS];
    row_start taken;
} fork;

typedef struct reading {
    const int64_t *values;
    uint64_t count, origin;
    const shape *shape;
    int sign;    /* 1: forward, -1: back */
    uint64_t at; /* values read in this direction, the one at the origin included */
    int64_t index[LEVELS];
    hull hull;
    fork *fork;
    size_t forks;
    bool hunting;                  /* for another choice: what that takes is the work that is bounded */
    uint64_t work, work_max, read; /* read: rows on the way */
    uint64_t reached[2];           /* most values read, forward and back */
} reading;

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b < 0);
}

static int64_t value_at(const reading *r, uint64_t k)
{
    return r->values[r->sign > 0 ? r->origin + k : r->origin - k];
}

static uint64_t reach(const reading *r)
{
    return r->sign > 0 ? r->count - r->origin : r->origin + 1;
}

static int64_t address(const reading *r, const int64_t *index)
{
    int64_t sum = r->values[r->origin];
    for (unsigned w = 0; w < r->shape->points; w++)
        sum = plus(sum, times(r->shape->stride[w], index[r->shape->own[w]]));
    return sum;
}

static void point_of(const shape *s, const int64_t *index, int64_t *point)
{
    for (unsigned w = 0; w < s->points; w++)
        point[w] = index[s->own[w]];
}

static int64_t tile_low(const shape *s, unsigned w, int64_t tile)
{
    return s->size[w] * tile - s->offset[w];
}

static int64_t tile_of(const shape *s, unsigned w, int64_t index)
{
    return floor_div(index + s->offset[w], s->size[w]);
}

/* The last index, in the direction of reading, of loop w in its tile. */
static int64_t exit_of(const reading *r, const int64_t *index, unsigned w)
{
    int64_t low = tile_low(r->shape, w, index[r->shape->over[w]]);
    return r->sign > 0 ? low + r->shape->size[w] - 1 : low;
}

static bool in_tile(const shape *s, const int64_t *index, unsigned w)
{
    return !s->size[w] || tile_of(s, w, index[s->own[w]]) == index[s->over[w]];
}

/* ---- what has no points ---- */

/* Where points may lie whose indices at the levels up to `level` are those of `index`: what is not known there is as far as was seen. */
static void around(const reading *r, const int64_t *index, unsigned level, hull_box *box)
{
    const shape *s = r->shape;
    memset(box, 0, sizeof *box);
    for (unsigned w = 0; w < s->points; w++) {
        if (s->own[w] <= level) {
            box->low[w] = box->high[w] = index[s->own[w]];
        } else if (s->over[w] != NONE && s->over[w] <= level) {
            box->low[w] = tile_low(s, w, index[s->over[w]]);
            box->high[w] = box->low[w] + s->size[w] - 1;
        } else {
            box->low[w] = hull_low(&r->hull, w);
            box->high[w] = hull_high(&r->hull, w);
        }
    }
}

/* There is no point whose outer indices are those of `index` and whose index at `level` is `delta` farther. False: contradiction. */
static bool leave_out(reading *r, const int64_t *index, unsigned level, int64_t delta)
{
    hull_box box;
    int64_t there[LEVELS];
    memcpy(there, index, sizeof there);
    there[level] += delta;
    if (!r->shape->tile[level] && !in_tile(r->shape, there, r->shape->point[level]))
        return true;
    around(r, there, level, &box);
    return hull_exclude(&r->hull, &box);
}

/* Level `level` moves on: nothing is between `index` and `next`. */
static bool leave_gap(reading *r, const int64_t *index, const int64_t *next, unsigned level)
{
    for (unsigned l = level + 1; l < r->shape->levels; l++)
        if (!leave_out(r, index, l, r->sign) || !leave_out(r, next, l, -r->sign))
            return false;
    return true;
}

/* ---- ways on ---- */

typedef struct ways {
    row_start way[CANDIDATES];
    unsigned count;
} ways;

/* What tells where a loop starts: the faces that the points seen so far suggest, even beyond those points, but only for a loop over tiles
 * that moves nothing; its tile, or what was seen of it; the faces within what was seen. */
enum { BY_FACES, PLAINLY, BY_POINTS, GUESSES };

/* Where the loop that level l moves starts, the outer indices being those of `index`. */
static int64_t start_of(const reading *r, const int64_t *index, unsigned l, unsigned guess)
{
    unsigned w = r->shape->point[l];
    hull_box box;
    around(r, index, l - 1, &box);
    hull_box all = box;
    if (guess == BY_FACES && r->shape->tile[l] && !r->shape->stride[w]) {
        box.low[w] -= OFF_TILES * r->shape->size[w];
        box.high[w] += OFF_TILES * r->shape->size[w];
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

/* Level `level` moves on, and the loops inside it start anew. */
typedef struct restart {
    unsigned level;
    int64_t index[LEVELS]; /* with these, if they start where they are thought to */
    int64_t most[POINTS];  /* how far each may start off that; 0: it does not start anew */
    int64_t missing;       /* address less the next value */
} restart;

static restart restart_of(const reading *r, unsigned level, unsigned guess)
{
    const shape *s = r->shape;
    restart from = {.level = level};
    memcpy(from.index, r->index, sizeof from.index);
    from.index[level] += r->sign;
    for (unsigned l = level + 1; l < s->levels; l++) {
        unsigned w = s->point[l];
        int64_t start = start_of(r, from.index, l, guess);
        from.index[l] = s->tile[l] ? tile_of(s, w, start) : start;
        if (s->own[w] == l)
            from.most[w] = !s->size[w] ? OFF_UNTILED : s->over[w] > level ? OFF_TILES * s->size[w] : s->size[w] - 1;
    }
    from.missing = plus(address(r, from.index), -value_at(r, r->at));
    return from;
}

/* The row that begins off[] from there, if it is one. */
static void add_way(const reading *r, ways *all, const restart *from, const int64_t *off)
{
    const shape *s = r->shape;
    row_start way;
    if (all->count == CANDIDATES)
        return;
    memcpy(way.index, from->index, sizeof way.index);
    for (unsigned w = 0; w < s->points; w++) {
        if (!from->most[w])
            continue;
        way.index[s->own[w]] += off[w];
        if (s->over[w] != NONE && s->over[w] > from->level)
            way.index[s->over[w]] = tile_of(s, w, way.index[s->own[w]]);
    }
    for (unsigned w = 0; w < s->points; w++)
        if (!in_tile(s, way.index, w))
            return;
    for (unsigned i = 0; i < all->count; i++)
        if (!memcmp(&all->way[i], &way, sizeof way))
            return;
    all->way[all->count++] = way;
}

/* The n-th distance that is worth a try where nothing tells it: nearest first; a few, and a few off whole tiles. False: there is none. */
static bool nth_off(const reading *r, const restart *from, unsigned w, unsigned n, int64_t *off)
{
    int64_t size = r->shape->size[w], tiles = n / (2 * OFF_FEW + 1), few = n % (2 * OFF_FEW + 1);
    if (tiles && (!size || from->most[w] < size))
        return false;
    tiles = (tiles % 2 ? tiles + 1 : -tiles) / 2;
    few = (few % 2 ? few + 1 : -few) / 2;
    *off = tiles * size + few;
    return *off <= from->most[w] && *off >= -from->most[w];
}

/* Loop w, the last one that starts elsewhere, makes good what is missing. */
static void solve_way(const reading *r, ways *all, const restart *from, int64_t *off, unsigned w, int64_t missing)
{
    int64_t stride = r->shape->stride[w];
    if (!stride && !missing) {
        for (unsigned n = 1; n < OFF_TRIES; n++)
            if (nth_off(r, from, w, n, &off[w]))
                add_way(r, all, from, off);
    } else if (stride && missing && missing != INT64_MIN && missing % stride == 0) {
        off[w] = -(missing / stride);
        if (off[w] <= from->most[w] && off[w] >= -from->most[w])
            add_way(r, all, from, off);
    }
    off[w] = 0;
}

static void two_elsewhere(const reading *r, ways *all, const restart *from, unsigned w)
{
    const shape *s = r->shape;
    int64_t off[POINTS] = {0};
    for (unsigned n = 1; n < OFF_TRIES; n++) {
        if (!nth_off(r, from, w, n, &off[w]))
            continue;
        for (unsigned v = 0; v < s->points; v++)
            if (v != w && from->most[v] && (v > w || s->stride[v]))
                solve_way(r, all, from, off, v, plus(from->missing, times(off[w], s->stride[w])));
    }
}

/* Rows that may come next if level `level` moves on and so many loops start elsewhere than a guess has it. */
static void add_ways(const reading *r, ways *all, unsigned level, unsigned guess, unsigned elsewhere)
{
    restart from = restart_of(r, level, guess);
    int64_t off[POINTS] = {0};
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

/* The same for any level, innermost first, and any guess. A level moves on only if all inside it can have ended. */
static void find_ways(reading *r, ways *all, unsigned elsewhere)
{
    size_t mark = hull_mark(&r->hull);
    all->count = 0;
    for (unsigned level = r->shape->levels - 1;
         r->at < reach(r) && level-- > 0 && leave_out(r, r->index, level + 1, r->sign);)
        for (unsigned guess = 0; guess < GUESSES; guess++)
            add_ways(r, all, level, guess, elsewhere);
    hull_back(&r->hull, mark);
    r->work += r->hunting ? 1 + elsewhere * r->shape->levels : 0;
}

/* ---- reading ---- */

/* The row goes on for so many values. False: contradiction, and only the hull has changed. */
static bool end_row(reading *r, uint64_t values)
{
    unsigned l = r->shape->levels - 1;
    int64_t point[POINTS];
    r->index[l] += r->sign * (int64_t)values;
    point_of(r->shape, r->index, point);
    bool right = hull_include(&r->hull, point);
    if (right)
        r->at += values;
    else
        r->index[l] -= r->sign * (int64_t)values;
    return right;
}

/* The rest of the row. False: contradiction. */
static bool read_row(reading *r)
{
    const shape *s = r->shape;
    unsigned w = s->points - 1, l = s->own[w];
    uint64_t left = reach(r) - r->at;
    if (s->size[w]) {
        uint64_t most = (uint64_t)((exit_of(r, r->index, w) - r->index[l]) * r->sign);
        left = most < left ? most : left;
    }
    int64_t start = plus(address(r, r->index), r->sign * s->stride[w]);
    uint64_t same = 0;
    if (left)
        same = r->sign > 0 ? affine_match_run(r->values + r->origin + r->at, left, start, s->stride[w])
                           : affine_match_back(r->values + r->origin - r->at, left, start, -s->stride[w]);
    if (!same)
        return true;
    size_t mark = hull_mark(&r->hull);
    if (end_row(r, same))
        return true;
    /* What comes next goes on with the same stride by chance: the row ends where it did in others. */
    hull_back(&r->hull, mark);
    hull_box box;
    around(r, r->index, l - 1, &box);
    hull_clip(&r->hull, &box, w);
    int64_t known = r->sign > 0 ? box.high[w] - r->index[l] : r->index[l] - box.low[w];
    return known >= 0 && (uint64_t)known < same && end_row(r, (uint64_t)known);
}

static bool enter(reading *r, const row_start *way)
{
    unsigned level = 0;
    int64_t point[POINTS], before[LEVELS];
    while (way->index[level] == r->index[level])
        level++;
    memcpy(before, r->index, sizeof before);
    memcpy(r->index, way->index, sizeof r->index);
    r->at++;
    uint64_t *most = &r->reached[r->sign < 0];
    *most = r->at > *most ? r->at : *most;
    point_of(r->shape, r->index, point);
    *(r->hunting ? &r->work : &r->read) += 1;
    return hull_include(&r->hull, point) && leave_gap(r, before, r->index, level) && read_row(r);
}

static bool end_reading(reading *r)
{
    for (unsigned l = 0; l < r->shape->levels; l++)
        if (!leave_out(r, r->index, l, r->sign))
            return false;
    return true;
}

/* Back to the end of a row, forgetting what was chosen there and after. */
static void go_back(reading *r, size_t to)
{
    const fork *f = &r->fork[to];
    hull_back(&r->hull, f->mark);
    r->at = f->at;
    memcpy(r->index, f->index, sizeof r->index);
    r->forks = to;
}

/* Nobody goes back farther. */
static void forget_forks(reading *r)
{
    size_t old = r->forks > FAR ? r->forks - FAR : 0;
    memmove(r->fork, r->fork + old, (r->forks - old) * sizeof *r->fork);
    r->forks -= old;
}

/* False: contradiction, or no room, and nothing has changed. */
static bool go_on(reading *r, const row_start *way)
{
    if (r->forks == FORKS)
        return false;
    fork *f = &r->fork[r->forks++];
    *f = (fork){.mark = hull_mark(&r->hull), .at = r->at, .taken = *way};
    memcpy(f->index, r->index, sizeof f->index);
    if (enter(r, way))
        return true;
    go_back(r, r->forks - 1);
    return false;
}

typedef enum progress { STUCK, ENOUGH, ENDED } progress;

/* The way on by one guess, if it is not among those that were tried. False: the loops inside the level cannot have ended. */
static bool add_step(reading *r, ways *tried, unsigned level, unsigned guess)
{
    size_t mark = hull_mark(&r->hull);
    bool ended = true;
    for (unsigned l = r->shape->levels - 1; l > level && ended; l--)
        ended = leave_out(r, r->index, l, r->sign);
    if (ended)
        add_ways(r, tried, level, guess, 0);
    hull_back(&r->hull, mark);
    return ended;
}

/* On to the next row as the points seen so far suggest. False: there is none, and nothing has changed. */
static bool step(reading *r)
{
    ways tried;
    tried.count = 0;
    for (unsigned level = r->shape->levels - 1; level-- > 0;)
        for (unsigned guess = 0; guess < GUESSES; guess++) {
            unsigned before = tried.count;
            if (!add_step(r, &tried, level, guess))
                return false;
            if (tried.count > before && go_on(r, &tried.way[before]))
                return true;
        }
    return false;
}

/* Goes on until `enough` values are read, or there is no room for forks. */
static progress run_on(reading *r, uint64_t enough)
{
    while (r->at < reach(r)) {
        if (r->at >= enough || r->forks == FORKS)
            return ENOUGH;
        r->work += r->hunting;
        if (!step(r))
            return STUCK;
    }
    size_t mark = hull_mark(&r->hull);
    if (end_reading(r))
        return ENDED;
    hull_back(&r->hull, mark);
    return STUCK;
}

/* Choices taken otherwise, one after the other; and what is best. */
typedef struct changes {
    unsigned count;
    struct {
        size_t fork;
        uint64_t at;
        row_start way;
    } change[CHANGES];
} changes;

typedef struct hunt {
    uint64_t enough;  /* so many values read are proof */
    uint64_t reached; /* most values read so far */
    changes now, best;
} hunt;

static bool hunt_at(reading *r, hunt *h, size_t at, const row_start *but, unsigned elsewhere, unsigned more);

/* Goes on from a change; `more` further ones may follow within a few rows. True: far enough. */
static bool hunt_on(reading *r, hunt *h, unsigned more)
{
    size_t from = r->forks;
    if (run_on(r, h->enough) != STUCK)
        return true;
    if (r->at > h->reached) {
        h->reached = r->at;
        h->best = h->now;
    }
    size_t top = r->forks, low = top > from + NEAR ? top - NEAR : from;
    for (size_t i = top + 1; more && i-- > low;) {
        row_start taken;
        bool chosen = i < top;
        if (chosen) {
            taken = r->fork[i].taken;
            go_back(r, i);
        }
        for (unsigned elsewhere = !chosen; elsewhere < 2; elsewhere++)
            if (hunt_at(r, h, i, chosen ? &taken : NULL, elsewhere, more - 1))
                return true;
    }
    return false;
}

/* Tries the ways on from the end of the row where r stands, which is fork `at`. */
static bool hunt_at(reading *r, hunt *h, size_t at, const row_start *but, unsigned elsewhere, unsigned more)
{
    ways all;
    find_ways(r, &all, elsewhere);
    for (unsigned k = 0; k < all.count && r->work <= r->work_max; k++) {
        if ((but && !memcmp(&all.way[k], but, sizeof *but)) || !go_on(r, &all.way[k]))
            continue;
        h->now.change[h->now.count].fork = at;
        h->now.change[h->now.count].at = r->fork[at].at;
        h->now.change[h->now.count++].way = all.way[k];
        if (hunt_on(r, h, more))
            return true;
        h->now.count--;
        go_back(r, at);
    }
    return false;
}

/* A loop around the innermost two moved on; a loop over tiles, if so wanted. */
static bool outer_moved(const reading *r, const fork *from, const row_start *to, bool tiles)
{
    unsigned level = 0;
    while (to->index[level] == from->index[level])
        level++;
    return tiles ? r->shape->tile[level] : level + 2 < r->shape->levels;
}

/* Having got stuck: looks for the choice among the last ones that, taken otherwise, leads farthest: the last `all`, and of `window` those
 * where an outer loop moved on, if `all` is small, one over tiles. False: none leads on. */
static bool repair(reading *r, size_t window, size_t all, unsigned elsewhere, unsigned more)
{
    static _Thread_local row_start path[FAR];
    size_t top = r->forks, low = top > window ? top - window : 0, at = top;
    hunt h = {.reached = r->at, .enough = r->at + LOOK * (r->at / (top + 1) + 1)};
    for (size_t i = low; i < top; i++)
        path[i - low] = r->fork[i].taken;
    if (elsewhere && hunt_at(r, &h, top, NULL, elsewhere, more))
        return true;
    while (at-- > low && r->work <= r->work_max) {
        if (top - at > all && !outer_moved(r, &r->fork[at], &path[at - low], all < WINDOW))
            continue;
        go_back(r, at);
        if (hunt_at(r, &h, at, &path[at - low], elsewhere, more))
            return true;
    }
    for (size_t i = r->forks; i < (h.best.count ? h.best.change[0].fork : top); i++)
        if (!go_on(r, &path[i - low]))
            return false; /* cannot be */
    for (unsigned i = 0; i < h.best.count; i++) {
        if (i)
            run_on(r, UINT64_MAX);
        if (r->forks > h.best.change[i].fork)
            go_back(r, h.best.change[i].fork);
        /* The way there may be another the second time: what is thought depends on what was tried. */
        if (r->forks != h.best.change[i].fork || r->at != h.best.change[i].at || !go_on(r, &h.best.change[i].way))
            return false;
    }
    return h.best.count;
}

/* What is tried in turn. */
static const struct effort {
    size_t window, all;
    unsigned more;
} effort[] = {{NEAR, NEAR, 0}, {NEAR, NEAR, 1}, {FAR, NEAR, 0}, {FAR, WINDOW, 0}, {FAR, WINDOW, 1}, {NEAR, NEAR, 2}};
enum { EFFORTS = sizeof effort / sizeof *effort };

/* Reads from the origin to the stream's end in one direction. */
static bool read_all(reading *r, int sign)
{
    r->sign = sign;
    r->at = 1;
    memset(r->index, 0, sizeof r->index);
    r->forks = 0;
    if (!read_row(r))
        return false;
    while (r->work <= r->work_max) {
        progress p = run_on(r, UINT64_MAX);
        bool on = p == ENOUGH;
        forget_forks(r);
        if (p == ENDED)
            return true;
        for (unsigned e = 0; e < EFFORTS && !on; e++)
            for (unsigned elsewhere = 0; elsewhere <= 2 && !on && r->work <= r->work_max; elsewhere++) {
                r->hunting = true;
                on = repair(r, effort[e].window, effort[e].all, elsewhere, effort[e].more);
                r->hunting = false;
            }
        if (!on)
            return false;
    }
    return false;
}

/* ---- the nest ---- */

/* So that the least index of each loop is in its tile 0, or 0. */
static void lowest(const reading *r, int64_t *low)
{
    const shape *s = r->shape;
    for (unsigned w = 0; w < s->points; w++) {
        low[w] = hull_low(&r->hull, w);
        if (s->size[w])
            low[w] = tile_low(s, w, tile_of(s, w, low[w]));
    }
}

static bool build(const reading *r, affine_nest *nest)
{
    const shape *s = r->shape;
    uint16_t face[HULL_NORMALS];
    scan_half half[HULL_NORMALS + 2 * POINTS];
    int64_t low[POINTS];
    unsigned faces = hull_faces(&r->hull, face), halves = 0;
    memset(half, 0, sizeof half);
    lowest(r, low);
    for (unsigned f = 0; f < faces; f++, halves++) {
        half[halves].constant = r->hull.support[face[f]];
        for (unsigned w = 0; w < s->points; w++) {
            half[halves].slope[s->own[w]] = -r->hull.normal[face[f]][w];
            half[halves].constant -= r->hull.normal[face[f]][w] * low[w];
        }
    }
    nest->base = r->values[r->origin];
    for (unsigned w = 0; w < s->points; w++) {
        nest->base = plus(nest->base, times(s->stride[w], low[w]));
        nest->level[s->own[w]].coefficient = s->stride[w];
        if (!s->size[w])
            continue;
        half[halves].slope[s->own[w]] = 1; /* `low` is where a tile begins */
        half[halves++].slope[s->over[w]] = -s->size[w];
        half[halves].slope[s->own[w]] = -1;
        half[halves].slope[s->over[w]] = s->size[w];
        half[halves++].constant = s->size[w] - 1;
    }
    return scan_bounds(nest->level, nest->depth, half, halves);
}

/* The point of the nest's value k, as the hull has it. */
static bool generated_point(const reading *r, const affine_nest *nest, uint64_t k, int64_t *point)
{
    affine_cursor c;
    int64_t low[POINTS];
    unsigned inner = nest->depth - 1;
    lowest(r, low);
    bool more = affine_first(&c, nest->level, nest->depth, nest->base, PATIENCE);
    for (; more; more = affine_next_row(&c)) {
        uint64_t row = (uint64_t)(c.upper[inner] - c.index[inner]) + 1;
        if (k < row) {
            c.index[inner] += (int64_t)k;
            point_of(r->shape, c.index, point);
            for (unsigned w = 0; w < r->shape->points; w++)
                point[w] += low[w];
            return true;
        }
        k -= row;
    }
    return false;
}

/* The faces found cut off all that is known not to be there; what they nevertheless let in is left out one by one. */
static bool build_right(reading *r, affine_nest *nest)
{
    for (unsigned round = 0; round < REPAIRS; round++) {
        hull_box wrong;
        memset(&wrong, 0, sizeof wrong);
        if (!build(r, nest))
            return false;
        nest->accesses = r->count;
        uint64_t same = affine_match(nest, r->values, r->count, PATIENCE);
        r->read += same / 8;
        if (!generated_point(r, nest, same, wrong.low))
            return same == r->count;
        memcpy(wrong.high, wrong.low, sizeof wrong.high);
        if (!hull_exclude(&r->hull, &wrong))
            return false;
    }
    return false;
}

/* ---- shapes ---- */

/* A plain nest in the stream, innermost loop first. */
typedef struct block {
    unsigned levels;
    int64_t stride[POINTS + 1], length[POINTS + 1];
    uint64_t at, size;
    uint64_t mass;               /* values in blocks like it, */
    uint64_t last;               /* where the last of them begins */
    int64_t longest[POINTS + 1]; /* of the lengths of all blocks with these strides */
} block;

static bool alike(const block *a, const block *b)
{
    return a->levels == b->levels && !memcmp(a->stride, b->stride, a->levels * sizeof *a->stride) &&
           !memcmp(a->length, b->length, a->levels * sizeof *a->length);
}

/* Rows of equal strides. */
static size_t find_rows(block *row, const int64_t *values, uint64_t from, uint64_t to)
{
    size_t rows = 0;
    for (uint64_t at = from; at < to; rows++) {
        uint64_t size = 1;
        row[rows] = (block){.at = at};
        if (at + 1 < to) {
            row[rows].stride[0] = values[at + 1] - values[at];
            size = affine_match_run(values + at, to - at, values[at], row[rows].stride[0]);
        }
        row[rows].length[0] = (int64_t)size;
        row[rows].levels = size > 1;
        row[rows].size = size;
        at += size;
    }
    return rows;
}

/* The values of the block's first or last part come once more, before or after it. */
static bool goes_on(const block *b, const int64_t *values, uint64_t from, uint64_t to, int sign)
{
    int64_t stride = b->stride[b->levels - 1];
    uint64_t part = b->size / (uint64_t)b->length[b->levels - 1], end = b->at + b->size;
    if (sign > 0 ? to - end < part : b->at - from < part)
        return false;
    const int64_t *one = values + (sign > 0 ? end - part : b->at - part);
    for (uint64_t i = 0; i < part; i++)
        if (one[i + part] - one[i] != stride)
            return false;
    return true;
}

/* A row takes values of its neighbours where they have its stride by chance, and is no neighbour of others like it then. */
static void lengthen(block *b, const int64_t *values, uint64_t from, uint64_t to)
{
    uint64_t part = b->size / (uint64_t)b->length[b->levels - 1];
    for (int sign = -1; sign <= 1; sign += 2)
        if (goes_on(b, values, from, to, sign)) {
            b->at -= sign < 0 ? part : 0;
            b->size += part;
            b->length[b->levels - 1]++;
        }
}

/* Joins blocks of `levels` levels that are alike and equally far apart, between two places. */
static size_t join_blocks(block *all, size_t count, const int64_t *values, uint64_t from, uint64_t to, unsigned levels)
{
    size_t kept = 0;
    for (size_t i = 0, next; i < count; i = next) {
        block b = all[i];
        int64_t stride = 0;
        for (next = i + 1; next < count && b.levels == levels && alike(&b, &all[next]); next++) {
            int64_t apart = values[all[next].at] - values[all[next - 1].at];
            if (all[next].at != all[next - 1].at + b.size || (next > i + 1 && apart != stride))
                break;
            stride = apart;
        }
        if (next > i + 1) {
            b.stride[levels] = stride;
            b.length[levels] = (int64_t)(next - i);
            b.levels++;
            b.size *= next - i;
            lengthen(&b, values, from, to);
            while (kept && all[kept - 1].levels < b.levels && all[kept - 1].at + all[kept - 1].size > b.at)
                kept--;
            while (next < count && all[next].levels < b.levels && all[next].at < b.at + b.size)
                next++;
        }
        all[kept++] = b;
    }
    return kept;
}

static void keep_block(block *kept, unsigned *count, const block *b)
{
    for (unsigned i = 0; i < *count; i++)
        if (alike(&kept[i], b)) {
            kept[i].last = b->at;
            kept[i].mass += b->size;
            return;
        }
    if (*count < KINDS) {
        kept[*count] = *b;
        kept[*count].last = b->at;
        kept[(*count)++].mass = b->size;
    }
}

static int by_mass(const void *a, const void *b)
{
    const block *left = a, *right = b;
    if (left->mass != right->mass)
        return left->mass > right->mass ? -1 : 1;
    return left->at < right->at ? -1 : left->at > right->at;
}

/* From where, and which way first. */
enum { FROM_FIRST, FROM_LAST, FROMS };

typedef struct trial {
    uint64_t origin[FROMS];
    shape shape;
    bool dead[FROMS];      /* it was tried to the end */
    unsigned order;        /* as found */
    uint64_t reached;      /* values read */
    uint64_t tried, spent; /* work that was allowed, and done the last time */
} trial;

typedef struct trials {
    trial trial[TRIALS];
    unsigned count;
    fork fork[FORKS]; /* of the one that is tried */
} trials;

static bool same_shape(const trial *a, const trial *b)
{
    return !memcmp(a->origin, b->origin, sizeof a->origin) && !memcmp(&a->shape, &b->shape, sizeof a->shape);
}

/* order[0..tiled-1]: the loops whose tiles are looped over, outermost first; size[] that of each loop's tiles. Where the block is shorter, it was
 * cut at its begin if `cut` has the loop's bit, else at its end. */
static void add_trial(trials *all, const block *b, unsigned points, const unsigned *order, unsigned tiled,
                      const int64_t *size, unsigned cut)
{
    if (all->count == TRIALS)
        return;
    trial *t = &all->trial[all->count];
    shape *s = &t->shape;
    memset(t, 0, sizeof *t);
    t->origin[FROM_FIRST] = b->at;
    t->origin[FROM_LAST] = b->last;
    s->points = points;
    s->levels = points + tiled;
    memset(s->over, NONE, sizeof s->over);
    for (unsigned w = 0; w < points; w++) {
        s->stride[w] = b->stride[points - 1 - w];
        s->point[tiled + w] = (uint8_t)w;
        s->own[w] = (uint8_t)(tiled + w);
    }
    for (unsigned i = 0; i < tiled; i++) {
        unsigned w = order[i];
        s->point[i] = (uint8_t)w;
        s->tile[i] = true;
        s->over[w] = (uint8_t)i;
        s->size[w] = size[w];
        s->offset[w] = cut >> w & 1 ? size[w] - b->length[points - 1 - w] : 0;
    }
    for (unsigned i = 0; i < all->count; i++)
        if (same_shape(t, &all->trial[i]))
            return;
    t->order = all->count++;
}

/* Tiles as long as the block; all as long as its longest loop; as the longest blocks with these strides. */
static void add_order(trials *all, const block *b, unsigned points, const unsigned *order, unsigned tiled)
{
    int64_t size[3][POINTS] = {0}, most = 0;
    for (unsigned i = 0; i < tiled; i++)
        most = b->length[points - 1 - order[i]] > most ? b->length[points - 1 - order[i]] : most;
    for (unsigned w = 0; w < points; w++) {
        size[0][w] = b->length[points - 1 - w];
        size[1][w] = most > size[0][w] ? most : size[0][w];
        size[2][w] = b->longest[points - 1 - w];
    }
    for (unsigned i = 0; i < 3; i++)
        for (unsigned cut = 0; cut < 1u << points; cut++)
            add_trial(all, b, points, order, tiled, size[i], cut);
}

/* All orders of loops over tiles that begin with order[0..tiled-1]. */
static void add_orders(trials *all, const block *b, unsigned points, unsigned *order, unsigned tiled,
                       unsigned depth_max)
{
    if (points + tiled > depth_max)
        return;
    if (tiled)
        add_order(all, b, points, order, tiled);
    for (unsigned w = 0; w < points; w++) {
        bool again = b->length[points - 1 - w] < 2;
        for (unsigned i = 0; i < tiled; i++)
            again = again || order[i] == w;
        if (again)
            continue;
        order[tiled] = w;
        add_orders(all, b, points, order, tiled + 1, depth_max);
    }
}

/* The outermost loop goes over tiles of another. */
static bool over_tiles(const block *b)
{
    bool over = false;
    for (unsigned l = 0; l + 1 < b->levels; l++)
        over = over || (b->stride[l] && b->stride[b->levels - 1] == times(b->stride[l], b->length[l]));
    return over;
}

/* The kinds of blocks of so many levels in which most values lie, and the largest. Deep ones have many orders: only if a sixteenth of the
 * values looked at lie in one kind. */
static void add_kinds(trials *all, const block *b, const size_t *count, uint64_t windows, uint64_t size,
                      unsigned points, unsigned depth_max)
{
    block kind[KINDS];
    unsigned kinds = 0, largest = 0, order[POINTS];
    for (uint64_t w = 0; w < windows; w++)
        for (size_t i = 0; i < count[w]; i++)
            if (b[w * size + i].levels == points)
                keep_block(kind, &kinds, &b[w * size + i]);
    qsort(kind, kinds, sizeof *kind, by_mass);
    for (unsigned i = 0; i < kinds; i++)
        if (kind[i].size > kind[largest].size)
            largest = i;
    for (unsigned i = 0; i < kinds; i++)
        for (unsigned k = 0; k < kinds; k++)
            for (unsigned l = 0; l < points && !memcmp(kind[i].stride, kind[k].stride, points * sizeof *kind->stride);
                 l++)
                if (kind[k].length[l] > kind[i].longest[l])
                    kind[i].longest[l] = kind[k].length[l];
    for (unsigned i = 0; i < kinds; i++)
        if (over_tiles(&kind[i]))
            continue;
        else if (points < POINTS ? i < KINDS_TRIED || i == largest : i == 0 && kind[i].mass >= windows * size / 16)
            add_orders(all, &kind[i], points, order, 0, depth_max);
}

static void find_trials(trials *all, const int64_t *values, uint64_t count, unsigned depth_max)
{
    uint64_t windows = count <= WINDOWS * SAMPLE ? 1 : WINDOWS, size = windows == 1 ? count : SAMPLE;
    block *b = memory_grow(NULL, windows * size, sizeof *b);
    uint64_t from[WINDOWS];
    size_t blocks[WINDOWS];
    all->count = 0;
    for (uint64_t w = 0; w < windows; w++) {
        from[w] = (count - size) / (WINDOWS - 1) * w;
        blocks[w] = find_rows(b + w * size, values, from[w], from[w] + size);
    }
    for (unsigned levels = 1; levels <= POINTS; levels++) {
        if (levels > 1)
            add_kinds(all, b, blocks, windows, size, levels, depth_max);
        for (uint64_t w = 0; w < windows; w++)
            blocks[w] = join_blocks(b + w * size, blocks[w], values, from[w], from[w] + size, levels);
    }
    free(b);
}

/* Reads to one end, then to the other. */
static bool try_from(trials *all, trial *t, unsigned from, affine_nest *nest, const int64_t *values, uint64_t count,
                     uint64_t *work, uint64_t work_max)
{
    reading r = {.values = values,
                 .count = count,
                 .origin = t->origin[from],
                 .shape = &t->shape,
                 .fork = all->fork,
                 .work_max = work_max};
    int first = from == FROM_LAST ? -1 : 1;
    int64_t zero[POINTS] = {0};
    affine_level level[LEVELS];
    memset(level, 0, sizeof level);
    *nest = (affine_nest){.depth = t->shape.levels, .level = level, .whole = true};
    hull_init(&r.hull, t->shape.points);
    bool right = hull_include(&r.hull, zero) && read_all(&r, first) && read_all(&r, -first) && build_right(&r, nest);
    uint64_t reached = r.reached[0] + r.reached[1];
    t->dead[from] = !right && r.work <= work_max;
    t->reached = reached > t->reached ? reached : t->reached;
    t->spent = r.work;
    *work += r.work + r.read / 4;
    hull_free(&r.hull);
    if (!right)
        return false;
    nest->level = memory_grow(NULL, nest->depth, sizeof *level);
    memcpy(nest->level, level, nest->depth * sizeof *level);
    return true;
}

/* Where loops that move nothing start anew shows at one of their ends only: which way round matters. */
static bool try_shape(trials *all, trial *t, affine_nest *nest, const int64_t *values, uint64_t count, uint64_t *work,
                      uint64_t work_max)
{
    t->reached = 0;
    t->tried = work_max;
    for (unsigned from = 0; from < FROMS; from++)
        if (!t->dead[from] && try_from(all, t, from, nest, values, count, work, work_max))
            return true;
    return false;
}

/* Sums of strides times indices must fit; so must the domain's. */
static bool moderate(const int64_t *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (values[i] > VALUE_MAX || values[i] < -VALUE_MAX)
            return false;
    return true;
}

/* The most values read first, then the fewest loops. */
static int by_promise(const void *a, const void *b)
{
    const trial *left = a, *right = b;
    if (left->reached != right->reached)
        return left->reached > right->reached ? -1 : 1;
    if (left->shape.levels != right->shape.levels)
        return left->shape.levels < right->shape.levels ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

static bool late(const tiles_options *options, uint64_t work)
{
    return work >= options->work_max || clock_seconds() > options->deadline;
}

static bool all_dead(const trial *t)
{
    bool dead = true;
    for (unsigned from = 0; from < FROMS; from++)
        dead = dead && t->dead[from];
    return dead;
}

/* Rounds, in each of which every trial not refuted may do more: most, those that came farthest so far, of each number of point loops.
 * Returns the one that found a nest. NULL: none did. */
static const trial *try_all(trials *all, affine_nest *nest, const int64_t *values, uint64_t count,
                            const tiles_options *options, uint64_t *work)
{
    for (uint64_t share = SHARE; all->count && !late(options, *work); share *= MORE) {
        unsigned left = 0, rank[POINTS + 1] = {0};
        qsort(all->trial, all->count, sizeof *all->trial, by_promise);
        for (unsigned i = 0; i < all->count && !late(options, *work); i++) {
            trial *t = &all->trial[i];
            uint64_t most = share == SHARE ? share : share * FAVOURED / (FAVOURED + rank[t->shape.points]++);
            if (most >= 2 * t->tried && try_shape(all, t, nest, values, count, work, most))
                return t;
            if (!all_dead(t))
                all->trial[left++] = *t;
        }
        all->count = left;
    }
    return NULL;
}

bool tiles_nest(affine_nest *nest, const int64_t *values, uint64_t count, const tiles_options *options, uint64_t *work)
{
    trials *all = memory_grow(NULL, 1, sizeof *all);
    *work = 0;
    all->count = 0;
    if (count >= 8 && moderate(values, count))
        find_trials(all, values, count, options->depth_max);
    const trial *found = try_all(all, nest, values, count, options, work);
    /* Others may have fewer loops. */
    uint64_t most = found && found->spent > LEAST / FLATTER ? FLATTER * found->spent : LEAST;
    uint64_t enough = *work + *work / 16 + TRIALS * LEAST / 4;
    for (unsigned i = 0; found && i < all->count && !late(options, *work) && *work < enough; i++) {
        trial *t = &all->trial[i];
        affine_nest flat;
        if (t->shape.levels < nest->depth && t->tried < most && try_shape(all, t, &flat, values, count, work, most)) {
            affine_nest_free(nest);
            *nest = flat;
        }
    }
    free(all);
    return found;
}
