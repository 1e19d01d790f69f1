/* SPDX-License-Identifier: MIT */
/* Results remembered by the hash of what they follow from. Searches with other parameters, and of other streams, ask
 * the same questions again: most of them are answered from here. What comes out does not depend on what is
 * remembered.
 *
 * A question is known by 128 bits of hash. Should two ever share these, the answer would be wrong for one of them:
 * the nest would not fit the stream, and the search, which checks every nest, would drop it. */
#ifndef WEFT_TOOLS_LIB_AFFINE_MEMO_H
#define WEFT_TOOLS_LIB_AFFINE_MEMO_H

#include <stddef.h>
#include <stdint.h>

typedef struct memo memo;

/* Begins with MEMO_KEY. */
typedef struct memo_key {
    uint64_t a, b;
} memo_key;
#define MEMO_KEY ((memo_key){1, 1})

static inline void memo_mix(memo_key *key, uint64_t word)
{
    key->a = (key->a ^ word) * 0x9e3779b97f4a7c15u;
    key->a ^= key->a >> 32;
    key->b = (key->b + word) * 0xc2b2ae3d27d4eb4fu;
    key->b ^= key->b >> 29;
}

static inline void memo_mix_all(memo_key *key, const int64_t *word, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        memo_mix(key, (uint64_t)word[i]);
}

/* For one thread at a time. NULL may be freed. */
memo *memo_new(void);
void memo_free(memo *m);

/* Anything else that the memo's owner keeps with it: NULL at first, freed with `release`. */
typedef struct memo_kept {
    void *all;
    void (*release)(void *all);
} memo_kept;
memo_kept *memo_keep(memo *m);

/* What was put under the key, valid until the next memo_put. NULL: nothing, or it was forgotten. */
const void *memo_find(const memo *m, memo_key key);
/* Copies `size` bytes; what has the same slot is forgotten. */
void memo_put(memo *m, memo_key key, const void *answer, size_t size);

#endif
