/* SPDX-License-Identifier: MIT */
/* Counts of sequences, as a tree of labels. Node 0 is the root of all roots; node 1 stands for labels that are not
 * known, above nodes whose beginning was lost. A node stands after its parent in the array. Memory: 32 bytes per node,
 * and 8 to 16 of a table.
 *
 *     add 1 to the sequences 1, 1 2 and 2:
 *
 *     node 0 (root) -- node 2, label 1, count 1 -- node 3, label 2, count 1, depth 2
 *                   -- node 4, label 2, count 1 */
#ifndef WEFT_TOOLS_LIB_PROFILE_TRIE_H
#define WEFT_TOOLS_LIB_PROFILE_TRIE_H

#include <stddef.h>
#include <stdint.h>

enum { TRIE_ROOT = 0, TRIE_UNKNOWN = 1, TRIE_FIRST = 2 /* the first node that has a label */ };

typedef struct trie_node {
    uint64_t count;
    uint32_t label, parent;
    uint32_t child, sibling; /* 0: none */
    uint32_t depth;          /* labels known above and at this node */
} trie_node;

typedef struct trie {
    trie_node *nodes;
    uint32_t *table; /* open addressing by (parent, label): node, 0 free */
    uint32_t used, table_mask;
    size_t nodes_max;
} trie;

void trie_init(trie *t);
void trie_free(trie *t);
/* A new node, which trie_child did not find; `slot` is where its search ended. */
uint32_t trie_add(trie *t, uint32_t parent, uint32_t label, uint32_t slot);

static inline uint32_t trie_hash(uint32_t parent, uint32_t label)
{
    uint64_t hash = (parent * 0x9e3779b97f4a7c15u + label) * 0xd6e8feb86659fd93u;
    return (uint32_t)(hash >> 32);
}

/* The child with a label; a new one, with count 0, if there is none. */
static inline uint32_t trie_child(trie *t, uint32_t parent, uint32_t label)
{
    uint32_t slot = trie_hash(parent, label) & t->table_mask;
    for (uint32_t node; (node = t->table[slot]); slot = (slot + 1) & t->table_mask)
        if (t->nodes[node].parent == parent && t->nodes[node].label == label)
            return node;
    return trie_add(t, parent, label, slot);
}

/* The same, where `guess` is likely that child: the node after the last one, while trees of one program are added. */
static inline uint32_t trie_child_near(trie *t, uint32_t parent, uint32_t label, uint32_t guess)
{
    if (guess >= TRIE_FIRST && guess < t->used && t->nodes[guess].parent == parent && t->nodes[guess].label == label)
        return guess;
    return trie_child(t, parent, label);
}

#endif
