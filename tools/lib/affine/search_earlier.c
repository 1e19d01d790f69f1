/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_earlier.h"

#include <string.h>

#include "tools/lib/affine/search_faces.h"
#include "tools/lib/affine/search_growth.h"

enum { TRIED_MAX = 13 }; /* places : 4 to 100 : goes back to more of them; more nodes per expansion */

/* ---- going back ---- */

/* Drops the examples of what came after n->index, level l being the one that goes back. True: there were some. */
static bool forget(search_node *n, unsigned l, unsigned r, unsigned side)
{
    search_examples *e = &n->side[r][side];
    unsigned kept = 0, before = e->count;
    for (unsigned i = 0; i < before; i++) {
        int order = search_order(n, e->point[i].at, r);
        if (order < 0 || (order == 0 && (side == LOWER || r > l)))
            e->point[kept++] = e->point[i];
    }
    e->count = kept;
    return kept < before;
}

/* The number of values of n after `index`. UINT64_MAX: too many to count. */
static uint64_t points_after(search *x, const search_node *n, const int64_t *index)
{
    affine_cursor c;
    unsigned inner = n->depth - 1;
    uint64_t points = 0;
    affine_seek(&c, n->level, n->depth, 0, index);
    c.patience = SEARCH_PATIENCE;
    for (unsigned rows = 1; memcmp(c.index, n->index, inner * sizeof *c.index); rows++) {
        points += affine_left(&c, inner);
        points++;
        x->work++;
        if (points > n->known || rows > SEARCH_REWIND || (!(rows & 0xfff) && search_late(x)) || !affine_next_row(&c))
            return UINT64_MAX;
    }
    return points + (uint64_t)(n->index[inner] - c.index[inner]);
}

/* n as it was when level l had just ended its iteration m - 1, its present outer indices being the same. NULL: none. */
static search_node *rewound(search *x, const search_node *n, unsigned l, int64_t m)
{
    int64_t index[AFFINE_DEPTH];
    memcpy(index, n->index, sizeof index);
    index[l] = m - 1;
    for (unsigned r = l + 1; r < n->depth; r++) {
        index[r] = affine_upper(&n->level[r], index, r);
        if (index[r] < affine_lower(&n->level[r], index, r) || index[r] >= AFFINE_ENDLESS)
            return NULL;
    }
    uint64_t after = points_after(x, n, index);
    if (after >= n->known)
        return NULL;
    search_node *back = search_node_copy(x, n);
    memcpy(back->index, index, sizeof index);
    back->known -= after;
    search_node *old = search_node_copy_bounds(x, back);
    bool right = true;
    for (unsigned r = 0; r < back->depth && right; r++)
        for (unsigned s = 0; s < 2 && right; s++)
            if (forget(back, l, r, s))
                right = search_refit(x, back, old, (search_side){r, s, false, 0});
    search_node_free(x, old);
    if (right)
        return back;
    search_node_free(x, back);
    return NULL;
}

static bool try_earlier_at(search *x, const search_node *n, unsigned l, int64_t m)
{
    search_node *back = rewound(x, n, l, m);
    if (!back)
        return false;
    search_family f = {.parent = back};
    bool solved = search_grow(x, &f, l);
    search_family_free(x, &f);
    search_node_free(x, back);
    return solved;
}

/* ---- where to ---- */

/* The iteration of level l that the next value would belong to, inner levels being at their lower bounds. -1: none so
 * far. */
static int64_t target_of(const search *x, const search_node *n, unsigned l)
{
    int64_t index[AFFINE_DEPTH], c = n->level[l].coefficient;
    memcpy(index, n->index, sizeof index);
    index[l] = 0;
    search_reset(n->level, n->depth, index, l + 1, NULL);
    affine_wide off = search_value(x, n, n->known) - search_address(n, search_value(x, n, 0), index);
    affine_wide m = c ? off / c : -1;
    return m < 0 || m > n->index[l] ? -1 : (int64_t)m;
}

/* Which faces of level r hold at these outer indices. */
static unsigned face_at(const affine_level *level, const int64_t *index, unsigned r)
{
    int64_t upper = affine_upper(level, index, r), lower = affine_lower(level, index, r);
    unsigned f = 0, g = 0;
    while (f < level->uppers && affine_floor(&level->upper[f], index, r) > upper)
        f++;
    while (g < level->lowers && affine_ceil(&level->lower[g], index, r) < lower)
        g++;
    return f * AFFINE_FACES + g;
}

/* The first iteration of level l in which other faces bound level r. -1: none. */
static int64_t kink_of(const search_node *n, unsigned l, unsigned r)
{
    int64_t index[AFFINE_DEPTH];
    unsigned first = 0;
    memcpy(index, n->index, sizeof index);
    for (int64_t m = 0; m <= n->index[l] && m < SEARCH_KINK; m++) {
        index[l] = m;
        search_reset(n->level, r, index, l + 1, NULL);
        unsigned face = face_at(&n->level[r], index, r);
        if (m && face != first)
            return m;
        first = face;
    }
    return -1;
}

/* An iteration, and its neighbours. */
static void add_around(int64_t *tried, unsigned *count, int64_t m)
{
    for (int64_t d = -1; d <= 1; d++)
        tried[(*count)++] = m < 0 ? -1 : m + d;
}

bool search_earlier_end(search *x, const search_node *n, unsigned l)
{
    int64_t tried[TRIED_MAX];
    unsigned count = 0;
    tried[count++] = n->index[l];
    add_around(tried, &count, target_of(x, n, l));
    for (unsigned r = l + 1; r < n->depth && count + 3 <= TRIED_MAX && !x->options->single; r++)
        add_around(tried, &count, kink_of(n, l, r));
    for (unsigned i = 0; i < count; i++) {
        bool again = tried[i] < 1 || tried[i] > n->index[l];
        for (unsigned j = 0; j < i; j++)
            again = again || tried[j] == tried[i];
        if (!again && try_earlier_at(x, n, l, tried[i]))
            return true;
    }
    return false;
}
