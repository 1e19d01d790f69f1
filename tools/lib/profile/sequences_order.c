/* SPDX-License-Identifier: MIT */
/* What was counted (step 1, sequences.c), in the order of the sequences.
 *
 * 2. Windows. A sequence occurs wherever a window of k paths begins with it. The edges from places of k - 1 paths are
 *    the windows; those at an activation's end are filled up with ends, which stand before all paths:
 *
 *        (1 2 3) (2 3 2) (3 2 3) (2 3 $) (3 $ $)
 *
 *    More steps lead to a place than away from it: the difference is the activations that ended there.
 * 3. Order. Windows are ranked by their last 1, 2, 4, ... paths, and so by all k of them: a sequence of 2n is the pair
 *    of its halves (prefix doubling: Manber and Myers, "Suffix arrays", 1993).
 * 4. Reading. In this order the windows that begin with a sequence stand side by side, and their counts add up. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/profile/sequences.h"
#include "tools/lib/profile/sequences_places.h"

/* ---- step 2 ---- */

/* A place, or the last path of a window, or one of the ends that fill one up. */
typedef struct node {
    uint64_t count; /* of the window that ends here; 0: none does */
    uint32_t before, path;
    uint32_t rank, far; /* of its last paths, see step 3; the node that many paths before */
    uint8_t length;     /* paths in the window, the rest of it are ends */
    bool end;
} node;

typedef struct item {
    uint64_t key;
    uint32_t node;
} item;

typedef struct order {
    const sequences *all;
    const uint32_t *rank; /* of paths */
    node *nodes;
    size_t node_count, nodes_max;
    item *items, *spare;
    size_t item_count;
    uint64_t *sums;  /* of the counts of the windows before each, in order */
    uint8_t *shared; /* paths and ends that a window begins with as the one before does */
} order;

static uint32_t add_node(order *o, node n)
{
    if (o->node_count == UINT32_MAX)
        memory_grow(NULL, SIZE_MAX, 2);
    o->nodes = memory_room(o->nodes, o->node_count, &o->nodes_max, sizeof *o->nodes);
    o->nodes[o->node_count] = n;
    return (uint32_t)o->node_count++;
}

/* The windows that begin in the sequence of a place, `length` paths, and are filled up with ends: those of `shortest`
 * paths and more. */
static void add_ends(order *o, uint32_t from, unsigned shortest, unsigned length, uint64_t count)
{
    uint32_t before = from;
    for (unsigned ends = 1; ends <= o->all->k - shortest; ends++) {
        unsigned paths = o->all->k - ends;
        node n = {.before = before, .end = true, .length = (uint8_t)paths};
        n.count = paths <= length ? count : 0;
        before = add_node(o, n);
    }
}

static void add_windows(order *o)
{
    const sequences *all = o->all;
    uint64_t *ended = memory_zero(all->place_count, sizeof *ended);
    for (uint32_t i = 0; i < all->place_count; i++)
        add_node(o, (node){.before = all->places[i].before, .path = all->places[i].path, .end = i == ROOT});
    for (uint32_t i = 1; i < all->edge_count; i++) {
        const edge *e = &all->edges[i];
        ended[e->to] += e->count;
        ended[e->from] -= e->count;
        if (all->places[e->from].length == all->k - 1)
            add_node(o, (node){.count = e->count, .before = e->from, .path = e->path, .length = (uint8_t)all->k});
    }
    for (uint32_t i = 1; i < all->place_count; i++)
        if (ended[i])
            add_ends(o, i, 1, all->places[i].length, ended[i]);
    free(ended);
    for (size_t i = 0; i < all->window_count; i++) {
        const window *w = &all->windows[i];
        if (w->length == all->k)
            add_node(o, (node){.count = w->count,
                               .before = all->places[w->place].before,
                               .path = all->places[w->place].path,
                               .length = (uint8_t)all->k});
        else
            add_ends(o, w->place, w->length, w->length, w->count);
    }
}

/* ---- step 3 ---- */

/* Stable, by bits shift .. shift + 7. */
static void sort_by_digit(const item *from, item *to, size_t count, const size_t *digits, unsigned shift)
{
    size_t start[256], sum = 0;
    for (unsigned digit = 0; digit < 256; digit++) {
        start[digit] = sum;
        sum += digits[digit];
    }
    for (size_t i = 0; i < count; i++)
        to[start[from[i].key >> shift & 0xff]++] = from[i];
}

static void sort_items(order *o)
{
    size_t digits[8][256] = {{0}};
    for (size_t i = 0; i < o->item_count; i++)
        for (unsigned d = 0; d < 8; d++)
            digits[d][o->items[i].key >> 8 * d & 0xff]++;
    for (unsigned d = 0; d < 8 && o->item_count; d++) {
        if (digits[d][o->items[0].key >> 8 * d & 0xff] == o->item_count)
            continue;
        sort_by_digit(o->items, o->spare, o->item_count, digits[d], 8 * d);
        item *swap = o->items;
        o->items = o->spare;
        o->spare = swap;
    }
}

