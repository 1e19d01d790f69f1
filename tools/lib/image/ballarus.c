/* SPDX-License-Identifier: MIT */
/* Steps:
 *   1. index the edges by their source
 *   2. depth-first search over the uncut edges, from ENTRY and the start blocks: cuts back edges, gives the order
 *   3. count ways in that order; where a block exceeds the cap, cut its edges; lower the cap until the total fits
 *   4. values: prefix sums of ways
 *   5. a maximal spanning tree, and from it the increments of the chords
 */
#include "tools/lib/image/ballarus.h"

#include <stdlib.h>
#include <string.h>

/* Targets of cut edges are start blocks. */
static void mark_starts(ballarus *g)
{
    for (uint32_t i = 0; i < g->edge_count; i++)
        if (g->edge[i].cut)
            g->start[g->edge[i].to] = true;
}

/* Step 1: counting sort; list order is kept. */
static void index_edges(ballarus *g)
{
    for (uint32_t i = 0; i < g->edge_count; i++) {
        uint32_t from = g->edge[i].from == BALLARUS_ENTRY ? g->block_count : g->edge[i].from;
        g->first[from + 1]++;
    }
    for (uint32_t b = 0; b <= g->block_count; b++)
        g->first[b + 1] += g->first[b];
    for (uint32_t i = g->edge_count; i-- > 0;) {
        uint32_t from = g->edge[i].from == BALLARUS_ENTRY ? g->block_count : g->edge[i].from;
        g->out[--g->first[from + 1]] = i;
    }
    /* Each first[from + 1] has come down to the start of `from`: shift back. */
    memmove(g->first, g->first + 1, (g->block_count + 1) * sizeof *g->first);
    g->first[g->block_count + 1] = g->edge_count;
}

enum { WHITE, GREY, BLACK };

/* What the depth-first search keeps: a stack of blocks, each with its next edge to follow. */
typedef struct search {
    uint8_t *colour;
    uint32_t *stack, *next;
    uint32_t depth;
} search;

static void search_push(search *s, const ballarus *g, uint32_t block)
{
    s->colour[block] = GREY;
    s->next[block] = g->first[block];
    s->stack[s->depth++] = block;
}

static void search_from(search *s, ballarus *g, uint32_t root)
{
    if (s->colour[root] != WHITE)
        return;
    search_push(s, g, root);
    while (s->depth > 0) {
        uint32_t block = s->stack[s->depth - 1];
        if (s->next[block] == g->first[block + 1]) {
            s->colour[block] = BLACK;
            if (block != g->block_count)
                g->order[g->order_count++] = block;
            s->depth--;
            continue;
        }
        ballarus_edge *edge = &g->edge[g->out[s->next[block]++]];
        if (edge->to == BALLARUS_EXIT || edge->cut)
            continue;
        if (s->colour[edge->to] == GREY)
            edge->cut = true;
        else if (s->colour[edge->to] == WHITE)
            search_push(s, g, edge->to);
    }
}

/* Step 2. Blocks come out in postorder: after all that they lead to. The block number block_count is ENTRY. */
static bool find_order(ballarus *g)
{
    size_t n = (size_t)g->block_count + 1;
    search s = {calloc(n, 1), malloc(n * sizeof *s.stack), malloc(n * sizeof *s.next), 0};
    bool enough = s.colour && s.stack && s.next;
    g->order_count = 0;
    if (enough) {
        search_from(&s, g, g->block_count);
        /* An edge that is cut on the way leads to a block being visited: no root is missed. */
        for (uint32_t b = 0; b < g->block_count; b++)
            if (g->start[b])
                search_from(&s, g, b);
        mark_starts(g);
        for (uint32_t b = 0; b < g->block_count; b++)
            g->reached[b] = s.colour[b] == BLACK;
    }
    free(s.colour);
    free(s.stack);
    free(s.next);
    return enough;
}

static uint64_t edge_ways(const ballarus *g, const ballarus_edge *edge)
{
    return edge->to == BALLARUS_EXIT || edge->cut ? 1 : g->ways[edge->to];
}

static uint64_t sum_ways(const ballarus *g, uint32_t block)
{
    uint64_t sum = 0;
    for (uint32_t i = g->first[block]; i < g->first[block + 1]; i++)
        sum += edge_ways(g, &g->edge[g->out[i]]);
    return sum;
}

static bool cut_all(ballarus *g, uint32_t block)
{
    bool any = false;
    for (uint32_t i = g->first[block]; i < g->first[block + 1]; i++) {
        ballarus_edge *edge = &g->edge[g->out[i]];
        if (edge->to != BALLARUS_EXIT && !edge->cut) {
            edge->cut = true;
            g->start[edge->to] = true;
            any = true;
        }
    }
    return any;
}

