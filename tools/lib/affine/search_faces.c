/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_faces.h"

#include <stddef.h>
#include <string.h>

#include "tools/lib/affine/fit_remembered.h"

#include "tools/lib/base/memory.h"

/* ---- fitting to examples ---- */

bool search_example_add(search_examples *e, const int64_t *at, unsigned outer, int64_t value)
{
    for (unsigned i = 0; i < e->count; i++)
        if (!memcmp(e->point[i].at, at, outer * sizeof *at))
            return e->point[i].value == value;
    if (e->count == FIT_POINTS - 1)
        return false;
    e->point = memory_room(e->point, e->count, &e->max, sizeof *e->point);
    fit_point *p = &e->point[e->count++];
    memset(p, 0, sizeof *p);
    memcpy(p->at, at, outer * sizeof *at);
    p->value = value;
    return true;
}

static void negate_faces(affine_face *to, const affine_face *from, unsigned count, unsigned outer)
{
    for (unsigned f = 0; f < count; f++) {
        to[f] = from[f];
        to[f].constant = -from[f].constant;
        for (unsigned l = 0; l < outer; l++)
            to[f].slope[l] = -from[f].slope[l];
    }
}

static int64_t spread(const fit_point *point, unsigned points)
{
    int64_t low = point[0].value, high = low;
    for (unsigned i = 1; i < points; i++) {
        low = point[i].value < low ? point[i].value : low;
        high = point[i].value > high ? point[i].value : high;
    }
    return high - low;
}

/* Adds "the bound is `value` or more" under the outer indices at[0..outer-1]. */
static void add_at_least(fit_point *point, unsigned *count, const int64_t *at, unsigned outer, int64_t value)
{
    fit_point *p = &point[(*count)++];
    memset(p, 0, sizeof *p);
    memcpy(p->at, at, outer * sizeof *at);
    p->value = value;
    p->at_least = true;
}

/* The examples of one side. Two more are known without having been seen as such: an open node's loops may have begun
 * before index 0, and an upper bound is not below the present index. */
static unsigned gather_examples(const search_node *n, search_side which, fit_point *point)
{
    const search_examples *e = &n->side[which.level][which.side];
    unsigned r = which.level, count = (unsigned)e->count;
    if (count)
        memcpy(point, e->point, count * sizeof *point);
    if (which.side == LOWER) {
        if (n->open)
            add_at_least(point, &count, search_zeros, r, 0);
        return count;
    }
    for (unsigned i = 0; i < count; i++)
        if (!memcmp(point[i].at, n->index, r * sizeof *n->index))
            return count;
    add_at_least(point, &count, n->index, r, n->index[r]);
    return count;
}

/* Fits one side to its examples alone. */
static bool fit_side(search *x, search_node *n, search_side which)
{
    fit_point point[FIT_POINTS];
    affine_face face[AFFINE_FACES];
    unsigned r = which.level, known = (unsigned)n->side[r][which.side].count;
    unsigned count = gather_examples(n, which, point);
    affine_level *level = &n->level[r];
    unsigned faces = which.side == UPPER ? level->uppers : level->lowers;
    fit_options o = {.slopes = x->options->slopes,
                     .faces_max = x->options->single ? 1 : AFFINE_FACES,
                     .focus = which.lift ? count - 1
                              : known    ? known - 1
                                         : 0,
                     .margin = which.margin};
    if (!which.lift && which.margin)
        o.margin = 4 * (spread(point, count) + 1);
    if (which.side == UPPER)
        memcpy(face, level->upper, faces * sizeof *face);
    else
        negate_faces(face, level->lower, faces, r);
    x->work += SEARCH_WORK_FIT + 4 * (uint64_t)count * r;
    if (!fit_remembered(x->options->memory, face, &faces, &(fit_points){point, count, r}, &o))
        return false;
    if (which.side == UPPER) {
        memcpy(level->upper, face, faces * sizeof *face);
        level->uppers = faces;
    } else {
        negate_faces(level->lower, face, faces, r);
        level->lowers = faces;
    }
    return true;
}

/* ---- agreeing with the past ---- */

/* The old and the new faces of one side of level r. */
typedef struct change {
    const affine_level *was, *is;
    unsigned r, side;
} change;

