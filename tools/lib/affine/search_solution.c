/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_solution.h"

#include <string.h>

#include "tools/lib/affine/search_faces.h"

static affine_nest nest_of(const search *x, const search_node *n, bool whole)
{
    return (affine_nest){
        .depth = n->depth, .base = search_value(x, n, 0), .accesses = n->known, .whole = whole, .level = n->level};
}

/* True if the nest generates the known values and, if whole, no more. */
static bool verified(const search *x, const search_node *n, bool whole)
{
    affine_nest nest = nest_of(x, n, whole);
    affine_cursor c;
    if (affine_match(&nest, x->values, n->known, SEARCH_PATIENCE) != n->known)
        return false;
    affine_seek(&c, n->level, n->depth, nest.base, n->index);
    c.patience = SEARCH_PATIENCE;
    return !whole || (c.index[n->depth - 1] == c.upper[n->depth - 1] && !affine_next_row(&c));
}

/* ---- turning round ---- */

/* Index l becomes last[l] - index l: an upper face of level r becomes a lower one, and the other way round. */
static bool flip_face(affine_face *f, const int64_t *last, unsigned r)
{
    affine_wide constant = (affine_wide)last[r] * f->divisor - f->constant;
    for (unsigned l = 0; l < r; l++)
        constant -= (affine_wide)f->slope[l] * last[l];
    f->constant = (int64_t)constant;
    return constant == (int64_t)constant;
}

static void flip_examples(search_examples *e, const int64_t *last, unsigned r, int64_t shift)
{
    for (unsigned i = 0; i < e->count; i++) {
        for (unsigned l = 0; l < r; l++)
            e->point[i].at[l] = last[l] - e->point[i].at[l];
        e->point[i].value += shift;
    }
}

static bool flip_level(search_node *n, unsigned r)
{
    affine_level *level = &n->level[r], was = *level;
    search_examples *upper = &n->side[r][LOWER], *lower = &n->side[r][UPPER], swap;
    if (__builtin_sub_overflow(0, was.coefficient, &level->coefficient))
        return false;
    if (!was.lowers) { /* none: 0 */
        memset(was.lower, 0, sizeof *was.lower);
        was.lower[0].divisor = 1;
        was.lowers = 1;
    }
    memcpy(level->upper, was.lower, sizeof level->upper);
    memcpy(level->lower, was.upper, sizeof level->lower);
    level->uppers = was.lowers;
    level->lowers = was.uppers;
    for (unsigned f = 0; f < level->uppers; f++)
        if (!flip_face(&level->upper[f], n->index, r))
            return false;
    for (unsigned f = 0; f < level->lowers; f++)
        if (!flip_face(&level->lower[f], n->index, r))
            return false;
    flip_examples(upper, n->index, r, n->index[r]);
    flip_examples(lower, n->index, r, -n->index[r]);
    swap = *upper;
    *upper = *lower;
    *lower = swap;
    return true;
}

bool search_flip(search_node *n)
{
    for (unsigned l = 0; l < n->depth; l++)
        if (!flip_level(n, l))
            return false;
    n->origin = n->back ? n->origin - (n->known - 1) : n->origin + (n->known - 1);
    n->back = !n->back;
    n->open = false;
    return true;
}

/* ---- the best node ---- */

/* n, which explains the whole stream, as one that ends by itself and begins with the first value. NULL: it cannot. */
static search_node *ended(search *x, const search_node *n)
{
    search_node *done = search_node_copy(x, n);
    if (search_close_all(x, done) && (!done->back || search_flip(done)) && verified(x, done, true))
        return done;
    search_node_free(x, done);
    return NULL;
}

bool search_keep_best(search *x, search_node *n)
{
    bool all = n->known == x->count, whole = false;
    if (x->best && (x->best->known > n->known || (x->best->known == n->known && !all))) {
        search_node_free(x, n);
        return false;
    }
    if (all) {
        search_node *done = ended(x, n);
        whole = done;
        /* By construction it explains the stream. It is checked all the same: a wrong one must not count as a
         * solution. */
        if (!whole && (n->back || !verified(x, n, false))) {
            search_node_free(x, n);
            return false;
        }
        if (whole) {
            search_node_free(x, n);
            n = done;
        }
    }
    if (x->best && x->best->known == n->known && (x->best_whole || !whole)) {
        search_node_free(x, n);
        return false;
    }
    search_node_free(x, x->best);
    x->best = n;
    x->best_whole = whole;
    x->best_checked = all;
    return all;
}

/* ---- what is returned ---- */

/* Fits the faces of one side again, without the margins that helped to find them. Keeps them if they are no more than
 * before. */
static void polish_side(search *x, search_node *n, unsigned l, unsigned side)
{
    unsigned faces = side == UPPER ? n->level[l].uppers : n->level[l].lowers;
    if (faces < 2)
        return;
    search_node *tried = search_node_copy(x, n);
    *(side == UPPER ? &tried->level[l].uppers : &tried->level[l].lowers) = 0;
    bool better = search_refit(x, tried, n, (search_side){l, side, false, 0}) &&
                  (side == UPPER ? tried->level[l].uppers : tried->level[l].lowers) <= faces &&
                  verified(x, tried, true);
    if (better) {
        search_node swap = *n;
        *n = *tried;
        *tried = swap;
    }
    search_node_free(x, tried);
}

static void polish(search *x, search_node *n)
{
    for (unsigned l = 1; l < n->depth; l++)
        for (unsigned side = 0; side < 2; side++)
            polish_side(x, n, l, side);
}

/* A best node that explains only a part of the stream: ends it there, where faces do that. */
static void end_part(search *x)
{
    search_node *part = search_node_copy(x, x->best);
    x->best_whole = search_close_all(x, part) && verified(x, part, true);
    x->best_checked = false;
    if (x->best_whole) {
        search_node_free(x, x->best);
        x->best = part;
    } else {
        search_node_free(x, part);
    }
}

/* Levels whose end was never seen end at the last point. */
static void end_levels(search_node *n)
{
    for (unsigned l = 0; l < n->depth; l++)
        if (!n->level[l].uppers) {
            memset(&n->level[l].upper[0], 0, sizeof n->level[l].upper[0]);
            n->level[l].upper[0].divisor = 1;
            n->level[l].upper[0].constant = n->index[l];
            n->level[l].uppers = 1;
        }
}

bool search_take_best(search *x, affine_nest *nest)
{
    if (!x->best)
        return false;
    if (x->best_whole)
        polish(x, x->best);
    else if (x->best->known < x->count)
        end_part(x);
    end_levels(x->best);
    bool right = x->best_checked || verified(x, x->best, x->best_whole);
    *nest = nest_of(x, x->best, x->best_whole);
    if (right)
        x->best->level = NULL; /* the nest has them now */
    search_node_free(x, x->best);
    x->best = NULL;
    return right;
}
