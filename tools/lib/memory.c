/* SPDX-License-Identifier: MIT */
#include "tools/lib/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *or_exit(void *memory)
{
    if (!memory) {
        fputs("weft: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

void *memory_zero(size_t count, size_t size)
{
    return or_exit(calloc(count ? count : 1, size ? size : 1));
}

void *memory_grow(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return or_exit(NULL);
    return or_exit(realloc(old, count && size ? count * size : 1));
}