static uint64_t cap_ways(ballarus *g, uint32_t block, uint64_t cap)
{
    uint64_t sum = sum_ways(g, block);
    if (sum > cap && cut_all(g, block))
        sum = sum_ways(g, block);
    return sum;
}

/* Total paths when no block may have more than `cap` ways. Sums stay below 2^64: each term is at most cap or an
 * out-degree, both below 2^32. */
static uint64_t count_ways(ballarus *g, uint64_t cap)
{
    for (uint32_t i = 0; i < g->order_count; i++) {
        uint32_t b = g->order[i];
        uint64_t sum = cap_ways(g, b, cap);
        g->ways[b] = sum ? sum : 1;
    }
    uint64_t total = cap_ways(g, g->block_count, cap);
    for (uint32_t b = 0; b < g->block_count; b++)
        if (g->start[b] && g->reached[b])
            total += g->ways[b];
    return total;
}

/* Step 3. What a high cap has cut would be cut under a lower one too, nearly; starting afresh from the given cuts
 * keeps the result independent of the caps tried before. */
static bool count_paths(ballarus *g, uint64_t limit)
{
    uint64_t cap = limit < UINT32_MAX ? limit : UINT32_MAX;
    bool *cut = malloc(g->edge_count + 1), *start = malloc(g->block_count + 1);
    bool enough = cut && start;
    if (enough) {
        for (uint32_t i = 0; i < g->edge_count; i++)
            cut[i] = g->edge[i].cut;
        memcpy(start, g->start, g->block_count);
        while (g->count = count_ways(g, cap), g->count > limit && cap > 1) {
            cap = cap > 16 ? cap / 4 : cap - 1;
            for (uint32_t i = 0; i < g->edge_count; i++)
                g->edge[i].cut = cut[i];
            memcpy(g->start, start, g->block_count);
        }
    }
    free(cut);
    free(start);
    return enough && g->count <= UINT32_MAX;
}

/* Step 4. */
static void set_values(ballarus *g)
{
    uint64_t value = 0;
    for (uint32_t b = 0; b <= g->block_count; b++) {
        value = 0;
        for (uint32_t i = g->first[b]; i < g->first[b + 1]; i++) {
            ballarus_edge *edge = &g->edge[g->out[i]];
            edge->value = (uint32_t)value;
            value += b == g->block_count || g->reached[b] ? edge_ways(g, edge) : 0;
        }
    }
    for (uint32_t b = 0; b < g->block_count; b++) {
        g->start[b] = g->start[b] && g->reached[b];
        g->start_value[b] = (uint32_t)value;
        if (g->start[b])
            value += g->ways[b];
    }
    if (g->count == 0)
        g->count = 1; /* a graph without any edge out of ENTRY: the numbers need a range */
}

/* An edge of the undirected graph whose spanning tree is sought. Nodes: blocks, then one node for ENTRY and EXIT,
 * which the edge EXIT -> ENTRY, always in the tree, joins. */
typedef struct tree_edge {
    uint32_t from, to, value;
    uint32_t index; /* of the edge */
    uint64_t weight;
} tree_edge;

static int by_weight(const void *a, const void *b)
{
    const tree_edge *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Union-find where each node knows its potential relative to its parent: potential(to) = potential(from) + value
 * on tree edges. */
typedef struct forest {
    uint32_t *parent, *offset;
} forest;

static uint32_t forest_root(forest *f, uint32_t node, uint32_t *offset)
{
    uint32_t root = node, sum = 0;
    while (f->parent[root] != root) {
        sum += f->offset[root];
        root = f->parent[root];
    }
    *offset = sum;
    while (f->parent[node] != root && node != root) { /* path compression */
        uint32_t next = f->parent[node], step = f->offset[node];
        f->parent[node] = root;
        f->offset[node] = sum;
        sum -= step;
        node = next;
    }
    return root;
}

static void forest_join(forest *f, const tree_edge *e)
{
    uint32_t from_offset, to_offset;
    uint32_t from = forest_root(f, e->from, &from_offset), to = forest_root(f, e->to, &to_offset);
    if (from == to)
        return;
    f->parent[to] = from;
    f->offset[to] = from_offset + e->value - to_offset;
}

static uint32_t forest_potential(forest *f, uint32_t node, uint32_t hub)
{
    uint32_t a, b;
    forest_root(f, hub, &a);
    forest_root(f, node, &b);
    return b - a;
}

/* Edges that end a path come last: their increments fold into the constant that is recorded, for nothing. */
static uint32_t list_tree_edges(const ballarus *g, tree_edge *list)
{
    uint32_t count = 0, hub = g->block_count;
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const ballarus_edge *e = &g->edge[i];
        bool ends = e->cut || e->to == BALLARUS_EXIT;
        if (e->from != BALLARUS_ENTRY && !g->reached[e->from])
            continue;
        list[count++] = (tree_edge){e->from == BALLARUS_ENTRY ? hub : e->from, ends ? hub : e->to, e->value, i,
                                    ends ? 0 : (uint64_t)e->weight + 2};
    }
    for (uint32_t b = 0; b < g->block_count; b++)
        if (g->start[b])
            list[count++] = (tree_edge){hub, b, g->start_value[b], g->edge_count + b, 1};
    return count;
}

