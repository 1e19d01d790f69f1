/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/back_edges.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

enum { NEW, WITHIN, DONE };

static const uint32_t NONE = UINT32_MAX;

typedef struct walk_edge {
    uint32_t to, next; /* next: out of the same node */
} walk_edge;

struct back_edges {
    uint32_t nodes;
    uint32_t *first; /* edge out of a node; once the walk is there, the one to look at */
    walk_edge *edge;
    uint8_t *state; /* of nodes */
    bool *back;     /* by edge */
    uint32_t *stack;
};

back_edges *back_edges_open(uint32_t nodes, uint32_t edges)
{
    back_edges *b = memory_zero(1, sizeof *b);
    b->nodes = nodes;
    b->first = memory_zero(nodes + 1, sizeof *b->first);
    b->edge = memory_zero(edges + 1, sizeof *b->edge);
    b->state = memory_zero(nodes + 1, 1);
    b->back = memory_zero(edges + 1, sizeof *b->back);
    b->stack = memory_zero(nodes + 1, sizeof *b->stack);
    for (uint32_t i = 0; i < nodes; i++)
        b->first[i] = NONE;
    return b;
}

void back_edges_add(back_edges *b, uint32_t edge, uint32_t from, uint32_t to)
{
    b->edge[edge] = (walk_edge){to, b->first[from]};
    b->first[from] = edge;
}

void back_edges_walk(back_edges *b, uint32_t root)
{
    size_t depth = 0;
    if (b->state[root] != NEW)
        return;
    b->state[root] = WITHIN;
    b->stack[depth++] = root;
    while (depth) {
        uint32_t at = b->stack[depth - 1], edge = b->first[at];
        if (edge == NONE) {
            b->state[at] = DONE;
            depth--;
            continue;
        }
        b->first[at] = b->edge[edge].next;
        uint32_t to = b->edge[edge].to;
        b->back[edge] = b->state[to] == WITHIN;
        if (b->state[to] == NEW) {
            b->state[to] = WITHIN;
            b->stack[depth++] = to;
        }
    }
}

bool *back_edges_close(back_edges *b)
{
    for (uint32_t i = 0; i < b->nodes; i++)
        back_edges_walk(b, i);
    bool *back = b->back;
    free(b->first);
    free(b->edge);
    free(b->state);
    free(b->stack);
    free(b);
    return back;
}
