/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/trie.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

void trie_init(trie *t)
{
    memset(t, 0, sizeof *t);
    t->nodes_max = 32;
    t->table_mask = 63;
    t->nodes = memory_zero(t->nodes_max, sizeof *t->nodes);
    t->table = memory_zero(t->table_mask + 1u, sizeof *t->table);
    t->used = TRIE_FIRST;
}

void trie_free(trie *t)
{
    free(t->nodes);
    free(t->table);
}

static void rehash(trie *t)
{
    t->table_mask = 2 * t->table_mask + 1;
    free(t->table);
    t->table = memory_zero(t->table_mask + 1u, sizeof *t->table);
    for (uint32_t i = TRIE_FIRST; i < t->used; i++) {
        uint32_t slot = trie_hash(t->nodes[i].parent, t->nodes[i].label) & t->table_mask;
        while (t->table[slot])
            slot = (slot + 1) & t->table_mask;
        t->table[slot] = i;
    }
}

uint32_t trie_add(trie *t, uint32_t parent, uint32_t label, uint32_t slot)
{
    t->nodes = memory_room(t->nodes, t->used, &t->nodes_max, sizeof *t->nodes);
    uint32_t node = t->used++;
    t->nodes[node] = (trie_node){
        .label = label, .parent = parent, .sibling = t->nodes[parent].child, .depth = t->nodes[parent].depth + 1};
    t->nodes[parent].child = node;
    t->table[slot] = node;
    if (t->used > t->table_mask / 2)
        rehash(t);
    return node;
}
