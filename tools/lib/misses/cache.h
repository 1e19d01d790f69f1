/* SPDX-License-Identifier: MIT */
/* A set-associative cache: which lines it holds, not what is in them. */
#ifndef WEFT_TOOLS_LIB_MISSES_CACHE_H
#define WEFT_TOOLS_LIB_MISSES_CACHE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum cache_policy {
    CACHE_LRU,    /* the line that was used longest ago goes */
    CACHE_FIFO,   /* the line that came first: ways in turn */
    CACHE_RANDOM, /* the way that a generator says: xorshift (13, 17, 5) of 32 bits, started with 1; modulo the ways */
    CACHE_POLICIES
} cache_policy;

typedef struct cache_config {
    uint32_t size, ways, line; /* bytes; 0 ways: there is none */
    cache_policy policy;
    bool around; /* stores that miss do not fill a line */
    bool flash;  /* only for what is in flash */
} cache_config;

typedef struct cache {
    cache_config config;
    uint32_t sets, shift; /* shift: of an address to a line's number */
    uint32_t *lines;      /* by set and way: number + 1; 0: empty. Empty ways come last */
    uint64_t *used;       /* LRU: when */
    uint32_t *turn;       /* FIFO: of each set, the way to go next */
    uint64_t now;
    uint32_t random, last; /* last: line used last + 1 */
} cache;

/* The configuration is good: sets and the line are powers of two. */
void cache_init(cache *c, const cache_config *config);
void cache_free(cache *c);
/* Uses a line, by its number; true: it was not there, as always where there is no cache. Then it is now, if `fill`. */
bool cache_misses(cache *c, uint32_t line, bool fill);

#endif