static int64_t bound(const affine_level *level, const int64_t *index, unsigned r, unsigned side)
{
    return side == UPPER ? affine_upper(level, index, r) : affine_lower(level, index, r);
}

static int64_t value_of(const affine_face *face, const int64_t *index, unsigned r, unsigned side)
{
    return side == UPPER ? affine_floor(face, index, r) : affine_ceil(face, index, r);
}

/* True if one face with integer slopes gives the bounds `near` at `index` and `far` at `last`, which differ in
 * index[r - 1] only. The bound then lies on that face all the way: bounds are concave above and convex below, so no
 * other face can cut in between. */
static bool straight(const change *c, const affine_level *level, const int64_t *index, const int64_t *last,
                     int64_t near, int64_t far)
{
    const affine_face *face = c->side == UPPER ? level->upper : level->lower;
    unsigned faces = c->side == UPPER ? level->uppers : level->lowers, r = c->r;
    for (unsigned f = 0; f < faces; f++)
        if ((face[f].divisor == 1 || !face[f].slope[r - 1]) &&
            (faces == 1 ||
             (value_of(&face[f], index, r, c->side) == near && value_of(&face[f], last, r, c->side) == far)))
            return true;
    return !faces;
}

/* True if the old and the new bound are sure to be the same from index[r - 1] to `end`. */
static bool same_between(const change *c, const int64_t *index, int64_t end)
{
    int64_t last[AFFINE_DEPTH], near = bound(c->was, index, c->r, c->side);
    if (near != bound(c->is, index, c->r, c->side))
        return false;
    memcpy(last, index, c->r * sizeof *last);
    last[c->r - 1] = end;
    int64_t far = bound(c->was, last, c->r, c->side);
    return far == bound(c->is, last, c->r, c->side) && straight(c, c->was, index, last, near, far) &&
           straight(c, c->is, index, last, near, far);
}

enum { LATE_STEPS = 0x4000 }; /* places looked at between two questions whether it is late */

typedef enum past { AGREES, DIFFERS, TOO_LONG } past;

/* A place of the past where the bounds differ. */
typedef struct difference {
    uint64_t steps, enough;   /* places looked at, and to be looked at */
    int64_t size;             /* of the difference; 0: none yet. Without one, what follows is not set */
    int64_t value;            /* the bound there */
    int64_t at[AFFINE_DEPTH]; /* the outer indices */
} difference;

/* True if the bounds at this place do not count: the level is empty there, or where it begins is not known. */
static bool does_not_count(const search_node *old, const change *c, const int64_t *index)
{
    return affine_lower(c->was, index, c->r) > affine_upper(c->was, index, c->r) ||
           (old->open && c->side == LOWER && !memcmp(index, search_zeros, c->r * sizeof *search_zeros));
}

/* Compares the bounds at one place. */
static void compare_bounds(const search_node *old, const change *c, const int64_t *index, difference *d)
{
    int64_t before = bound(c->was, index, c->r, c->side), off = before - bound(c->is, index, c->r, c->side);
    off = off < 0 ? -off : off;
    if (off <= d->size || does_not_count(old, c, index))
        return;
    d->enough = d->size ? d->enough : 2 * d->steps + SEARCH_FARTHER;
    d->size = off;
    d->value = before;
    memcpy(d->at, index, c->r * sizeof *d->at);
}

/* Walks what `old` has seen, in search of a place where its bound is far from the new one: the farthest of those met
 * in about twice the steps that lead to the first. */
static past walk_past(search *x, const search_node *old, const change *c, difference *d)
{
    affine_cursor at;
    unsigned r = c->r;
    if (!r)
        return AGREES;
    affine_seek(&at, old->level, r, 0, search_zeros);
    at.patience = SEARCH_PATIENCE;
    do {
        if (at.upper[r - 1] > at.index[r - 1] + 1 && at.upper[r - 1] < AFFINE_ENDLESS &&
            search_order(old, at.index, r - 1) < 0 && same_between(c, at.index, at.upper[r - 1]))
            at.index[r - 1] = at.upper[r - 1];
        for (; at.index[r - 1] <= at.upper[r - 1]; at.index[r - 1]++) {
            int order = search_order(old, at.index, r);
            x->work++;
            /* Few loops are empty, or the nest is not worth having: so steps are bounded by values. */
            if (++d->steps > 2 * old->known + SEARCH_PATIENCE || (d->steps % LATE_STEPS == 0 && search_late(x)))
                return TOO_LONG;
            if (order > 0 || (order == 0 && c->side == UPPER) || d->steps > d->enough)
                return d->size ? DIFFERS : AGREES;
            compare_bounds(old, c, at.index, d);
        }
        at.index[r - 1] = at.upper[r - 1];
    } while (affine_next_row(&at));
    return d->size ? DIFFERS : AGREES;
}

