/* SPDX-License-Identifier: MIT */
/* Ball-Larus path numbering over a control-flow graph, for the compiler plugin and the host alike.
 *
 * T. Ball and J. R. Larus, "Efficient Path Profiling", MICRO 1996: sections 3.2 (numbering), 3.3 (increments on the
 * chords of a spanning tree), 3.5 (back edges). Every edge that is cut, (v, w), is replaced by (v, EXIT) and
 * (ENTRY, w).
 *
 * A path runs from ENTRY or from a start block (one that a cut edge leads to, or that the caller names) to an edge
 * that is cut, or to EXIT, or to a block that has no way out. Numbers are 0 .. count-1, one for each path:
 *
 *     ways(e) = 1 if e is cut or leads to EXIT, else ways(its target)
 *     ways(block) = sum of ways(e) over its edges out; 1 if it has none
 *     value(e) = sum of ways(f) over the edges f out of the same block that stand before e in the list
 *     ENTRY: first its own edges in list order, then one dummy edge to each start block, in ascending order of blocks
 *     number of a path = sum of the values along it, the dummy edge and the last edge included
 *
 * A loop of head 0 and body 1, with 2 after it. The back edge 1 -> 0 is cut, so block 0 is a start block:
 *
 *     edge        ENTRY -> 0    0 -> 1    0 -> 2    1 -> 0 (cut)    2 -> EXIT    dummy edge to 0
 *     ways        2             1         1         1               1            2
 *     value       0             0         1         0               0            2
 *
 *     path 0: ENTRY 0 1, cut    1: ENTRY 0 2 EXIT    2: (0) 0 1, cut    3: (0) 0 2 EXIT
 *
 * C11, callable from C++. Memory from malloc. No recursion. Time O(edges * log) except for repeats when the limit
 * bites. */
#ifndef WEFT_TOOLS_LIB_IMAGE_BALLARUS_H
#define WEFT_TOOLS_LIB_IMAGE_BALLARUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BALLARUS_ENTRY UINT32_C(0xfffffffe) /* as `from` */
#define BALLARUS_EXIT UINT32_C(0xffffffff)  /* as `to` */
#define BALLARUS_NONE UINT32_C(0xffffffff)  /* no edge, no block */
#define BALLARUS_LIMIT (UINT64_C(1) << 24)  /* the usual limit of paths */
#define BALLARUS_PACK_MAX 32                /* paths of a pack; each but the first has a bit at least */

typedef struct ballarus_edge {
    uint32_t from;   /* a block, or BALLARUS_ENTRY */
    uint32_t to;     /* a block, or BALLARUS_EXIT */
    uint32_t weight; /* how often it is expected to run, on any scale: frequent edges get no increment */
    bool cut; /* in: it must end the path; out: it does (asked for, a back edge, or the limit). Never with EXIT. */
    uint32_t value; /* out: value(e), as above */
    /* out: what the path register gains on this edge, modulo 2^32; 0 on edges of the spanning tree. The increments
     * along a path, its start's included, sum up to its number. */
    uint32_t increment;
} ballarus_edge;

typedef struct ballarus {
    uint32_t block_count, edge_count;
    uint64_t count;            /* paths, at least 1 */
    ballarus_edge *edge;       /* edge_count, in the caller's order */
    bool *start;               /* block_count: paths may start here */
    uint32_t *start_value;     /* block_count: value of the dummy edge; where not start[], that of the next one */
    uint32_t *start_increment; /* block_count: increment of the dummy edge, where start[] */
    bool *reached;             /* block_count: some path visits it */
    uint32_t *order;           /* the reached blocks; each comes after all blocks that have an uncut edge to it */
    uint32_t order_count;
    uint64_t *ways; /* block_count */
    uint32_t *first,
        *out; /* edges out of block b: out[first[b]] .. out[first[b + 1] - 1]; ENTRY's stand at block_count */
} ballarus;

/* How a path begins and ends. */
typedef struct ballarus_ends {
    bool from_entry; /* it starts at ENTRY; else at a start block, blocks[0] */
    bool at_exit;    /* it ends on an edge to EXIT */
    uint32_t edge;   /* the edge on which it ends, cut or to EXIT; BALLARUS_NONE in a block without a way out */
} ballarus_ends;

/* Numbers a graph. `edges` are copied; `starts` (block_count, or NULL) names further start blocks. When there would be
 * more than `limit` paths, more edges are cut; a limit too small for the graph is exceeded as little as possible, but
 * numbers always fit 32 bits. NULL: out of memory, an edge names no block, or more than 2^32 paths are unavoidable. */
ballarus *ballarus_new(uint32_t block_count, const ballarus_edge *edges, uint32_t edge_count, const bool *starts,
                       uint64_t limit);
void ballarus_free(ballarus *graph);

/* The blocks of a path, in order, up to `max` of them into `blocks`. Returns how many there are (0: the path that ends
 * on an edge out of ENTRY), or SIZE_MAX if there is no such path. No path is longer than block_count. */
size_t ballarus_expand(const ballarus *graph, uint32_t number, uint32_t *blocks, size_t max, ballarus_ends *ends);

/* A *pack* is a word of 32 bits that stands for paths of one activation that followed one another: each but the last
 * ends on a cut edge, to a block at which the next one starts. From its highest bit that is set, which is not part of
 * a number, it holds
 *
 *     the number of the first path                                 bits(count) bits
 *     of each further path, its number - start_value[s],           bits(ways[s]) bits, but at least 1
 *     s being the block that it starts at
 *
 * where bits(n) is the smallest k with 2^k >= n. So the word says itself how many paths it holds.
 *
 * `apart` (block_count, or NULL: none) are the blocks at which no path of a pack starts, but for its first. */

/* The numbers of a pack's paths, in order, into `paths`. Returns how many there are; 0: the word is not a pack. */
size_t ballarus_unpack(const ballarus *graph, const bool *apart, uint32_t word, uint32_t paths[BALLARUS_PACK_MAX]);
/* The same where only this is known: the number of all paths, and which path starts where. */
typedef struct ballarus_start {
    uint32_t value; /* as start_value */
    uint64_t ways;
} ballarus_start;
/* Where the path after this one starts. False: no path of a pack comes after it. */
typedef bool ballarus_next(const void *own, uint32_t number, ballarus_start *start);
size_t ballarus_unpack_by(ballarus_next *next, const void *own, uint64_t count, uint32_t word,
                          uint32_t paths[BALLARUS_PACK_MAX]);
/* What `next` says of a whole graph. */
bool ballarus_start_after(const ballarus *graph, const bool *apart, uint32_t number, ballarus_start *start);
/* The pack of `count` paths, at least one. 0: they do not fit a word, or do not follow one another. */
uint32_t ballarus_pack(const ballarus *graph, const bool *apart, const uint32_t *paths, size_t count);

#ifdef __cplusplus
}
#endif

#endif
