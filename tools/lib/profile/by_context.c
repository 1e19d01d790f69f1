/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/by_context.h"

size_t by_context_search(const void *all, size_t count, size_t size, uint32_t context)
{
    size_t at = 0;
    while (at < count && by_context_number(all, size, at) != context)
        at++;
    return at;
}
