/* SPDX-License-Identifier: MIT */
/* Arrays with one element per context, in the order in which the contexts first ran. Each element begins with the
 * number of its context, a uint32_t. */
#ifndef WEFT_TOOLS_LIB_PROFILE_BY_CONTEXT_H
#define WEFT_TOOLS_LIB_PROFILE_BY_CONTEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t by_context_number(const void *all, size_t size, size_t at)
{
    uint32_t number;
    memcpy(&number, (const uint8_t *)all + at * size, sizeof number);
    return number;
}

/* The index of a context's element among `count` elements of `size` bytes; `count`: it has none. */
size_t by_context_search(const void *all, size_t count, size_t size, uint32_t context);

/* The same, and tries *last first: the index that the previous call gave. It becomes this one. Inline: it runs for each
 * path. */
static inline size_t by_context_find(const void *all, size_t count, size_t size, uint32_t context, size_t *last)
{
    if (*last >= count || by_context_number(all, size, *last) != context)
        *last = by_context_search(all, count, size, context);
    return *last;
}

#endif
