/* SPDX-License-Identifier: MIT */
#include "tools/lib/inspect/part_objects.h"

#include <stddef.h>
#include <stdlib.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"

static int by_address(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

/* All places where an object begins or ends, and 0, in order. */
static uint32_t *cuts_of(const image_symbols *symbols, size_t *count)
{
    uint32_t *cut = memory_grow(NULL, 2 * symbols->count + 1, sizeof *cut);
    size_t cuts = 0;
    cut[cuts++] = 0;
    for (size_t i = 0; i < symbols->count; i++) {
        cut[cuts++] = symbols->all[i].address;
        cut[cuts++] = symbols->all[i].address + symbols->all[i].size;
    }
    qsort(cut, cuts, sizeof *cut, by_address);
    *count = 0;
    for (size_t i = 0; i < cuts; i++)
        if (!i || cut[i] != cut[*count - 1])
            cut[(*count)++] = cut[i];
    return cut;
}

part_objects part_objects_of(const image_symbols *symbols)
{
    part_objects all;
    uint32_t *cut = cuts_of(symbols, &all.count);
    all.span = memory_grow(NULL, all.count, sizeof *all.span);
    for (size_t i = 0; i < all.count; i++) {
        uint32_t offset;
        const image_symbol *object = image_object(symbols, cut[i], &offset);
        /* The last one would end at 2^32: its last byte is left out. */
        uint32_t size = i + 1 < all.count ? cut[i + 1] - cut[i] : UINT32_MAX - cut[i];
        all.span[i] = (part_object){object ? (uint32_t)(object - symbols->all) + 1 : 0, cut[i], size};
    }
    free(cut);
    return all;
}

void part_objects_free(part_objects *all)
{
    free(all->span);
    all->span = NULL;
}

part_object part_objects_at(const part_objects *all, uint32_t address)
{
    return all->span[bisect_up_to(all->span, all->count, sizeof *all->span, offsetof(part_object, low), address) - 1];
}
