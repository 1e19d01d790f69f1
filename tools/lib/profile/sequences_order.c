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
 * 4. Reading. In this order the windows that begin with a sequence stand side by side, and their counts add up. Of each
 *    window only the paths are kept that the one before does not begin with, so that reading goes straight on. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/profile/sequences.h"
#include "tools/lib/profile/sequences_places.h"
#include "tools/lib/profile/sequences_windows.h"

/* ---- step 2 ---- */

/* A node is a place, a window (with its last path), or one of the ends that fill one up. Places come first, with the
 * numbers that they have. Each step reads an array of its own. */
typedef struct link {
    uint32_t before, path;
} link;

typedef struct known {
    uint32_t rank, far; /* of its last paths, see step 3; the node that many paths before */
} known;

typedef struct item {
    uint64_t key;
    uint32_t node, far;
} item;

typedef struct order {
    const sequences *all;
    const uint32_t *rank; /* of paths */
    link *links;
    known *nodes;
    size_t node_count, links_max, counts_max, lengths_max;
    uint64_t *counts; /* of the window that ends at each node after the places; 0: none does */
    uint8_t *lengths; /* paths in that window, the rest of it are ends */
    item *items, *spare;
    size_t item_count;
    uint64_t ranks;
} order;

static uint32_t add_node(order *o, link node)
{
    if (o->node_count == UINT32_MAX)
        memory_grow(NULL, SIZE_MAX, 2);
    o->links = memory_room(o->links, o->node_count, &o->links_max, sizeof *o->links);
    o->links[o->node_count] = node;
    return (uint32_t)o->node_count++;
}

static uint32_t add_window(order *o, uint32_t before, uint32_t path, unsigned length, uint64_t count)
{
    size_t at = o->node_count - o->all->place_count;
    o->counts = memory_room(o->counts, at, &o->counts_max, sizeof *o->counts);
    o->lengths = memory_room(o->lengths, at, &o->lengths_max, sizeof *o->lengths);
    o->counts[at] = count;
    o->lengths[at] = (uint8_t)length;
    return add_node(o, (link){before, path});
}

/* The windows that begin in the sequence of a place, `length` paths, and are filled up with ends: those of `shortest`
 * paths and more. */
static void add_ends(order *o, uint32_t from, unsigned shortest, unsigned length, uint64_t count)
{
    uint32_t before = from;
    for (unsigned ends = 1; ends <= o->all->k - shortest; ends++) {
        unsigned paths = o->all->k - ends;
        before = add_window(o, before, 0, paths, paths <= length ? count : 0);
    }
}

static void add_windows(order *o)
{
    const sequences *all = o->all;
    uint64_t *ended = memory_zero(all->place_count, sizeof *ended);
    for (uint32_t i = 0; i < all->place_count; i++)
        add_node(o, (link){all->places[i].before, all->places[i].path});
    for (uint32_t i = 1; i < all->edge_count; i++) {
        const edge *e = &all->edges[i];
        ended[e->to] += e->count;
        ended[e->from] -= e->count;
        if (all->places[e->from].length == all->k - 1)
            add_window(o, e->from, e->path, all->k, e->count);
    }
    for (uint32_t i = 1; i < all->place_count; i++)
        if (ended[i])
            add_ends(o, i, 1, all->places[i].length, ended[i]);
    free(ended);
    for (size_t i = 0; i < all->window_count; i++) {
        const window *w = &all->windows[i];
        if (w->length == all->k)
            add_window(o, all->places[w->place].before, all->places[w->place].path, all->k, w->count);
        else
            add_ends(o, w->place, w->length, w->length, w->count);
    }
}

static bool is_end(const order *o, size_t node)
{
    size_t places = o->all->place_count;
    return node < places ? node == ROOT : o->lengths[node - places] < o->all->k;
}

/* ---- step 3 ---- */

/* Many items are sorted by digits of 11 bits, few by digits of 8, whose tables take less time to clear. */
enum { MANY = 1 << 16, BITS = 11, DIGITS = 8 /* of 8 bits in a key */ };

