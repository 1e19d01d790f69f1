/* SPDX-License-Identifier: MIT */
/* Lends the indices 0..count-1 of one of the caller's typed arrays. The pool knows nothing of the
 * elements: it keeps only the chain of free indices, in an array of the caller, and the high-water mark.
 *
 *     free_first -> 3 -> 0 -> NONE      next[] holds the chain
 *     fresh       = 5                   indices from 5 on: no chain to build in init or reset
 */
#ifndef WEFT_CORE_POOL_H
#define WEFT_CORE_POOL_H

#include "core/base.h"

typedef struct weft_pool {
    weft_handle *next; /* the caller's, `count` elements; may alias a link field kept free by the user */
    weft_handle count;
    weft_handle fresh;      /* indices from here on were not lent since the last reset */
    weft_handle free_first; /* head of the chain of returned indices */
    weft_handle used;       /* lent now */
    weft_handle high_water; /* most lent at once since init */
} weft_pool;

/* Ready to lend 0..count-1, 1 <= count <= 65,535. WEFT_CONFIG otherwise. Touches no element of next. */
weft_status weft_pool_init(weft_pool *pool, weft_handle *next, size_t count);
/* An index, or WEFT_NONE when all are lent. Constant time. */
weft_handle weft_pool_take(weft_pool *pool);
/* Takes back an index that weft_pool_take gave. Constant time. */
void weft_pool_give(weft_pool *pool, weft_handle index);
/* Takes everything back at once. The high-water mark stays. */
void weft_pool_reset(weft_pool *pool);
/* How many more can be taken. */
static inline weft_handle weft_pool_left(const weft_pool *pool)
{
    return (weft_handle)(pool->count - pool->used);
}

#endif
