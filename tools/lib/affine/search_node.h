/* SPDX-License-Identifier: MIT */
/* What the files of the search share: a node, the state of the search, and the stream as a node sees it.
 *
 * A node is a nest that explains `known` values, beginning at `origin` and going on in one direction. Its index is
 * that of the last value explained. For each side of each level it keeps the examples that the faces there were made
 * from. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_NODE_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_NODE_H

#include "tools/lib/affine/fit_points.h"
#include "tools/lib/affine/search_limits.h"
#include "tools/lib/affine/search_options.h"

/* The two sides of a level. */
enum { UPPER, LOWER };

typedef struct search_examples {
    fit_point *point; /* malloc; lower bounds are kept negated */
    size_t count, max;
} search_examples;

typedef struct search_node {
    unsigned depth;
    uint64_t origin; /* position of its first value in the stream */
    bool back;       /* it goes on towards the stream's begin */
    bool open;       /* what is before the origin is not known: the loops at index 0 may have begun earlier */
    uint64_t known;
    double fitness;
    unsigned stage;  /* of its expansion */
    unsigned waited; /* visits that the fitness has been lowered for */
    int64_t index[AFFINE_DEPTH];
    /* What follows is not copied as it is, and is kept when the node is used again. */
    affine_level *level; /* malloc, with room for one more than there are */
    unsigned room;
    search_examples side[AFFINE_DEPTH + 1][2]; /* beyond the depth: empty, but with room */
    struct search_node *next;                  /* of the spare ones */
} search_node;

/* Expansions of nodes of one depth, stage and progress. */
typedef struct search_visits {
    uint64_t known;
    unsigned depth, stage, times;
} search_visits;

typedef struct search {
    const int64_t *values;
    uint64_t count;
    const search_options *options;
    search_node **heap; /* by fitness */
    unsigned nodes;
    search_visits visits[SEARCH_VISITS];
    uint64_t *seen; /* hashes of the nodes met, open addressing; 0: free */
    unsigned seen_size, seen_count;
    uint64_t reached;  /* most values that a node explains */
    uint64_t work;     /* done so far, see search_options */
    search_node *best; /* explains most from the first value on */
    bool best_whole, best_checked;
    struct search_spare *spare; /* nodes to use again */
    bool own_spare;             /* they go with the search */
} search;

extern const int64_t search_zeros[AFFINE_DEPTH];

void search_level_copy(affine_level *to, const affine_level *from);

/* A node of this depth; its levels and all else are 0. */
search_node *search_node_new(search *x, unsigned depth);
search_node *search_node_copy(search *x, const search_node *from);
/* Keeps the node to be used again. NULL is allowed. */
void search_node_free(search *x, search_node *n);
/* The same, without the examples: enough to ask what its bounds have been. */
search_node *search_node_copy_bounds(search *x, const search_node *from);
/* Begins to keep nodes: from search to search where the options have a memory. */
void search_node_open_spare(search *x);
/* Frees the nodes kept, but for a few hundred that the next search may use. */
void search_node_close_spare(search *x);

/* True if the work, the time or the wish of another search ends this one. */
bool search_late(const search *x);

/* The number of values in the direction of n. */
static inline uint64_t search_reach(const search *x, const search_node *n)
{
    return n->back ? n->origin + 1 : x->count - n->origin;
}

/* Value k in the direction of n. */
static inline int64_t search_value(const search *x, const search_node *n, uint64_t k)
{
    return x->values[n->back ? n->origin - k : n->origin + k];
}

/* How many values from the k-th on, at most `most`, are start, start + stride, ... */
static inline uint64_t search_match(const search *x, const search_node *n, uint64_t k, uint64_t most, int64_t start,
                                    int64_t stride)
{
    return n->back ? affine_match_back(x->values + n->origin - k, most, start, stride)
                   : affine_match_run(x->values + n->origin + k, most, start, stride);
}

/* Sets the indices from level l on to their lower bounds plus off[] (NULL: 0). */
static inline void search_reset(const affine_level *level, unsigned depth, int64_t *index, unsigned l,
                                const int64_t *off)
{
    for (; l < depth; l++)
        index[l] = affine_lower(&level[l], index, l) + (off ? off[l] : 0);
}

/* The value that n generates at `index` if its first one is `base`. */
static inline affine_wide search_address(const search_node *n, int64_t base, const int64_t *index)
{
    affine_wide sum = base;
    for (unsigned l = 0; l < n->depth; l++)
        sum += (affine_wide)n->level[l].coefficient * index[l];
    return sum;
}

/* The order of index[0..r-1] and that of the last value of n: -1 before it, 0 equal, 1 after it. */
static inline int search_order(const search_node *n, const int64_t *index, unsigned r)
{
    for (unsigned l = 0; l < r; l++)
        if (index[l] != n->index[l])
            return index[l] < n->index[l] ? -1 : 1;
    return 0;
}

#endif
