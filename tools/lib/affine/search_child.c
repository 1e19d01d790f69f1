/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_child.h"

#include <string.h>

#include "tools/lib/affine/search_faces.h"
#include "tools/lib/affine/search_queue.h"
#include "tools/lib/affine/search_solution.h"

const search_node *search_family_closed(search *x, search_family *f, unsigned l)
{
    if (l == f->parent->depth)
        return f->parent;
    const search_node *inner = search_family_closed(x, f, l + 1);
    if (!f->known[l] && inner) {
        f->closed[l] = search_node_copy(x, inner);
        if (!search_close_level(x, f->closed[l], f->parent, l)) {
            search_node_free(x, f->closed[l]);
            f->closed[l] = NULL;
        }
    }
    f->known[l] = true;
    return f->closed[l];
}

void search_family_free(search *x, search_family *f)
{
    for (unsigned l = 0; l < f->parent->depth; l++)
        search_node_free(x, f->closed[l]);
}

bool search_lift_level(search *x, search_node *n, const search_node *old, unsigned l)
{
    if (n->index[l] <= affine_upper(&n->level[l], n->index, l))
        return true;
    for (unsigned i = 0; i < n->side[l][UPPER].count; i++) /* the level ended here before */
        if (!memcmp(n->side[l][UPPER].point[i].at, n->index, l * sizeof *n->index))
            return false;
    return search_refit(x, n, old, (search_side){l, UPPER, true, SEARCH_FAR_BEYOND}) ||
           search_refit(x, n, old, (search_side){l, UPPER, true, 0});
}

bool search_start_levels(search *x, search_node *n, const search_node *old, unsigned l, const int64_t *off)
{
    for (; l < n->depth; l++) {
        int64_t lower = affine_lower(&n->level[l], n->index, l);
        if (off && off[l]) {
            lower += off[l];
            search_examples *e = &n->side[l][LOWER];
            if ((!e->count && !n->open && !search_example_add(e, search_zeros, l, 0)) ||
                !search_example_add(e, n->index, l, -lower))
                return false;
            n->index[l] = lower;
            if (!search_refit(x, n, old, (search_side){l, LOWER, false, 1}))
                return false;
        }
        n->index[l] = lower;
        if (!search_lift_level(x, n, old, l))
            return false;
    }
    return true;
}

/* The rest of a row, from the cursor on. False: the stream differs, or ends. */
static bool run_row(search *x, search_node *n, affine_cursor *c)
{
    unsigned inner = n->depth - 1;
    uint64_t left = search_reach(x, n) - n->known, want = 0, same = 0;
    if (c->index[inner] <= c->upper[inner])
        want = affine_left(c, inner) + 1;
    want = want < left ? want : left;
    affine_wide start = affine_address(c);
    if (want && start == (int64_t)start)
        same = search_match(x, n, n->known, want, (int64_t)start, n->level[inner].coefficient);
    if (same) {
        c->index[inner] += (int64_t)same - 1;
        memcpy(n->index, c->index, n->depth * sizeof *c->index);
        n->known += same;
    }
    return same == want && same < left;
}

void search_run_on(search *x, search_node *n)
{
    affine_cursor c;
    unsigned inner = n->depth - 1;
    affine_seek(&c, n->level, n->depth, search_value(x, n, 0), n->index);
    c.patience = SEARCH_PATIENCE;
    c.index[inner]++; /* the first of the row to check */
    c.sum[n->depth] += n->level[inner].coefficient;
    for (unsigned rows = 1;; rows++) {
        x->work++;
        if (!run_row(x, n, &c) || (!(rows & 0xffff) && search_late(x)) || !affine_next_row(&c) ||
            search_value(x, n, n->known) != affine_address(&c))
            return;
    }
}

bool search_offer(search *x, search_node *n)
{
    n->known++;
    search_run_on(x, n);
    if (!search_is_new(x, n)) {
        search_node_free(x, n);
        return false;
    }
    if (n->known == search_reach(x, n) && n->known < x->count) { /* turn round, towards the stream's begin */
        if (!search_close_all(x, n) || !search_flip(n)) {
            search_node_free(x, n);
            return false;
        }
        search_run_on(x, n);
    }
    x->reached = n->known > x->reached ? n->known : x->reached;
    if (n->known == x->count)
        return search_keep_best(x, n);
    if (!n->back && n->origin == 0 && (!x->best || n->known > x->best->known))
        search_keep_best(x, search_node_copy(x, n));
    search_queue_push(x, n);
    return false;
}
