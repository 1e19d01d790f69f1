/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_node.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/affine/memo.h"
#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

const int64_t search_zeros[AFFINE_DEPTH];

/* Nodes to use again, by their room. */
typedef struct search_spare {
    search_node *node[AFFINE_DEPTH + 2];
    unsigned count[AFFINE_DEPTH + 2];
} search_spare;

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
    search_node *n = x->spare->node[depth + 1];
    if (n) {
        x->spare->node[depth + 1] = n->next;
        x->spare->count[depth + 1]--;
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

search_node *search_node_copy_bounds(search *x, const search_node *from)
{
    search_node *n = get_node(x, from->depth);
    memcpy(n, from, offsetof(search_node, level));
    for (unsigned l = 0; l < n->depth; l++)
        search_level_copy(&n->level[l], &from->level[l]);
    for (unsigned l = 0; l <= n->depth; l++)
        n->side[l][UPPER].count = n->side[l][LOWER].count = 0;
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
    n->next = x->spare->node[n->room];
    x->spare->node[n->room] = n;
    x->spare->count[n->room]++;
}

/* Keeps at most `most` nodes of each room. */
static void shorten(search_spare *spare, unsigned most)
{
    for (unsigned room = 0; room < AFFINE_DEPTH + 2; room++)
        for (; spare->count[room] > most; spare->count[room]--) {
            search_node *n = spare->node[room];
            spare->node[room] = n->next;
            release(n);
        }
}

static void release_spare(void *spare)
{
    shorten(spare, 0);
    free(spare);
}

void search_node_open_spare(search *x)
{
    memo_kept *kept = x->options->memory ? memo_keep(x->options->memory) : NULL;
    x->own_spare = !kept;
    x->spare = kept ? kept->all : NULL;
    if (x->spare)
        return;
    x->spare = memory_zero(1, sizeof *x->spare);
    if (kept)
        *kept = (memo_kept){x->spare, release_spare};
}

void search_node_close_spare(search *x)
{
    if (x->own_spare)
        release_spare(x->spare);
    else
        shorten(x->spare, SEARCH_SPARE);
}

bool search_late(const search *x)
{
    return x->work > x->options->work_max || clock_seconds() > x->options->deadline ||
           (x->options->stop && atomic_load(x->options->stop));
}
