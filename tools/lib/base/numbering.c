/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/numbering.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { DIRECT_MAX = 1 << 20 /* values below this are looked up directly: 4 MB at most */ };

static uint32_t append(numbering *n, uint32_t value)
{
    n->values = memory_room(n->values, n->count, &n->values_max, sizeof *n->values);
    n->values[n->count] = value;
    return n->count++;
}

static uint32_t *slot_of(const numbering *n, uint32_t value)
{
    size_t mask = n->slots_max - 1, slot = (value * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (n->slots[slot] && n->values[n->slots[slot] - 1] != value)
        slot = (slot + 1) & mask;
    return n->slots + slot;
}

static void slots_grow(numbering *n)
{
    n->slots_max = n->slots_max ? 2 * n->slots_max : 256;
    free(n->slots);
    n->slots = memory_zero(n->slots_max, sizeof *n->slots);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->values[i] >= DIRECT_MAX)
            *slot_of(n, n->values[i]) = i + 1;
}

static uint32_t hashed(numbering *n, uint32_t value)
{
    if (n->count >= n->slots_max / 2)
        slots_grow(n);
    uint32_t *slot = slot_of(n, value);
    if (!*slot)
        *slot = append(n, value) + 1;
    return *slot - 1;
}

uint32_t numbering_slow(numbering *n, uint32_t value)
{
    if (value >= DIRECT_MAX)
        return hashed(n, value);
    if (value >= n->direct_max) {
        uint32_t max = n->direct_max;
        n->direct_max = value < 256 ? 256 : value < DIRECT_MAX / 2 ? 2 * value : DIRECT_MAX;
        n->direct = memory_grow(n->direct, n->direct_max, sizeof *n->direct);
        memset(n->direct + max, 0, (n->direct_max - max) * sizeof *n->direct);
    }
    return (n->direct[value] = append(n, value) + 1) - 1;
}

uint32_t numbering_find(const numbering *n, uint32_t value)
{
    uint32_t found = 0;
    if (value < n->direct_max)
        found = n->direct[value];
    else if (value >= DIRECT_MAX && n->slots_max)
        found = *slot_of(n, value);
    return found ? found - 1 : n->count;
}

size_t numbering_bytes(const numbering *n)
{
    return (n->direct_max + n->slots_max + n->values_max) * sizeof(uint32_t);
}

uint32_t *numbering_take(numbering *n)
{
    uint32_t *values = n->values;
    n->values = NULL;
    return values;
}

void numbering_free(numbering *n)
{
    free(n->direct);
    free(n->slots);
    free(n->values);
}

dense dense_of(const uint32_t *symbols, size_t size)
{
    numbering n = {0};
    dense out = {.text = memory_grow(NULL, size + 1, sizeof *out.text)};
    for (size_t i = 0; i < size; i++)
        out.text[i] = numbering_of(&n, symbols[i]);
    out.alphabet = n.count;
    out.symbols = numbering_take(&n);
    numbering_free(&n);
    return out;
}