/* Stable, by the bits from shift on; `start` holds how many items have each digit. */
static void sort_by_digit(const item *from, item *to, size_t count, uint32_t *start, uint32_t mask, unsigned shift)
{
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit <= mask; digit++) {
        uint32_t here = start[digit];
        start[digit] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[start[from[i].key >> shift & mask]++] = from[i];
}

static void sort_items(order *o)
{
    unsigned bits = o->item_count < MANY ? 8 : BITS, digits = 0;
    uint32_t mask = (1u << bits) - 1;
    uint64_t used = 0;
    for (size_t i = 0; i < o->item_count; i++)
        used |= o->items[i].key;
    while (digits * bits < 64 && used >> digits * bits)
        digits++;
    uint32_t *start = memory_zero(digits + 1, (mask + 1) * sizeof *start);
    for (size_t i = 0; i < o->item_count; i++)
        for (unsigned d = 0; d < digits; d++)
            start[d * (mask + 1) + (o->items[i].key >> d * bits & mask)]++;
    for (unsigned d = 0; d < digits; d++) {
        sort_by_digit(o->items, o->spare, o->item_count, start + d * (mask + 1), mask, d * bits);
        item *swap = o->items;
        o->items = o->spare;
        o->spare = swap;
    }
    free(start);
}

/* Ranks all nodes by the keys of the items. */
static void rank_nodes(order *o)
{
    uint32_t rank = 0;
    sort_items(o);
    for (size_t i = 0; i < o->item_count; i++) {
        const item *at = &o->items[i];
        rank += i && at->key != at[-1].key;
        o->nodes[at->node] = (known){rank, at->far};
    }
    o->ranks = (uint64_t)rank + 1;
}

/* Gives all nodes their rank by their last path. */
static void rank_paths(order *o)
{
    o->item_count = o->node_count;
    for (size_t i = 0; i < o->node_count; i++) {
        uint32_t path = o->links[i].path;
        uint64_t key = is_end(o, i) ? 0 : 1 + (uint64_t)(o->rank ? o->rank[path] : path);
        o->items[i] = (item){key, (uint32_t)i, o->links[i].before};
    }
    rank_nodes(o);
}

/* From the ranks by the last n paths to those by the last 2n. */
static void rank_doubled(order *o)
{
    for (size_t i = 0; i < o->node_count; i++) {
        known far = o->nodes[o->nodes[i].far];
        o->items[i] = (item){far.rank * o->ranks + o->nodes[i].rank, (uint32_t)i, far.far};
    }
    rank_nodes(o);
}

static uint32_t node_before(const order *o, uint32_t at, unsigned paths)
{
    for (; paths; paths--)
        at = o->links[at].before;
    return at;
}

/* Leaves the windows in order. */
static void sort_windows(order *o)
{
    unsigned k = o->all->k, ranked = 1;
    o->nodes = memory_grow(NULL, o->node_count, sizeof *o->nodes);
    o->items = memory_grow(NULL, o->node_count, sizeof *o->items);
    o->spare = memory_grow(NULL, o->node_count, sizeof *o->spare);
    rank_paths(o);
    for (; 2 * ranked < k; ranked *= 2)
        rank_doubled(o);
    o->item_count = 0;
    for (size_t i = o->all->place_count; i < o->node_count; i++) {
        if (!o->counts[i - o->all->place_count])
            continue;
        uint32_t first = k == 2 * ranked ? o->nodes[i].far : node_before(o, (uint32_t)i, k - ranked);
        uint64_t key = o->nodes[first].rank * o->ranks + o->nodes[i].rank;
        o->items[o->item_count++] = (item){key, (uint32_t)i, 0};
    }
    sort_items(o);
    free(o->spare);
    free(o->nodes);
}

/* ---- step 4 ---- */

/* Windows are looked up side by side, so that the processor waits for several of them at once. */
enum { ABREAST = 16 };

