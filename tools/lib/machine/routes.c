/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/routes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { NODES_MAX = 1 << 22 }; /* 32 MB of a function; beyond, nothing of it is certain */

/* The node before a node has a lower number, also when it becomes the nearest that is certain. */
typedef struct node {
    uint32_t step, before;
} node;

typedef struct meeting {
    uint32_t node, before;
} meeting;

struct routes {
    node *nodes;
    uint32_t count;
    size_t max;
    meeting *meetings;
    uint32_t meeting_count;
    size_t meeting_max;
    bool full;
};

routes *routes_new(void)
{
    return memory_zero(1, sizeof(routes));
}

void routes_free(routes *t)
{
    if (!t)
        return;
    free(t->nodes);
    free(t->meetings);
    free(t);
}

uint32_t routes_next(const routes *t)
{
    return t->count;
}

uint32_t routes_add(routes *t, uint32_t step, uint32_t before)
{
    t->full |= t->count == NODES_MAX;
    if (t->full)
        return ROUTES_NONE;
    t->nodes = memory_room(t->nodes, t->count, &t->max, sizeof *t->nodes);
    t->nodes[t->count] = (node){step, before};
    return t->count++;
}

void routes_meet(routes *t, uint32_t at, uint32_t before)
{
    t->full |= t->meeting_count == NODES_MAX;
    if (t->full)
        return;
    t->meetings = memory_room(t->meetings, t->meeting_count, &t->meeting_max, sizeof *t->meetings);
    t->meetings[t->meeting_count++] = (meeting){at, before};
}

/* The nearest node that both ways have. */
static uint32_t common(const routes *t, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (a == ROUTES_NONE || b == ROUTES_NONE)
            return ROUTES_NONE;
        if (a > b)
            a = t->nodes[a].before;
        else
            b = t->nodes[b].before;
    }
    return a;
}

void routes_settle(routes *t)
{
    uint32_t *first = memory_grow(NULL, t->meeting_count + 1, sizeof *first);
    for (uint32_t i = 0; !t->full && i < t->meeting_count; i++)
        first[i] = t->nodes[t->meetings[i].node].before;
    for (bool changed = !t->full; changed;) {
        changed = false;
        for (uint32_t i = 0; i < t->meeting_count; i++) {
            node *n = &t->nodes[t->meetings[i].node];
            uint32_t certain = common(t, common(t, n->before, first[i]), t->meetings[i].before);
            changed |= certain != n->before;
            n->before = certain;
        }
    }
    free(first);
    free(t->meetings);
    t->meetings = NULL;
    t->meeting_count = 0;
}

size_t routes_common(const routes *t, uint32_t last, uint32_t **steps, size_t count)
{
    size_t size = 0, head = 0, tail = 0;
    if (t->full)
        return 0;
    for (uint32_t at = last; at != ROUTES_NONE; at = t->nodes[at].before)
        size++;
    uint32_t *way = memory_grow(NULL, size + 1, sizeof *way), *other = *steps;
    size_t to = size;
    for (uint32_t at = last; at != ROUTES_NONE; at = t->nodes[at].before)
        way[--to] = t->nodes[at].step;
    if (!other) {
        *steps = way;
        return size;
    }
    while (head < size && head < count && way[head] == other[head])
        head++;
    while (tail < size - head && tail < count - head && way[size - 1 - tail] == other[count - 1 - tail])
        tail++;
    memmove(other + head, other + count - tail, tail * sizeof *other);
    free(way);
    return head + tail;
}