/* Step 5: inc(v, w) = value + potential(v) - potential(w), which is 0 on the tree, and telescopes along a path from
 * the hub to the hub. */
static bool set_increments(ballarus *g)
{
    size_t nodes = (size_t)g->block_count + 1;
    uint32_t hub = g->block_count;
    tree_edge *list = malloc((g->edge_count + nodes) * sizeof *list);
    forest f = {malloc(nodes * sizeof *f.parent), calloc(nodes, sizeof *f.offset)};
    bool enough = list && f.parent && f.offset;
    if (enough) {
        uint32_t count = list_tree_edges(g, list);
        for (uint32_t i = 0; i < nodes; i++)
            f.parent[i] = i;
        qsort(list, count, sizeof *list, by_weight);
        for (uint32_t i = 0; i < count; i++)
            forest_join(&f, &list[i]);
        for (uint32_t i = 0; i < count; i++) {
            const tree_edge *e = &list[i];
            uint32_t increment = e->value + forest_potential(&f, e->from, hub) - forest_potential(&f, e->to, hub);
            if (e->index < g->edge_count)
                g->edge[e->index].increment = increment;
            else
                g->start_increment[e->index - g->edge_count] = increment;
        }
    }
    free(list);
    free(f.parent);
    free(f.offset);
    return enough;
}

static bool edges_are_sound(uint32_t blocks, const ballarus_edge *edges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const ballarus_edge *e = &edges[i];
        if ((e->from >= blocks && e->from != BALLARUS_ENTRY) || (e->to >= blocks && e->to != BALLARUS_EXIT) ||
            (e->cut && e->to == BALLARUS_EXIT))
            return false;
    }
    return true;
}

static ballarus *allocate(uint32_t blocks, uint32_t edges)
{
    size_t b = (size_t)blocks + 1;
    ballarus *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->block_count = blocks;
    g->edge_count = edges;
    g->edge = calloc((size_t)edges + 1, sizeof *g->edge);
    g->start = calloc(b, sizeof *g->start);
    g->start_value = calloc(b, sizeof *g->start_value);
    g->start_increment = calloc(b, sizeof *g->start_increment);
    g->reached = calloc(b, sizeof *g->reached);
    g->order = calloc(b, sizeof *g->order);
    g->ways = calloc(b, sizeof *g->ways);
    g->first = calloc(b + 1, sizeof *g->first);
    g->out = calloc((size_t)edges + 1, sizeof *g->out);
    if (g->edge && g->start && g->start_value && g->start_increment && g->reached && g->order && g->ways && g->first &&
        g->out)
        return g;
    ballarus_free(g);
    return NULL;
}

ballarus *ballarus_new(uint32_t block_count, const ballarus_edge *edges, uint32_t edge_count, const bool *starts,
                       uint64_t limit)
{
    if (block_count >= BALLARUS_ENTRY || !edges_are_sound(block_count, edges, edge_count))
        return NULL;
    ballarus *g = allocate(block_count, edge_count);
    if (!g)
        return NULL;
    if (edge_count)
        memcpy(g->edge, edges, edge_count * sizeof *edges);
    for (uint32_t i = 0; i < edge_count; i++)
        g->edge[i].value = g->edge[i].increment = 0;
    if (starts && block_count)
        memcpy(g->start, starts, block_count * sizeof *starts);
    index_edges(g);
    mark_starts(g);
    if (find_order(g) && count_paths(g, limit ? limit : 1)) {
        set_values(g);
        if (set_increments(g))
            return g;
    }
    ballarus_free(g);
    return NULL;
}

void ballarus_free(ballarus *g)
{
    if (!g)
        return;
    free(g->edge);
    free(g->start);
    free(g->start_value);
    free(g->start_increment);
    free(g->reached);
    free(g->order);
    free(g->ways);
    free(g->first);
    free(g->out);
    free(g);
}
