/* SPDX-License-Identifier: MIT */
/* A stream of paths with activations, and a plain count of its n-grams. For tests of one file. */
#ifndef WEFT_TESTS_LIB_NGRAMS_H
#define WEFT_TESTS_LIB_NGRAMS_H

#include <stdlib.h>
#include <string.h>

#include "core/ksf.h"
#include "tests/lib/check.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/profile/sequences.h"

enum { EVENTS_MAX = 4096, LIVE_MAX = 64, NODES_MAX = 512, ROOTS_MAX = 16 };

/* A stream, and for each event the position of the previous event of its activation (-1: it is the first). */
static struct {
    uint8_t path[EVENTS_MAX];
    uint8_t activation[EVENTS_MAX]; /* slot of the activation */
    bool begins[EVENTS_MAX];
    int before[EVENTS_MAX];
    unsigned size;
} stream;

/* The plain model: the events that end with the n-gram. */
static inline uint64_t plain_count(const uint32_t *path, unsigned length)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < stream.size; i++) {
        unsigned left = length;
        int at = (int)i;
        while (left && at >= 0 && stream.path[at] == path[left - 1]) {
            left--;
            at = stream.before[at];
        }
        count += left == 0;
    }
    return count;
}

static inline uint64_t ngrams_of_length(unsigned length)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < stream.size; i++) {
        unsigned have = 0;
        for (int at = (int)i; at >= 0 && have < length; at = stream.before[at])
            have++;
        count += have == length;
    }
    return count;
}

typedef struct verdict {
    uint64_t sum[WEFT_KSF_K_MAX + 1];
    bool wrong;
} verdict;

static inline void compare(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    verdict *v = context;
    v->sum[length] += count;
    if (count != plain_count(path, length))
        v->wrong = true;
}

/* Each count is right, and their sum is the number of n-grams, so that none is missing. */
static inline bool is_plain_count(const kipf *forest, unsigned k)
{
    verdict v = {0};
    kipf_each(forest, k, NULL, compare, &v);
    EXPECT(!v.wrong);
    for (unsigned n = 1; n <= k; n++)
        EXPECT(v.sum[n] == ngrams_of_length(n));
    return true;
}

/* Calls, returns, recursion, and activations that are left without an exit, as after longjmp. */
static inline void random_stream(check_random *random, unsigned size, unsigned paths)
{
    int last[LIVE_MAX];
    unsigned depth = 0;
    last[0] = -1;
    stream.size = 0;
    while (stream.size < size) {
        unsigned dice = check_random_below(random, 16);
        if (dice == 0 && depth + 1 < LIVE_MAX)
            last[++depth] = -1;
        else if (dice == 1 && depth)
            depth--;
        else if (dice == 2 && check_random_below(random, 8) == 0)
            depth = check_random_below(random, depth + 1);
        unsigned i = stream.size++;
        /* Loops, mostly of a short period, so that nodes are used again. */
        unsigned regular = i % (2 + depth % 3);
        stream.path[i] = (uint8_t)(check_random_below(random, 4) ? regular : check_random_below(random, paths));
        stream.activation[i] = (uint8_t)depth;
        stream.begins[i] = last[depth] < 0;
        stream.before[i] = last[depth];
        last[depth] = (int)i;
    }
}

#endif
