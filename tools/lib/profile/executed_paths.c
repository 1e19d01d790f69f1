/* SPDX-License-Identifier: MIT */
/* A path is a node of a tree. The first instructions of its blocks lead to it, and last its last instruction. Where a
 * block is left by an instruction that divides no blocks (the routine that a switch calls), that one too. */
#include "tools/lib/profile/executed_paths.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/profile/trie.h"

#define END (UINT32_C(1) << 31) /* of a label: a block ends with this instruction */

typedef struct known_path {
    uint32_t node;
    uint64_t cost; /* 0: not counted yet */
} known_path;

struct executed_paths {
    execution *run;
    executed_path_taker *taker;
    void *own;
    trie tree; /* labels are instructions of the execution; the count of a path's node is its number + 1 */
    known_path *all;
    uint32_t count;
    size_t max;
};

static void on_way(void *own, execution_activation *a, uint32_t left, uint32_t to)
{
    executed_paths *p = own;
    if (left != EXECUTION_NONE)
        a->path = trie_child(&p->tree, a->path, left | END);
    a->path = trie_child(&p->tree, a->path, to);
}

static void on_end(void *own, execution_activation *a, uint32_t context, uint32_t last)
{
    executed_paths *p = own;
    uint32_t node = trie_child(&p->tree, a->path, last | END);
    if (!p->tree.nodes[node].count) {
        p->all = memory_room(p->all, p->count, &p->max, sizeof *p->all);
        p->all[p->count++] = (known_path){.node = node};
        p->tree.nodes[node].count = p->count;
    }
    a->path = TRIE_ROOT;
    p->taker(p->own, context, (uint32_t)p->tree.nodes[node].count - 1, &a->place);
}

executed_paths *executed_paths_new(execution *run, executed_path_taker *taker, void *own)
{
    executed_paths *p = memory_zero(1, sizeof *p);
    p->run = run;
    p->taker = taker;
    p->own = own;
    trie_init(&p->tree);
    execution_on_way(run, (execution_ways){p, on_way, on_end});
    return p;
}

void executed_paths_free(executed_paths *p)
{
    if (!p)
        return;
    trie_free(&p->tree);
    free(p->all);
    free(p);
}

/* ---- its instructions ---- */

/* Visits the instructions of a path in order, until the visitor has enough. */
typedef struct visitor {
    void *own;
    bool (*instruction)(void *own, const executed *e);
} visitor;

/* The labels on the way to a path's node: where its blocks begin, and where they end if that is not seen from the
 * instruction. From malloc. */
static uint32_t *labels_of(const executed_paths *p, uint32_t path, size_t *count)
{
    const trie_node *nodes = p->tree.nodes;
    *count = nodes[p->all[path].node].depth;
    uint32_t *labels = memory_zero(*count, sizeof *labels);
    size_t at = *count;
    for (uint32_t n = p->all[path].node; n != TRIE_ROOT; n = nodes[n].parent)
        labels[--at] = nodes[n].label;
    return labels;
}

/* The instructions of a block that begins at one, up to one that divides or is the `end`. False: that is enough. */
static bool visit_block(const executed_paths *p, uint32_t at, uint32_t end, visitor v)
{
    while (at != EXECUTION_NONE) {
        const executed *e = &p->run->all[at];
        if (!v.instruction(v.own, e))
            return false;
        if (at == end || execution_divides(&e->insn))
            return true;
        at = execution_find(p->run, e->insn.pc + e->insn.size);
    }
    return true;
}

static void visit(const executed_paths *p, uint32_t path, visitor v)
{
    size_t count;
    uint32_t *labels = labels_of(p, path, &count);
    for (size_t i = 0; i < count; i++)
        if (!(labels[i] & END) &&
            !visit_block(p, labels[i], labels[i + 1] & END ? labels[i + 1] & ~END : EXECUTION_NONE, v))
            break;
    free(labels);
}

const char *executed_paths_function(const executed_paths *p, uint32_t path)
{
    size_t count;
    uint32_t *labels = labels_of(p, path, &count);
    const image_symbol *s = image_function(&p->run->im->symbols, p->run->all[labels[0]].insn.pc);
    free(labels);
    return s ? s->name : "?";
}

static bool count_one(void *own, const executed *e)
{
    (void)e;
    ++*(uint64_t *)own;
    return true;
}

uint64_t executed_paths_cost(const executed_paths *p, uint32_t path)
{
    if (!p->all[path].cost)
        visit(p, path, (visitor){&p->all[path].cost, count_one});
    return p->all[path].cost;
}

uint64_t executed_paths_bytes(const executed_paths *p)
{
    return p->tree.nodes_max * sizeof *p->tree.nodes + (p->tree.table_mask + UINT64_C(1)) * sizeof *p->tree.table +
           p->max * sizeof *p->all;
}

/* ---- its lines ---- */

typedef struct gathering {
    const image *im;
    descriptor_line *lines;
    size_t max, count;
} gathering;

static bool gather_line(void *own, const executed *e)
{
    gathering *g = own;
    const image_line *line = image_line_at(g->im, e->insn.pc);
    const descriptor_line *before = g->count ? &g->lines[g->count - 1] : NULL;
    if (line && line->file && !(before && before->line == line->line && before->file == line->file))
        g->lines[g->count++] = (descriptor_line){line->file, line->line};
    return g->count < g->max;
}

static bool place_of(void *own, uint32_t path, places_function *function, descriptor_line *lines, size_t max,
                     size_t *count)
{
    executed_paths *p = own;
    if (path >= p->count)
        return false;
    gathering g = {p->run->im, lines, max, 0};
    visit(p, path, (visitor){&g, gather_line});
    *function = (places_function){executed_paths_function(p, path), g.count ? lines[0].file : NULL};
    *count = g.count;
    return true;
}

path_places executed_paths_places(executed_paths *p)
{
    return (path_places){p, place_of};
}
