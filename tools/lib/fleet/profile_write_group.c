/* SPDX-License-Identifier: MIT */
/* Step 3 of profile_write.c, for one group: each table in the order of its keys. */
#include <stdlib.h>

#include "tools/lib/fleet/profile_writing.h"
#include "tools/lib/fleet/sorted_tree.h"

/* Children first to last, each with all below it before the next. set: of nodes of a forest; calls: of chains. */
static void put_tree(bytes *b, const sorted_tree *t, uint32_t root, const merged_group *g, const profile_order *o)
{
    size_t depth = 0, max = 0;
    struct {
        uint32_t node, at;
    } *open = NULL;
    open = memory_room(open, depth, &max, sizeof *open);
    open[depth].node = root;
    open[depth++].at = t->first[root];
    put_number(b, t->first[root + 1] - t->first[root]);
    while (depth) {
        uint32_t parent = open[depth - 1].node, at = open[depth - 1].at++;
        if (at == t->first[parent + 1]) {
            depth--;
            continue;
        }
        uint32_t node = t->child[at], label = t->nodes[node].label;
        put_number(b, at == t->first[parent] ? label : label - t->nodes[t->child[at - 1]].label);
        put_number(b, t->nodes[node].count);
        if (!o)
            put_number(b, g->calls[node]);
        else if (t->nodes[node].count)
            put_number(b, o->set[g->set[node]]);
        put_number(b, t->first[node + 1] - t->first[node]);
        open = memory_room(open, depth, &max, sizeof *open);
        open[depth].node = node;
        open[depth++].at = t->first[node];
    }
    free(open);
}

static void put_trees(bytes *b, const merged_group *g, const profile_order *o)
{
    sorted_tree forest = sorted_tree_of(kipf_node(g->forest, 0), kipf_nodes(g->forest), NULL);
    put_tree(b, &forest, TRIE_ROOT, g, o);
    put_tree(b, &forest, TRIE_UNKNOWN, g, o);
    sorted_tree_free(&forest);
    sorted_tree chains = sorted_tree_of(g->chains.nodes, g->chains.used, g->calls);
    put_tree(b, &chains, TRIE_ROOT, g, NULL);
    sorted_tree_free(&chains);
}

static int by_path(const void *a, const void *b)
{
    const merged_path *x = a, *y = b;
    return x->path < y->path ? -1 : x->path > y->path;
}

static int by_function(const void *a, const void *b)
{
    const merged_function *x = a, *y = b;
    return x->function < y->function ? -1 : x->function > y->function;
}

static int by_head(const void *a, const void *b)
{
    const rounds_loop *x = a, *y = b;
    return x->head < y->head ? -1 : x->head > y->head;
}

void *profile_sorted(const void *table, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    void *copy = memory_zero(count + 1, size);
    if (count) {
        memcpy(copy, table, count * size);
        qsort(copy, count, size, compare);
    }
    return copy;
}

static void put_paths(bytes *b, const merged_group *g, bool leads)
{
    uint32_t last = 0;
    merged_path *path = profile_sorted(g->path, g->paths.count, sizeof *path, by_path);
    put_number(b, g->paths.count);
    for (uint32_t i = 0; i < g->paths.count; last = path[i++].path) {
        put_number(b, path[i].path - last);
        put_number(b, path[i].price);
        put_number(b, path[i].count);
        put_number(b, path[i].recordings);
        put_wide(b, path[i].squares);
        put_wide(b, path[i].cross);
        if (leads)
            put_number(b, path[i].lead);
    }
    free(path);
}

static void put_functions(bytes *b, const merged_group *g)
{
    uint32_t last = 0;
    merged_function *f = profile_sorted(g->function, g->functions.count, sizeof *f, by_function);
    put_number(b, g->functions.count);
    for (uint32_t i = 0; i < g->functions.count; last = f[i++].function) {
        const uint64_t fields[] = {
            f[i].function - last, f[i].recordings, f[i].calls, f[i].self, f[i].more, f[i].estimated,
            f[i].inclusive,       f[i].whole_sum,  f[i].min,   f[i].max,  f[i].whole};
        for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
            put_number(b, fields[n]);
        put_wide(b, f[i].calls_squares);
        put_wide(b, f[i].self_squares);
        put_wide(b, f[i].cross);
    }
    free(f);
}

static void put_loops(bytes *b, const merged_group *g)
{
    uint32_t last = 0;
    rounds_loop *loop = profile_sorted(g->loop, g->loops.count, sizeof *loop, by_head);
    put_number(b, g->loops.count);
    for (uint32_t i = 0; i < g->loops.count; last = loop[i++].head) {
        unsigned used = 0;
        put_number(b, loop[i].head - last);
        put_number(b, loop[i].sum);
        put_number(b, loop[i].min);
        put_number(b, loop[i].max);
        for (unsigned bin = 0; bin < ROUNDS_BINS; bin++)
            used += loop[i].bin[bin] != 0;
        put_number(b, used);
        for (unsigned bin = 0; bin < ROUNDS_BINS; bin++)
            if (loop[i].bin[bin]) {
                put(b, (uint8_t)bin);
                put_number(b, loop[i].bin[bin]);
            }
    }
    free(loop);
}

void profile_put_group(bytes *b, const merged_group *g, uint32_t place, const profile_order *o)
{
    const merged_totals *t = &g->totals;
    const uint64_t fields[] = {t->recordings, t->priced, t->streams, t->paths,  t->lost,
                               t->gaps,       t->gapped, t->unread,  t->deeper, t->flat};
    put_number(b, place);
    put_number(b, g->k);
    put_number(b, strlen(g->labels));
    put_raw(b, g->labels, strlen(g->labels));
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        put_number(b, fields[n]);
    put_paths(b, g, o->leads);
    put_functions(b, g);
    put_loops(b, g);
    put_trees(b, g, o);
}
