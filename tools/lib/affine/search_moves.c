/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_moves.h"

#include <string.h>

/* Level l moves on, inner ones start off[] from their lower bounds. True: the stream is solved. */
static bool try_move(search *x, search_family *f, unsigned l, const int64_t *off)
{
    const search_node *closed = search_family_closed(x, f, l + 1);
    if (!closed)
        return false;
    search_node *n = search_node_copy(x, closed);
    n->index[l]++;
    if (!search_lift_level(x, n, f->parent, l) || !search_start_levels(x, n, f->parent, l + 1, off) ||
        search_address(n, search_value(x, n, 0), n->index) != search_value(x, n, n->known)) {
        search_node_free(x, n);
        return false;
    }
    return search_offer(x, n);
}

/* What the value would be if level l moved on with inner ones off their bounds, less the value. */
static affine_wide miss(const search *x, const search_node *n, unsigned l, const int64_t *off)
{
    int64_t index[AFFINE_DEPTH];
    memcpy(index, n->index, sizeof index);
    index[l]++;
    search_reset(n->level, n->depth, index, l + 1, off);
    return search_address(n, search_value(x, n, 0), index) - search_value(x, n, n->known);
}

/* Finds off[r], at most `most` either way, so that the next value comes out. False: there is none. */
static bool solve_off(const search *x, const search_node *n, unsigned l, int64_t *off, unsigned r, int64_t most)
{
    off[r] = 0;
    affine_wide zero = miss(x, n, l, off);
    off[r] = 1;
    affine_wide step = miss(x, n, l, off) - zero;
    off[r] = 0;
    if (!zero || !step || zero % step || -zero / step > most || -zero / step < -most)
        return false;
    off[r] = (int64_t)(-zero / step);
    if (miss(x, n, l, off) == 0)
        return true;
    off[r] = 0;
    return false;
}

bool search_increments(search *x, search_family *f)
{
    for (unsigned l = f->parent->depth; l-- > 0;)
        if (miss(x, f->parent, l, NULL) == 0 && try_move(x, f, l, NULL))
            return true;
    return false;
}

/* Level l moves on; one level inside it starts off its lower bound, or two do. */
/* With off[r] as it is, one more level further inside. */
static bool two_bounds_inside(search *x, search_family *f, unsigned l, int64_t *off, unsigned r)
{
    const search_node *n = f->parent;
    for (unsigned q = r + 1; q < n->depth && off[r]; q++) {
        off[q] = 0;
        if (solve_off(x, n, l, off, q, SEARCH_OFF_TWO) && try_move(x, f, l, off))
            return true;
        off[q] = 0;
    }
    return false;
}

static bool lower_bounds_inside(search *x, search_family *f, unsigned l)
{
    const search_node *n = f->parent;
    for (unsigned r = l + 1; r < n->depth; r++) {
        int64_t off[AFFINE_DEPTH] = {0};
        if (solve_off(x, n, l, off, r, SEARCH_OFF_ONE) && try_move(x, f, l, off))
            return true;
        for (off[r] = -SEARCH_OFF_TWO; off[r] <= SEARCH_OFF_TWO; off[r]++)
            if (two_bounds_inside(x, f, l, off, r))
                return true;
    }
    return false;
}

bool search_lower_bounds(search *x, search_family *f)
{
    for (unsigned l = f->parent->depth; l-- > 0;)
        if (lower_bounds_inside(x, f, l))
            return true;
    return false;
}
