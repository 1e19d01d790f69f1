/* SPDX-License-Identifier: MIT */
/* k-iteration path forest (D'Elia, "Multi-iteration path profiling"): how often each sequence of up to k consecutive
 * paths of an activation was taken. Events come in one by one, or as the segments that a target's k-slab forest wrote
 * (core/ksf.h), or both. Counts add up, so several files or devices can be merged.
 *
 *     a b a b, k = 2      a 2 -- b 2      a node is a sequence: `a b` came twice,
 *                         b 2 -- a 1      `b a` once */
#ifndef WEFT_TOOLS_LIB_PROFILE_KIPF_H
#define WEFT_TOOLS_LIB_PROFILE_KIPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "core/bytes.h"
#include "tools/lib/profile/trie.h"

typedef struct kipf kipf;

/* State of an activation whose events are given one by one; all zero at its entry. */
typedef struct kipf_activation {
    uint32_t node, steps;
    bool begun;
} kipf_activation;

/* A forest for sequences of up to k >= 2 paths. Memory grows with the distinct sequences, not with the events. */
kipf *kipf_new(unsigned k);
void kipf_free(kipf *forest);

/* One path of an activation. */
void kipf_push(kipf *forest, kipf_activation *activation, uint32_t path);

/* Begins the segments of another recording, whose generations count again. */
void kipf_new_recording(kipf *forest);
/* Adds one part of a segment, as weft_ksf_flush wrote it. Parts of a recording come in the order in which they were
 * written. If some are missing, only the sequences across the gap are not counted (see kipf_gaps). WEFT_CONFIG: the
 * part is of another k. WEFT_CORRUPT: it is damaged; what was read before the damage stays added. */
weft_status kipf_add_part(kipf *forest, weft_reader *part);
/* Nodes whose path begins in a part that was missing. */
uint64_t kipf_gaps(const kipf *forest);

/* Events counted. */
uint64_t kipf_events(const kipf *forest);

/* The forest node by node, for callers that keep it or add something to its nodes. Nodes TRIE_FIRST .. kipf_nodes - 1
 * have labels; TRIE_ROOT and TRIE_UNKNOWN (trie.h) are the parents of the others, at depth 0. */
unsigned kipf_k(const kipf *forest);
uint32_t kipf_nodes(const kipf *forest);
/* Do not use its `child`. Valid until a node is added. */
const trie_node *kipf_node(const kipf *forest, uint32_t node);
/* Adds to the counter of a child of `parent`, which is made if need be. 0: deeper than a forest of this k can be, or a
 * counter overflows. */
uint32_t kipf_add_node(kipf *forest, uint32_t parent, uint32_t label, uint64_t count);

/* Calls visit for every sequence of up to `depth` <= k paths, with its count. Sequences come in lexical order, a
 * beginning before those that go on from it. Paths are ordered by rank[path], or by number if rank is NULL. The
 * sequence is valid during the call. */
typedef void kipf_visit(void *context, const uint32_t *path, unsigned length, uint64_t count);
void kipf_each(const kipf *forest, unsigned depth, const uint32_t *rank, kipf_visit *visit, void *context);
/* The same, with the nodes at which the sequence ends (the low half of each of `ends`). Their counters sum up to
 * `count`. */
typedef void kipf_visit_nodes(void *context, const uint32_t *path, unsigned length, uint64_t count,
                              const uint64_t *ends, size_t end_count);
void kipf_each_nodes(const kipf *forest, unsigned depth, const uint32_t *rank, kipf_visit_nodes *visit, void *context);

#endif