/* Ranks all nodes by the keys of the items. */
static void rank_nodes(order *o)
{
    uint32_t rank = 0;
    sort_items(o);
    for (size_t i = 0; i < o->item_count; i++) {
        rank += i && o->items[i].key != o->items[i - 1].key;
        o->nodes[o->items[i].node].rank = rank;
    }
}

/* Gives all nodes their rank by their last path. */
static void rank_paths(order *o)
{
    o->item_count = o->node_count;
    for (size_t i = 0; i < o->node_count; i++) {
        node *n = &o->nodes[i];
        uint64_t key = n->end ? 0 : 1 + (uint64_t)(o->rank ? o->rank[n->path] : n->path);
        n->far = n->before;
        o->items[i] = (item){key, (uint32_t)i};
    }
    rank_nodes(o);
}

/* From the ranks by the last n paths to those by the last 2n. */
static void rank_doubled(order *o)
{
    for (size_t i = 0; i < o->node_count; i++)
        o->items[i] = (item){(uint64_t)o->nodes[o->nodes[i].far].rank << 32 | o->nodes[i].rank, (uint32_t)i};
    uint32_t *far = memory_grow(NULL, o->node_count, sizeof *far);
    for (size_t i = 0; i < o->node_count; i++)
        far[i] = o->nodes[o->nodes[i].far].far;
    for (size_t i = 0; i < o->node_count; i++)
        o->nodes[i].far = far[i];
    free(far);
    rank_nodes(o);
}

static uint32_t node_before(const order *o, uint32_t at, unsigned paths)
{
    for (; paths; paths--)
        at = o->nodes[at].before;
    return at;
}

/* Leaves the windows in order. */
static void sort_windows(order *o)
{
    unsigned k = o->all->k, known = 1;
    o->items = memory_grow(NULL, o->node_count, sizeof *o->items);
    o->spare = memory_grow(NULL, o->node_count, sizeof *o->spare);
    rank_paths(o);
    for (; 2 * known <= k; known *= 2)
        rank_doubled(o);
    o->item_count = 0;
    for (size_t i = 0; i < o->node_count; i++) {
        const node *n = &o->nodes[i];
        if (!n->count)
            continue;
        uint64_t first = o->nodes[node_before(o, (uint32_t)i, k - known)].rank;
        o->items[o->item_count++] = (item){first << 32 | n->rank, (uint32_t)i};
    }
    sort_items(o);
    free(o->spare);
    o->spare = NULL;
}

/* ---- step 4 ---- */

/* The window's paths; of its ends only the number is known. */
static unsigned window_paths(const order *o, size_t i, uint32_t *path)
{
    uint32_t at = o->items[i].node;
    unsigned length = o->nodes[at].length;
    at = node_before(o, at, o->all->k - length);
    for (unsigned p = length; p-- > 0; at = o->nodes[at].before)
        path[p] = o->nodes[at].path;
    return length;
}

static void compare_neighbours(order *o)
{
    uint32_t path[2][SEQUENCES_MAX];
    unsigned length[2] = {0, 0};
    o->sums = memory_zero(o->item_count + 1, sizeof *o->sums);
    o->shared = memory_zero(o->item_count + 1, 1);
    for (size_t i = 0; i < o->item_count; i++) {
        unsigned now = i & 1, same = 0;
        o->sums[i + 1] = o->sums[i] + o->nodes[o->items[i].node].count;
        length[now] = window_paths(o, i, path[now]);
        while (same < length[0] && same < length[1] && path[0][same] == path[1][same])
            same++;
        o->shared[i] = (uint8_t)(i ? same : 0);
    }
}

/* The sequences that window i is the first to begin with. Each is in the windows up to one that shares less. */
static void visit_window(const order *o, size_t i, unsigned depth, kipf_visit *visit, void *context)
{
    uint32_t path[SEQUENCES_MAX];
    uint64_t count[SEQUENCES_MAX + 1];
    unsigned first = o->shared[i] + 1u, length = window_paths(o, i, path);
    unsigned open = length < depth ? length : depth;
    length = open;
    for (size_t end = i + 1; open >= first; end++)
        for (; open >= first && (end == o->item_count || o->shared[end] < open); open--)
            count[open] = o->sums[end] - o->sums[i];
    for (unsigned n = first; n <= length; n++)
        visit(context, path, n, count[n]);
}

void sequences_each(sequences *all, unsigned depth, const uint32_t *rank, kipf_visit *visit, void *context)
{
    order o = {.all = all, .rank = rank};
    add_windows(&o);
    sort_windows(&o);
    compare_neighbours(&o);
    for (size_t i = 0; i < o.item_count; i++)
        visit_window(&o, i, depth, visit, context);
    free(o.nodes);
    free(o.items);
    free(o.sums);
    free(o.shared);
}
