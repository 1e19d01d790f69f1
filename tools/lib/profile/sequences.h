/* SPDX-License-Identifier: MIT */
/* How often each sequence of up to k consecutive paths of an activation was taken, counted from the events themselves.
 * The result is that of a k-iteration path forest (kipf.h), which can also take what a target counted, and can be kept
 * and merged. This takes less time per event, and per sequence when they are read. Memory: 32 bytes for each distinct
 * sequence of k - 1 paths, 40 more for each of k, and 60 for each while they are sorted; from then on 10 for each
 * sequence of k, and 4 for each of any length.
 *
 *     a b a b, k = 2      a 2, a b 2, b 2, b a 1        in this order; how they are found stands in sequences.c */
#ifndef WEFT_TOOLS_LIB_PROFILE_SEQUENCES_H
#define WEFT_TOOLS_LIB_PROFILE_SEQUENCES_H

#include "tools/lib/profile/kipf.h"

enum { SEQUENCES_MAX = 64 };

typedef struct sequences sequences;

/* For sequences of up to k paths, 2 <= k <= SEQUENCES_MAX. */
sequences *sequences_new(unsigned k);
void sequences_free(sequences *all);

unsigned sequences_k(const sequences *all);

/* One path of an activation; *place is its state, 0 at its entry. */
void sequences_push(sequences *all, uint32_t *place, uint32_t path);
/* Events counted. */
uint64_t sequences_events(const sequences *all);

/* The same for a path that was counted elsewhere: it only moves the activation on. */
void sequences_follow(sequences *all, uint32_t *place, uint32_t path);
/* Adds what another one with the same k counted from events. */
void sequences_merge(sequences *all, const sequences *from);

/* Adds the counts of a forest that was made for sequences of k paths or longer ones. */
void sequences_add(sequences *all, const kipf *forest);

/* As kipf_each, for sequences of up to `depth` <= k paths. Nothing may be pushed after it, and the order by `rank` is
 * kept, so that it costs little to go through them again. */
void sequences_each(sequences *all, unsigned depth, const uint32_t *rank, kipf_visit *visit, void *context);

/* The same in pieces, which several threads may visit. `visit` gets sequences of `first` to `length` paths, each the
 * beginning of the next, count[n] of n paths. Their first `first` - 1 paths were the last ones' too, but for the first
 * call of a block. How many blocks there are, all with the order by `rank`: */
size_t sequences_blocks(sequences *all, const uint32_t *rank);
typedef void sequences_visit(void *context, const uint32_t *path, unsigned first, unsigned length,
                             const uint64_t *count);
void sequences_block(const sequences *all, size_t block, unsigned depth, sequences_visit *visit, void *context);

/* The `top` most frequent of them, the most frequent first, and those of the same count in the order by `rank`. Takes
 * two fifths of the time of going through all (10 million paths of bzip2, k = 16), and no memory for windows. False,
 * and nothing is visited: counts of a forest are among them, `top` is 0 or above 4,096, or very many sequences are as
 * frequent; then go through all. */
bool sequences_top(const sequences *all, unsigned depth, const uint32_t *rank, size_t top, kipf_visit *visit,
                   void *context);

#endif
