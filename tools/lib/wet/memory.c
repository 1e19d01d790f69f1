/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/memory.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/pages.h"

#define PAGE_BITS 12

struct wet_memory {
    pages bytes;
};

wet_memory *wet_memory_new(void)
{
    wet_memory *memory = memory_zero(1, sizeof *memory);
    pages_init(&memory->bytes, 1u << (32 - PAGE_BITS));
    return memory;
}

void wet_memory_free(wet_memory *memory)
{
    pages_free(&memory->bytes);
    free(memory);
}

wet_origin wet_memory_get(const wet_memory *memory, uint32_t address)
{
    const wet_origin *page = memory->bytes.all[address >> PAGE_BITS];
    return page ? page[address & ((1u << PAGE_BITS) - 1)] : (wet_origin){0, 0};
}

void wet_memory_set(wet_memory *memory, uint32_t address, uint32_t size, wet_origin origin)
{
    for (uint32_t i = 0; i < size; i++, address++) {
        wet_origin *page = pages_take(&memory->bytes, address >> PAGE_BITS, 1u << PAGE_BITS, sizeof *page);
        page[address & ((1u << PAGE_BITS) - 1)] = origin;
    }
}
