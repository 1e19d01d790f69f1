/* SPDX-License-Identifier: MIT */
/* Binary search in arrays that are sorted by a number. */
#ifndef WEFT_TOOLS_LIB_BASE_BISECT_H
#define WEFT_TOOLS_LIB_BASE_BISECT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How many of `count` elements of `size` bytes have a key of at most `key`: the place after the last of them. An
 * element's key is the uint32_t at its byte `key_at`; keys ascend, and may come again. */
static inline size_t bisect_up_to(const void *all, size_t count, size_t size, size_t key_at, uint32_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t here;
        memcpy(&here, (const char *)all + middle * size + key_at, sizeof here);
        if (here <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many have a key below `key`: the place of the first that has it, if one does. */
static inline size_t bisect_below(const void *all, size_t count, size_t size, size_t key_at, uint32_t key)
{
    return key ? bisect_up_to(all, count, size, key_at, key - 1) : 0;
}

#endif
