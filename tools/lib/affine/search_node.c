/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_node.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

const int64_t search_zeros[AFFINE_DEPTH];

static void *copy_of(const void *from, size_t size)
{
    void *to = memory_grow(NULL, size, 1);
    if (size)
        memcpy(to, from, size);
    return to;
}

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

/* Copies only the faces that are set: copying nodes is what the search does most. */
static void copy_level(affine_level *to, const affine_level *from)
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
    to->point = copy_of(from->point, from->count * sizeof *from->point);
}

search_node *search_node_copy(const search_node *from)
{
    search_node *n = copy_of(from, sizeof *from);
    n->level = memory_grow(NULL, from->depth, sizeof *n->level);
    for (unsigned l = 0; l < n->depth; l++)
        copy_level(&n->level[l], &from->level[l]);
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
