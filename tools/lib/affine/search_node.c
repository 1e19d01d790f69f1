/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_node.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

const int64_t search_zeros[AFFINE_DEPTH];

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
    to->count = from->count;
    if (!from->count)
        return;
    to->point = memory_room(to->point, from->count - 1, &to->max, sizeof *to->point);
    memcpy(to->point, from->point, from->count * sizeof *from->point);
}

/* A node with room for these levels and one more. */
static search_node *get_node(search *x, unsigned depth)
{
    search_node *n = x->spare[depth + 1];
    if (n) {
        x->spare[depth + 1] = n->next;
        return n;
    }
    n = memory_zero(1, sizeof *n);
    n->room = depth + 1;
    n->level = memory_grow(NULL, n->room, sizeof *n->level);
    return n;
}

static void release(search_node *n)
{
    for (unsigned l = 0; l < n->room; l++)
        for (unsigned s = 0; s < 2; s++)
            free(n->side[l][s].point);
    free(n->level);
    free(n);
}

search_node *search_node_new(search *x, unsigned depth)
{
    search_node *n = get_node(x, depth);
    memset(n, 0, offsetof(search_node, level));
    memset(n->level, 0, n->room * sizeof *n->level);
    n->depth = depth;
    for (unsigned l = 0; l <= AFFINE_DEPTH; l++)
        n->side[l][UPPER].count = n->side[l][LOWER].count = 0;
    return n;
}

search_node *search_node_copy(search *x, const search_node *from)
{
    search_node *n = get_node(x, from->depth);
    memcpy(n, from, offsetof(search_node, level));
    for (unsigned l = 0; l < n->depth; l++) {
        search_level_copy(&n->level[l], &from->level[l]);
        copy_examples(&n->side[l][UPPER], &from->side[l][UPPER]);
        copy_examples(&n->side[l][LOWER], &from->side[l][LOWER]);
    }
    return n;
}

void search_node_free(search *x, search_node *n)
{
    if (!n)
        return;
    if (!n->level) { /* the nest has them */
        release(n);
        return;
    }
    n->next = x->spare[n->room];
    x->spare[n->room] = n;
}

void search_node_free_spare(search *x)
{
    for (unsigned room = 0; room < AFFINE_DEPTH + 2; room++)
        for (search_node *n = x->spare[room], *next; n; n = next) {
            next = n->next;
            release(n);
        }
}

bool search_late(const search *x)
{
    return x->work > x->options->work_max || clock_seconds() > x->options->deadline ||
           (x->options->stop && atomic_load(x->options->stop));
}