/* The paths of `count` windows, from the i-th on. What stands in place of ends is not a path. */
static void window_paths(const order *o, size_t i, size_t count, uint32_t (*path)[SEQUENCES_MAX])
{
    uint32_t at[ABREAST];
    for (size_t w = 0; w < count; w++)
        at[w] = o->items[i + w].node;
    for (unsigned p = o->all->k; p-- > 0;)
        for (size_t w = 0; w < count; w++) {
            link node = o->links[at[w]];
            path[w][p] = node.path;
            at[w] = node.before;
        }
}

static void keep_windows(const order *o, sorted_windows *to)
{
    uint32_t path[1 + ABREAST][SEQUENCES_MAX]; /* the last one of the block before, then a block */
    unsigned before = 0;
    fresh_paths filled = {0};
    for (size_t i = 0, count; i < o->item_count; i += count) {
        count = o->item_count - i < ABREAST ? o->item_count - i : ABREAST;
        window_paths(o, i, count, path + 1);
        filled = i % WINDOWS_AT_ONCE ? filled : (fresh_paths){0};
        for (size_t w = 0; w < count; w++) {
            size_t at = o->items[i + w].node - o->all->place_count;
            unsigned length = o->lengths[at], same = 0;
            while (same < before && same < length && path[w][same] == path[w + 1][same])
                same++;
            sorted_windows_set(to, &filled, i + w, path[w + 1], length, same);
            to->sums[i + w + 1] = to->sums[i + w] + o->counts[at];
            before = length;
        }
        memcpy(path[0], path[count], sizeof path[0]);
    }
}

static void sort_all(const sequences *all, const uint32_t *rank, sorted_windows *to)
{
    order o = {.all = all, .rank = rank};
    sorted_windows_free(to);
    *to = (sorted_windows){0};
    if (all->stream && all->stream->only) {
        *to = windows_sorted(all->stream, all->k, rank);
        return;
    }
    add_windows(&o);
    sort_windows(&o);
    *to = sorted_windows_new(o.item_count, rank);
    keep_windows(&o, to);
    free(o.links);
    free(o.counts);
    free(o.lengths);
    free(o.items);
}

/* The sequences that window i is the first to begin with. Each is in the windows up to one that shares less. */
static void visit_window(const sorted_windows *w, size_t i, unsigned depth, const uint32_t *path,
                         sequences_visit *visit, void *context)
{
    uint64_t count[SEQUENCES_MAX + 1];
    unsigned first = w->shared[i] + 1u;
    unsigned open = w->length[i] < depth ? w->length[i] : depth, length = open;
    for (size_t end = i + 1; open >= first; end++)
        for (; open >= first && (end == w->count || w->shared[end] < open); open--)
            count[open] = w->sums[end] - w->sums[i];
    if (first <= length)
        visit(context, path, first, length, count);
}

size_t sequences_blocks(sequences *all, const uint32_t *rank)
{
    if (!all->sorted.done || all->sorted.rank != rank)
        sort_all(all, rank, &all->sorted);
    return sorted_windows_blocks(&all->sorted);
}

void sequences_block(const sequences *all, size_t block, unsigned depth, sequences_visit *visit, void *context)
{
    const sorted_windows *w = &all->sorted;
    uint32_t path[SEQUENCES_MAX];
    const uint32_t *fresh = w->fresh[block];
    size_t first = block * WINDOWS_AT_ONCE, end = first + WINDOWS_AT_ONCE;
    for (size_t i = first; i < end && i < w->count; i++) {
        for (unsigned p = i == first ? 0 : w->shared[i]; p < w->length[i]; p++)
            path[p] = *fresh++;
        visit_window(w, i, depth, path, visit, context);
    }
}

typedef struct each {
    kipf_visit *visit;
    void *context;
} each;

static void visit_each(void *context, const uint32_t *path, unsigned first, unsigned length, const uint64_t *count)
{
    const each *e = context;
    for (unsigned n = first; n <= length; n++)
        e->visit(e->context, path, n, count[n]);
}

void sequences_each(sequences *all, unsigned depth, const uint32_t *rank, kipf_visit *visit, void *context)
{
    each e = {visit, context};
    for (size_t block = 0, end = sequences_blocks(all, rank); block < end; block++)
        sequences_block(all, block, depth, visit_each, &e);
}
