/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/memory.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

#define PAGE_BITS 12

struct wet_memory {
    wet_origin *pages[1u << (32 - PAGE_BITS)];
};

wet_memory *wet_memory_new(void)
{
    return memory_zero(1, sizeof(wet_memory));
}

void wet_memory_free(wet_memory *memory)
{
    for (uint32_t i = 0; i < 1u << (32 - PAGE_BITS); i++)
        if (memory->pages[i]) /* nearly all are not there */
            free(memory->pages[i]);
    free(memory);
}

wet_origin wet_memory_get(const wet_memory *memory, uint32_t address)
{
    const wet_origin *page = memory->pages[address >> PAGE_BITS];
    return page ? page[address & ((1u << PAGE_BITS) - 1)] : (wet_origin){0, 0};
}

void wet_memory_set(wet_memory *memory, uint32_t address, uint32_t size, wet_origin origin)
{
    for (uint32_t i = 0; i < size; i++, address++) {
        wet_origin **page = &memory->pages[address >> PAGE_BITS];
        if (!*page)
            *page = memory_zero(1u << PAGE_BITS, sizeof **page);
        (*page)[address & ((1u << PAGE_BITS) - 1)] = origin;
    }
}
