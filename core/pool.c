/* SPDX-License-Identifier: MIT */
#include "core/pool.h"

weft_status weft_pool_init(weft_pool *pool, weft_handle *next, size_t count)
{
    if (!next || count == 0 || count > WEFT_NONE)
        return WEFT_CONFIG;
    pool->next = next;
    pool->count = (weft_handle)count;
    pool->fresh = 0;
    pool->high_water = 0;
    pool->free_first = WEFT_NONE;
    pool->used = 0;
    return WEFT_OK;
}

weft_handle weft_pool_take(weft_pool *pool)
{
    weft_handle index = pool->free_first;
    if (index != WEFT_NONE) {
        pool->free_first = pool->next[index];
    } else {
        if (pool->fresh == pool->count)
            return WEFT_NONE;
        index = pool->fresh++;
    }
    pool->used++;
    if (pool->used > pool->high_water)
        pool->high_water = pool->used;
    return index;
}

void weft_pool_give(weft_pool *pool, weft_handle index)
{
    WEFT_ASSERT(index < pool->fresh);
    pool->next[index] = pool->free_first;
    pool->free_first = index;
    pool->used--;
}

void weft_pool_reset(weft_pool *pool)
{
    pool->fresh = 0;
    pool->free_first = WEFT_NONE;
    pool->used = 0;
}
