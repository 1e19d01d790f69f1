/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/tiles_repair.h"

#include <string.h>

#include "tools/lib/affine/tiles_walk.h"
#include "tools/lib/affine/tiles_ways.h"

/* Changed choices, one after the other. */
typedef struct changes {
    unsigned count;
    struct {
        size_t fork;
        uint64_t at;
        tiles_row way;
    } change[TILES_CHANGES];
} changes;

typedef struct hunt {
    uint64_t enough;  /* as many values read prove the changes right */
    uint64_t reached; /* most values read so far */
    changes now, best;
} hunt;

/* The choice to change. */
typedef struct place {
    size_t fork;
    const tiles_row *but; /* the row that was taken there; NULL: none */
    unsigned elsewhere;   /* see tiles_find_ways */
} place;

static bool hunt_at(tiles_reading *r, hunt *h, const place *p, unsigned more);

/* Changes the choices around the place reached, in the last rows after fork `from`. */
static bool hunt_near(tiles_reading *r, hunt *h, size_t from, unsigned more)
{
    size_t top = r->forks, low = top > from + TILES_NEAR ? top - TILES_NEAR : from;
    for (size_t i = top + 1; i-- > low;) {
        tiles_row taken;
        bool chosen = i < top;
        if (chosen) {
            taken = r->fork[i].taken;
            tiles_go_back(r, i);
        }
        for (unsigned elsewhere = !chosen; elsewhere < 2; elsewhere++)
            if (hunt_at(r, h, &(place){i, chosen ? &taken : NULL, elsewhere}, more))
                return true;
    }
    return false;
}

/* Goes on from a change; `more` further ones may follow within a few rows. True: far enough. */
static bool hunt_on(tiles_reading *r, hunt *h, unsigned more)
{
    size_t from = r->forks;
    if (tiles_walk(r, h->enough) != STUCK)
        return true;
    if (r->at > h->reached) {
        h->reached = r->at;
        h->best = h->now;
    }
    return more && hunt_near(r, h, from, more - 1);
}

/* Tries the ways on from the end of the row where r stands, which is the place's. True: one leads far enough. */
static bool hunt_at(tiles_reading *r, hunt *h, const place *p, unsigned more)
{
    tiles_ways all;
    tiles_find_ways(r, &all, p->elsewhere);
    for (unsigned k = 0; k < all.count && r->work <= r->work_max; k++) {
        if ((p->but && !memcmp(&all.way[k], p->but, sizeof *p->but)) || !tiles_go_on(r, &all.way[k]))
            continue;
        h->now.change[h->now.count].fork = p->fork;
        h->now.change[h->now.count].at = r->fork[p->fork].at;
        h->now.change[h->now.count++].way = all.way[k];
        if (hunt_on(r, h, more))
            return true;
        h->now.count--;
        tiles_go_back(r, p->fork);
    }
    return false;
}

/* How hard a repair tries. */
typedef struct effort {
    size_t window; /* rows to go back for choices where an outer loop moved on: over tiles, if `all` is small */
    size_t all;    /* rows to go back for any choice */
    unsigned more; /* changes besides the first */
} effort;

/* A loop around the innermost two moved on; or, if `tiles`, a loop over tiles. */
static bool outer_moved(const tiles_reading *r, const tiles_fork *from, const tiles_row *to, bool tiles)
{
    unsigned level = 0;
    while (to->index[level] == from->index[level])
        level++;
    return tiles ? r->shape->tile[level] : level + 2 < r->shape->levels;
}

/* Takes the choices after fork r->forks as they were, up to the best changes, and then these. False: there are none
 * that lead on. */
static bool take_best(tiles_reading *r, const hunt *h, const tiles_row *path, size_t low, size_t top)
{
    for (size_t i = r->forks; i < (h->best.count ? h->best.change[0].fork : top); i++)
        if (!tiles_go_on(r, &path[i - low]))
            return false; /* cannot be */
    for (unsigned i = 0; i < h->best.count; i++) {
        if (i)
            tiles_walk(r, UINT64_MAX);
        if (r->forks > h->best.change[i].fork)
            tiles_go_back(r, h->best.change[i].fork);
        /* The way there may be another the second time: what is suggested depends on what was tried. */
        if (r->forks != h->best.change[i].fork || r->at != h->best.change[i].at ||
            !tiles_go_on(r, &h->best.change[i].way))
            return false;
    }
    return h->best.count;
}

/* Stuck: looks for the choice that, changed, leads farthest. False: none leads on. */
static bool repair(tiles_reading *r, const effort *e, unsigned elsewhere)
{
    static _Thread_local tiles_row path[TILES_FAR];
    size_t top = r->forks, low = top > e->window ? top - e->window : 0, at = top;
    hunt h = {.reached = r->at, .enough = r->at + TILES_LOOK * (r->at / (top + 1) + 1)};
    for (size_t i = low; i < top; i++)
        path[i - low] = r->fork[i].taken;
    if (elsewhere && hunt_at(r, &h, &(place){top, NULL, elsewhere}, e->more))
        return true;
    while (at-- > low && r->work <= r->work_max) {
        if (top - at > e->all && !outer_moved(r, &r->fork[at], &path[at - low], e->all < TILES_WINDOW))
            continue;
        tiles_go_back(r, at);
        if (hunt_at(r, &h, &(place){at, &path[at - low], elsewhere}, e->more))
            return true;
    }
    return take_best(r, &h, path, low, top);
}

/* From little to much effort. False: none leads on. */
static bool repair_somehow(tiles_reading *r)
{
    static const effort efforts[] = {
        {TILES_NEAR, TILES_NEAR, 0},  {TILES_NEAR, TILES_NEAR, 1},  {TILES_FAR, TILES_NEAR, 0},
        {TILES_FAR, TILES_WINDOW, 0}, {TILES_FAR, TILES_WINDOW, 1}, {TILES_NEAR, TILES_NEAR, 2},
    };
    bool on = false;
    r->hunting = true;
    for (unsigned e = 0; e < sizeof efforts / sizeof *efforts && !on; e++)
        for (unsigned elsewhere = 0; elsewhere <= 2 && !on && r->work <= r->work_max; elsewhere++)
            on = repair(r, &efforts[e], elsewhere);
    r->hunting = false;
    return on;
}

bool tiles_read(tiles_reading *r, int sign)
{
    if (!tiles_reading_start(r, sign))
        return false;
    while (r->work <= r->work_max) {
        tiles_progress p = tiles_walk(r, UINT64_MAX);
        tiles_forget_forks(r);
        if (p == ENDED)
            return true;
        if (p == STUCK && !repair_somehow(r))
            return false;
    }
    return false;
}
