/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/sorted_tree.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

static const trie_node *compared; /* qsort has no context */

static int by_label(const void *a, const void *b)
{
    uint32_t x = compared[*(const uint32_t *)a].label, y = compared[*(const uint32_t *)b].label;
    return x < y ? -1 : x > y;
}

sorted_tree sorted_tree_of(const trie_node *nodes, uint32_t used, const uint64_t *calls)
{
    sorted_tree t = {nodes, used, memory_zero(used + 1, 1), memory_zero(used + 2, sizeof *t.first),
                     memory_zero(used + 1, sizeof *t.child)};
    for (uint32_t i = used; i-- > TRIE_FIRST;) {
        t.live[i] |= nodes[i].count || (calls && calls[i]);
        t.live[nodes[i].parent] |= t.live[i];
    }
    for (uint32_t i = TRIE_FIRST; i < used; i++)
        t.first[nodes[i].parent + 2] += t.live[i];
    for (uint32_t i = 0; i < used; i++)
        t.first[i + 2] += t.first[i + 1];
    for (uint32_t i = TRIE_FIRST; i < used; i++)
        if (t.live[i])
            t.child[t.first[nodes[i].parent + 1]++] = i;
    compared = nodes;
    for (uint32_t i = 0; i < used; i++)
        if (t.first[i + 1] - t.first[i] > 1)
            qsort(t.child + t.first[i], t.first[i + 1] - t.first[i], sizeof *t.child, by_label);
    return t;
}

void sorted_tree_free(sorted_tree *t)
{
    free(t->live);
    free(t->first);
    free(t->child);
}
