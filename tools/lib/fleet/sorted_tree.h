/* SPDX-License-Identifier: MIT */
/* A trie in the order in which it is written, whatever the order in which it was made. */
#ifndef WEFT_TOOLS_LIB_FLEET_SORTED_TREE_H
#define WEFT_TOOLS_LIB_FLEET_SORTED_TREE_H

#include "tools/lib/profile/trie.h"

/* The nodes of a trie that count something, or have such nodes below them; the children of each by label. */
typedef struct sorted_tree {
    const trie_node *nodes;
    uint32_t used;
    uint8_t *live;
    uint32_t *first; /* of the children of node i: child[first[i]] .. child[first[i + 1] - 1] */
    uint32_t *child;
} sorted_tree;

/* `nodes` outlives it. calls: NULL, or further counters by node. */
sorted_tree sorted_tree_of(const trie_node *nodes, uint32_t used, const uint64_t *calls);
void sorted_tree_free(sorted_tree *t);

#endif