/* Walks that never ask whether it is late give the same answer at any time. */
typedef struct answer {
    past verdict;
    difference d;
} answer;

/* Bytes of a difference of level r that are set. */
static size_t difference_size(const difference *d, unsigned r)
{
    return d->size ? offsetof(difference, at) + r * sizeof *d->at : offsetof(difference, value);
}

/* All that a walk depends on: the loops up to level r, where they stand, and the new faces. */
static memo_key walk_key(const search_node *old, const change *c)
{
    memo_key key = MEMO_KEY;
    memo_mix(&key, (uint64_t)c->r << 8 | c->side << 1 | old->open);
    memo_mix(&key, old->known);
    memo_mix_all(&key, old->index, c->r);
    for (unsigned l = 0; l <= c->r; l++) {
        fit_key_faces(&key, old->level[l].upper, old->level[l].uppers, l);
        fit_key_faces(&key, old->level[l].lower, old->level[l].lowers, l);
    }
    fit_key_faces(&key, c->is->upper, c->is->uppers, c->r);
    fit_key_faces(&key, c->is->lower, c->is->lowers, c->r);
    return key;
}

static past past_differs(search *x, const search_node *old, const change *c, difference *d)
{
    memo *m = x->options->memory;
    if (!m || !c->r)
        return walk_past(x, old, c, d);
    memo_key key = walk_key(old, c);
    const answer *known = memo_find(m, key);
    if (known) {
        memcpy(d, &known->d, difference_size(&known->d, c->r));
        x->work += d->steps;
        return known->verdict;
    }
    answer new = {.verdict = walk_past(x, old, c, d)};
    if (d->steps < LATE_STEPS) {
        memcpy(&new.d, d, difference_size(d, c->r));
        memo_put(m, key, &new, offsetof(answer, d) + difference_size(d, c->r));
    }
    return new.verdict;
}

/* The example that made the faces wrong is their focus, and the focus is the last one. */
static void keep_focus_last(search_examples *e)
{
    if (e->count < 2)
        return;
    fit_point last = e->point[e->count - 1];
    e->point[e->count - 1] = e->point[e->count - 2];
    e->point[e->count - 2] = last;
}

bool search_refit(search *x, search_node *n, const search_node *old, search_side which)
{
    unsigned r = which.level;
    search_examples *e = &n->side[r][which.side];
    for (unsigned round = 0; round < SEARCH_REFITS; round++) {
        if (!fit_side(x, n, which))
            return false;
        change c = {&old->level[r], &n->level[r], r, which.side};
        difference d;
        d.size = 0;
        d.steps = 0;
        d.enough = UINT64_MAX;
        past verdict = past_differs(x, old, &c, &d);
        if (verdict == AGREES)
            return true;
        if (verdict == TOO_LONG || !search_example_add(e, d.at, r, which.side == UPPER ? d.value : -d.value))
            return false;
        if (!which.lift)
            keep_focus_last(e);
    }
    return false;
}

/* ---- ends ---- */

bool search_close_level(search *x, search_node *n, const search_node *old, unsigned l)
{
    return n->index[l] >= affine_upper(&n->level[l], n->index, l) ||
           (search_example_add(&n->side[l][UPPER], n->index, l, n->index[l]) &&
            search_refit(x, n, old, (search_side){l, UPPER, false, 1}));
}

bool search_close_all(search *x, search_node *n)
{
    search_node *old = search_node_copy_bounds(x, n);
    bool done = true;
    for (unsigned l = n->depth; l-- > 0 && done;)
        done = search_close_level(x, n, old, l);
    search_node_free(x, old);
    return done;
}
