/* SPDX-License-Identifier: MIT */
#include "tools/lib/fleet/keys.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/base/memory.h"

void digests_free(digests *all)
{
    free(all->slots);
    *all = (digests){0};
}

static size_t slot_of(const digests *all, uint64_t digest)
{
    size_t at = digest & (all->max - 1);
    while (all->slots[at] && all->slots[at] != digest)
        at = (at + 1) & (all->max - 1);
    return at;
}

bool digests_has(const digests *all, uint64_t digest)
{
    digest += digest == 0;
    return all->max && all->slots[slot_of(all, digest)];
}

bool digests_add(digests *all, uint64_t digest)
{
    digest += digest == 0;
    if (2 * all->count >= all->max) {
        uint64_t *old = all->slots;
        size_t old_max = all->max;
        all->max = all->max ? 2 * all->max : 16;
        all->slots = memory_zero(all->max, sizeof *all->slots);
        for (size_t i = 0; i < old_max; i++)
            if (old[i])
                all->slots[slot_of(all, old[i])] = old[i];
        free(old);
    }
    size_t at = slot_of(all, digest);
    if (all->slots[at])
        return false;
    all->slots[at] = digest;
    all->count++;
    return true;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

uint64_t *digests_sorted(const digests *all)
{
    uint64_t *sorted = memory_zero(all->count + 1, sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; i < all->max; i++)
        if (all->slots[i])
            sorted[count++] = all->slots[i];
    qsort(sorted, count, sizeof *sorted, ascending);
    return sorted;
}

void texts_free(texts *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->text[i]);
    free(all->text);
    free(all->slots);
    *all = (texts){0};
}

static size_t text_slot(const texts *all, const char *text, size_t size)
{
    size_t at = digest_of(0, text, size) & (all->slots_max - 1);
    for (; all->slots[at]; at = (at + 1) & (all->slots_max - 1)) {
        const char *other = all->text[all->slots[at] - 1];
        if (!strncmp(other, text, size) && !other[size])
            break;
    }
    return at;
}

uint32_t texts_of(texts *all, const char *text, size_t size)
{
    if (2 * all->count >= all->slots_max) {
        all->slots_max = all->slots_max ? 2 * all->slots_max : 16;
        free(all->slots);
        all->slots = memory_zero(all->slots_max, sizeof *all->slots);
        for (size_t i = 0; i < all->count; i++)
            all->slots[text_slot(all, all->text[i], strlen(all->text[i]))] = (uint32_t)i + 1;
    }
    size_t at = text_slot(all, text, size);
    if (all->slots[at])
        return all->slots[at] - 1;
    all->text = memory_room(all->text, all->count, &all->text_max, sizeof *all->text);
    char *copy = memory_zero(size + 1, 1);
    memcpy(copy, text, size);
    all->text[all->count] = copy;
    all->slots[at] = (uint32_t)++all->count;
    return (uint32_t)all->count - 1;
}
