/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_growth.h"

#include <string.h>

#include "tools/lib/affine/search_faces.h"

/* Makes room for index p among the `outer` outer indices of a level: it is 0. */
static void insert_index(int64_t *index, unsigned p, unsigned outer)
{
    memmove(index + p + 1, index + p, (outer - p) * sizeof *index);
    index[p] = 0;
}

/* Inserts a level without bounds at place p, at index 0. A copy of a node has room for it. */
static void insert_level(search_node *n, unsigned p)
{
    for (unsigned l = n->depth; l > p; l--)
        search_level_copy(&n->level[l], &n->level[l - 1]);
    search_examples spare[2];
    memcpy(spare, n->side[n->depth], sizeof spare);
    memmove(n->side + p + 1, n->side + p, (n->depth - p) * sizeof *n->side);
    memmove(n->index + p + 1, n->index + p, (n->depth - p) * sizeof *n->index);
    n->depth++;
    n->level[p].coefficient = 0;
    n->level[p].lowers = n->level[p].uppers = 0;
    memcpy(n->side[p], spare, sizeof spare);
    n->side[p][UPPER].count = n->side[p][LOWER].count = 0;
    n->index[p] = 0;
    for (unsigned l = p + 1; l < n->depth; l++) {
        for (unsigned f = 0; f < n->level[l].uppers; f++)
            insert_index(n->level[l].upper[f].slope, p, l - 1);
        for (unsigned f = 0; f < n->level[l].lowers; f++)
            insert_index(n->level[l].lower[f].slope, p, l - 1);
        for (unsigned s = 0; s < 2; s++)
            for (unsigned i = 0; i < n->side[l][s].count; i++)
                insert_index(n->side[l][s].point[i].at, p, l - 1);
    }
}

/* The new level was 0 at every value so far, and is 1 now. */
static bool bound_new_level(search *x, search_node *n, const search_node *old, unsigned p)
{
    n->index[p] = 1;
    if (!memcmp(n->index, search_zeros, p * sizeof *search_zeros))
        return true; /* nothing came before this entry: no end is known */
    return search_example_add(&n->side[p][UPPER], search_zeros, p, 0) &&
           (search_refit(x, n, old, (search_side){p, UPPER, true, SEARCH_FAR_BEYOND}) ||
            search_refit(x, n, old, (search_side){p, UPPER, true, 0}));
}

/* `old` becomes the parent with the new level, which ends at 0 there: n has to agree with it. */
static bool grow_child(search *x, search_node *n, search_node *old, unsigned p)
{
    insert_level(n, p);
    insert_level(old, p);
    old->level[p].uppers = 1; /* constant 0 */
    memset(old->level[p].upper, 0, sizeof *old->level[p].upper);
    old->level[p].upper[0].divisor = 1;
    if (!bound_new_level(x, n, old, p) || !search_start_levels(x, n, old, p + 1, NULL))
        return false;
    affine_wide coefficient = search_value(x, n, n->known) - search_address(n, search_value(x, n, 0), n->index);
    n->level[p].coefficient = (int64_t)coefficient;
    return coefficient == (int64_t)coefficient;
}

bool search_grow(search *x, search_family *f, unsigned p)
{
    const search_node *closed = f->parent->depth < x->options->depth_max ? search_family_closed(x, f, p) : NULL;
    if (!closed)
        return false;
    search_node *n = search_node_copy(x, closed), *old = search_node_copy_bounds(x, f->parent);
    bool grown = grow_child(x, n, old, p);
    search_node_free(x, old);
    if (grown)
        return search_offer(x, n);
    search_node_free(x, n);
    return false;
}
