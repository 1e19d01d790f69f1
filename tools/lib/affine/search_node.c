/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_node.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

const int64_t search_zeros[AFFINE_DEPTH];

void search_node_free(search_node *n)
{
    if (!n)
        return;
    for (unsigned l = 0; l < n->depth; l++) {
        free(n->side[l][UPPER].point);
        free(n->side[l][LOWER].point);
    }
    free(n->level);
    free(n);
}

/* Only the faces that are set: copying nodes is what the search does most. */
void search_level_copy(affine_level *to, const affine_level *from)
{
    to->coefficient = from->coefficient;
    to->lowers = from->lowers;
    to->uppers = from->uppers;
    memcpy(to->lower, from->lower, from->lowers * sizeof *to->lower);
    memcpy(to->upper, from->upper, from->uppers * sizeof *to->upper);
}

static void copy_examples(search_examples *to, const search_examples *from)
{
    to->count = to->max = from->count;
    to->point = NULL;
    if (!from->count)
        return;
    to->point = memory_grow(NULL, from->count, sizeof *to->point);
    memcpy(to->point, from->point, from->count * sizeof *to->point);
}

search_node *search_node_copy(const search_node *from)
{
    search_node *n = memory_grow(NULL, 1, sizeof *n);
    memcpy(n, from, offsetof(search_node, side));
    n->level = memory_grow(NULL, from->depth + 1, sizeof *n->level);
    for (unsigned l = 0; l < n->depth; l++)
        search_level_copy(&n->level[l], &from->level[l]);
    for (unsigned l = 0; l < n->depth; l++)
        for (unsigned s = 0; s < 2; s++)
            copy_examples(&n->side[l][s], &from->side[l][s]);
    return n;
}

bool search_late(const search *x)
{
    return x->work > x->options->work_max || clock_seconds() > x->options->deadline ||
           (x->options->stop && atomic_load(x->options->stop));
}
