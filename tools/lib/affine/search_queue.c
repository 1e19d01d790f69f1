/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/search_queue.h"

#include <math.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"

/* ---- fitness ---- */

/* Faces beyond the one on each side that any level has. */
static unsigned face_count(const search_node *n)
{
    unsigned faces = 0;
    for (unsigned l = 0; l < n->depth; l++) {
        faces += n->level[l].lowers > 1 ? n->level[l].lowers - 1 : 0;
        faces += n->level[l].uppers > 1 ? n->level[l].uppers - 1 : 0;
    }
    return faces;
}

/* The fitness is the logarithm of k / C^D: k values explained by D levels. Breadth first, any lower depth is better. */
static void rate(const search *x, search_node *n)
{
    double size = n->depth + x->options->face_cost * face_count(n);
    n->waited = 0;
    n->stage = STAGE_MOVES;
    n->fitness = log((double)n->known) - size * log(x->options->growth);
    if (x->options->single)
        n->fitness = -100.0 * n->depth + log((double)n->known);
}

/* ---- the heap ---- */

static bool before(const search_node *a, const search_node *b)
{
    return a->fitness > b->fitness;
}

static void heap_up(search *x, unsigned at)
{
    for (; at && before(x->heap[at], x->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        search_node *n = x->heap[at];
        x->heap[at] = x->heap[(at - 1) / 2];
        x->heap[(at - 1) / 2] = n;
    }
}

static search_node *heap_pop(search *x)
{
    search_node *top = x->heap[0];
    search_node *last = x->heap[--x->nodes];
    unsigned at = 0;
    for (;;) {
        unsigned child = 2 * at + 1;
        if (child >= x->nodes)
            break;
        if (child + 1 < x->nodes && before(x->heap[child + 1], x->heap[child]))
            child++;
        if (!before(x->heap[child], last))
            break;
        x->heap[at] = x->heap[child];
        at = child;
    }
    x->heap[at] = last;
    return top;
}

static int by_fitness(const void *a, const void *b)
{
    const search_node *left = *(search_node *const *)a, *right = *(search_node *const *)b;
    return left->fitness > right->fitness ? -1 : left->fitness < right->fitness;
}

static void heap_push(search *x, search_node *n)
{
    if (x->nodes == x->options->nodes_max) { /* the worse half goes; a sorted array is a heap */
        qsort(x->heap, x->nodes, sizeof *x->heap, by_fitness);
        while (x->nodes > x->options->nodes_max / 2)
            search_node_free(x, x->heap[--x->nodes]);
    }
    x->heap[x->nodes++] = n;
    heap_up(x, x->nodes - 1);
}

void search_queue_push(search *x, search_node *n)
{
    rate(x, n);
    heap_push(x, n);
}

/* ---- nodes met before ---- */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const int64_t *word = bytes;
    for (; size >= 8; size -= 8, word++) {
        hash = (hash ^ (uint64_t)*word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static uint64_t hash_node(const search_node *n)
{
    uint64_t hash = (n->origin * 2 + n->back) * 0x9e3779b97f4a7c15u + n->known * 31 + n->depth;
    hash = hash_bytes(hash, n->index, n->depth * sizeof *n->index);
    for (unsigned l = 0; l < n->depth; l++) {
        const affine_level *level = &n->level[l];
        hash = hash_bytes(hash, &level->coefficient, sizeof level->coefficient);
        hash = hash * 31 + level->uppers * 16 + level->lowers;
        hash = hash_bytes(hash, level->upper, level->uppers * sizeof *level->upper);
        hash = hash_bytes(hash, level->lower, level->lowers * sizeof *level->lower);
    }
    return hash ? hash : 1;
}

/* The slot of the hash, or the free one where it belongs. */
static unsigned slot_of(const search *x, uint64_t hash)
{
    unsigned slot = hash & (x->seen_size - 1);
    while (x->seen[slot] && x->seen[slot] != hash)
        slot = (slot + 1) & (x->seen_size - 1);
    return slot;
}

static void grow_seen(search *x)
{
    uint64_t *old = x->seen;
    unsigned size = x->seen_size;
    x->seen_size = size ? 2 * size : 256;
    x->seen = memory_zero(x->seen_size, sizeof *x->seen);
    for (unsigned i = 0; i < size; i++)
        if (old[i])
            x->seen[slot_of(x, old[i])] = old[i];
    free(old);
}

bool search_is_new(search *x, const search_node *n)
{
    uint64_t hash = hash_node(n);
    if (2 * x->seen_count >= x->seen_size)
        grow_seen(x);
    unsigned slot = slot_of(x, hash);
    if (x->seen[slot])
        return false;
    x->seen[slot] = hash;
    x->seen_count++;
    return true;
}

/* ---- turns ---- */

/* The visits of nodes like n. */
static unsigned *visits_of(search *x, const search_node *n)
{
    search_visits *v = &x->visits[((n->known * 31 + n->depth) * 3 + n->stage) % SEARCH_VISITS];
    if (v->known != n->known || v->depth != n->depth || v->stage != n->stage)
        *v = (search_visits){.known = n->known, .depth = n->depth, .stage = n->stage};
    return &v->times;
}

search_node *search_queue_pop(search *x)
{
    for (;;) {
        search_node *n = heap_pop(x);
        unsigned *times = visits_of(x, n);
        if (*times <= n->waited || x->options->single) {
            ++*times;
            return n;
        }
        n->fitness -= SEARCH_DEFERRED * (*times - n->waited);
        n->waited = *times;
        x->heap[x->nodes++] = n;
        heap_up(x, x->nodes - 1);
    }
}

void search_queue_defer(search *x, search_node *n)
{
    double cost = x->options->single ? 100 : log(x->options->growth);
    if (n->stage == STAGE_LAST || n->depth == x->options->depth_max) {
        search_node_free(x, n);
        return;
    }
    n->fitness += SEARCH_DEFERRED * n->waited - cost / 2;
    n->waited = 0;
    n->stage++;
    heap_push(x, n);
}
