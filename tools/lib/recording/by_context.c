/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/by_context.h"

#include "tools/lib/base/memory.h"

void *by_context_search(void *all, size_t *count, size_t *max, size_t size, uint32_t context, size_t *at)
{
    *at = 0;
    while (*at < *count && by_context_number(all, size, *at) != context)
        ++*at;
    if (*at < *count)
        return all;
    all = memory_room(all, *count, max, size);
    uint8_t *fresh = (uint8_t *)all + *count * size;
    memset(fresh, 0, size);
    memcpy(fresh, &context, sizeof context);
    ++*count;
    return all;
}
