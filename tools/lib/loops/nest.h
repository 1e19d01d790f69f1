/* SPDX-License-Identifier: MIT */
/* Loop nests of a sequence of symbols: Xu, Subhlok & Hammen, "Efficient discovery of loop nests in execution traces".
 *
 * A nest is a sequence of items. An item is a symbol or a loop. A loop has a body, which is again a sequence of items,
 * and iterations, at least 2. Equal loops are stored once, so a nest is a graph without cycles:
 *
 *      (E(ab)^4F)^3 x (ab)^4      symbols  E a b F x          items 0 .. 4
 *                                 loops    0: (a b)^4         item 5, body at items[0..2)
 *                                          1: (E 5 F)^3       item 6, body at items[2..5)
 *                                 root     6 x 5              items[5..8)
 *
 * A body contains only loops with smaller numbers. The nesting is never deeper than 31: the optimal and greedy methods
 * take 2^31 symbols, and each level at least doubles the length; the detector of the target nests 8 deep. */
#ifndef WEFT_TOOLS_LIB_LOOPS_NEST_H
#define WEFT_TOOLS_LIB_LOOPS_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest sequence of which the optimal and the greedy methods find the nest, in symbols. */
#define NEST_SIZE_MAX ((size_t)1 << 31)
/* The longest sequence that a nest stands for (the detector of the target takes longer ones), and the deepest
 * nesting. */
#define NEST_LENGTH_MAX ((uint64_t)INT64_MAX)
#define NEST_DEPTH_MAX 32

typedef struct nest_loop {
    size_t first;        /* the body: items[first .. first + size) */
    uint32_t size;       /* items in the body, at least 1 */
    uint32_t iterations; /* at least 2 */
} nest_loop;

typedef struct nest {
    uint32_t *symbols; /* an item below `alphabet` stands for symbols[item] ... */
    uint32_t alphabet;
    nest_loop *loops; /* ... and any other for loops[item - alphabet] */
    uint32_t loop_count;
    size_t loop_max;
    uint32_t *items; /* the bodies, then the root */
    size_t item_count, item_max;
    size_t root;     /* the root: items[root .. item_count) */
    uint64_t length; /* of the sequence */
    uint32_t *slots; /* hash table of loops by content: number + 1 */
    size_t slot_count;
} nest;

void nest_free(nest *n);
/* Bytes of memory that its loops and items take. */
size_t nest_bytes(const nest *n);

/* Building a nest. An empty one over the given alphabet, which is copied. */
nest *nest_new(const uint32_t *symbols, uint32_t alphabet);
/* The item of the loop with this body, whose items exist, and these iterations; a new loop if there is none. */
uint32_t nest_intern(nest *n, const uint32_t *body, uint32_t size, uint32_t iterations);
/* Appends the root and sets `length`. To be called once, at the end. */
void nest_set_root(nest *n, const uint32_t *root, size_t size);

static inline bool nest_is_loop(const nest *n, uint32_t item)
{
    return item >= n->alphabet;
}

static inline const nest_loop *nest_loop_of(const nest *n, uint32_t item)
{
    return n->loops + (item - n->alphabet);
}

/* The length of one iteration of each loop, in symbols; loop_count elements, from malloc. */
uint64_t *nest_body_lengths(const nest *n);

typedef struct nest_stats {
    uint64_t length;  /* of the sequence */
    uint64_t symbols; /* written in the nest */
    uint64_t written; /* loops written in the nest */
    uint32_t loops;   /* distinct */
    uint32_t depth;   /* 0: no loop */
} nest_stats;

nest_stats nest_measure(const nest *n);

/* Walks the nest as it is written, without recursion. Any function may be NULL. `at` is the position in the expanded
 * sequence, of a loop that of its first iteration; `depth` is the number of loops around. */
typedef struct nest_visitor {
    void *context;
    void (*symbol)(void *context, uint32_t symbol, uint64_t at, unsigned depth);
    void (*enter)(void *context, uint32_t loop, uint64_t at, unsigned depth);
    void (*leave)(void *context, uint32_t loop, uint64_t at, unsigned depth);
} nest_visitor;
void nest_walk(const nest *n, const nest_visitor *visitor);

/* Calls `take` with each symbol of the expanded sequence, in order, until it says false; false then. */
bool nest_expand(const nest *n, bool (*take)(void *context, uint32_t symbol), void *context);

#endif
