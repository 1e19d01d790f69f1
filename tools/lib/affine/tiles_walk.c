/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/tiles_walk.h"

#include "tools/lib/affine/tiles_ways.h"

/* Adds the way on by one guess, unless it was tried. False: the loops inside the level cannot have ended. */
static bool add_step(tiles_reading *r, tiles_ways *tried, unsigned level, unsigned guess)
{
    size_t mark = hull_mark(&r->hull);
    bool ended = true;
    for (unsigned l = r->shape->levels - 1; l > level && ended; l--)
        ended = tiles_leave_out(r, r->index, l, r->sign);
    if (ended)
        tiles_add_ways(r, tried, level, guess, 0);
    hull_back(&r->hull, mark);
    return ended;
}

/* On to the next row as the points seen so far suggest. False: there is none, and nothing has changed. */
static bool step(tiles_reading *r)
{
    tiles_ways tried;
    tried.count = 0;
    for (unsigned level = r->shape->levels - 1; level-- > 0;)
        for (unsigned guess = 0; guess < GUESSES; guess++) {
            unsigned before = tried.count;
            if (!add_step(r, &tried, level, guess))
                return false;
            if (tried.count > before && tiles_go_on(r, &tried.way[before]))
                return true;
        }
    return false;
}

tiles_progress tiles_walk(tiles_reading *r, uint64_t enough)
{
    while (r->at < tiles_reach(r)) {
        if (r->at >= enough || r->forks == TILES_FORKS)
            return ENOUGH;
        r->work += r->hunting;
        if (!step(r))
            return STUCK;
    }
    return tiles_end(r) ? ENDED : STUCK;
}
