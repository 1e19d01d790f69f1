/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/dense.h"

#include <stdbool.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"

typedef struct numbering {
    dense out;
    uint32_t symbols_max;
    uint32_t *table; /* number + 1; by value, or open addressing by hash */
    size_t table_size;
} numbering;

static uint32_t add(numbering *n, uint32_t symbol)
{
    if (n->out.alphabet == n->symbols_max) {
        n->symbols_max = n->symbols_max ? 2 * n->symbols_max : 256;
        n->out.symbols = memory_grow(n->out.symbols, n->symbols_max, sizeof *n->out.symbols);
    }
    n->out.symbols[n->out.alphabet] = symbol;
    return n->out.alphabet++;
}

static size_t slot_of(const numbering *n, uint32_t symbol)
{
    size_t mask = n->table_size - 1, slot = (symbol * (uint64_t)0x9e3779b97f4a7c15u) >> 24 & mask;
    while (n->table[slot] && n->out.symbols[n->table[slot] - 1] != symbol)
        slot = (slot + 1) & mask;
    return slot;
}

static void rehash(numbering *n)
{
    free(n->table);
    n->table_size *= 2;
    n->table = memory_zero(n->table_size, sizeof *n->table);
    for (uint32_t i = 0; i < n->out.alphabet; i++)
        n->table[slot_of(n, n->out.symbols[i])] = i + 1;
}

static void number_by_hash(numbering *n, const uint32_t *symbols, size_t size)
{
    n->table_size = 1 << 12;
    n->table = memory_zero(n->table_size, sizeof *n->table);
    for (size_t i = 0; i < size; i++) {
        size_t slot = slot_of(n, symbols[i]);
        if (!n->table[slot]) {
            n->table[slot] = add(n, symbols[i]) + 1;
            n->out.text[i] = n->out.alphabet - 1;
            if (2 * (size_t)n->out.alphabet > n->table_size)
                rehash(n);
        } else {
            n->out.text[i] = n->table[slot] - 1;
        }
    }
}

static void number_by_value(numbering *n, const uint32_t *symbols, size_t size, uint32_t largest)
{
    n->table = memory_zero((size_t)largest + 1, sizeof *n->table);
    for (size_t i = 0; i < size; i++) {
        uint32_t *number = n->table + symbols[i];
        if (!*number)
            *number = add(n, symbols[i]) + 1;
        n->out.text[i] = *number - 1;
    }
}

dense dense_of(const uint32_t *symbols, size_t size)
{
    numbering n = {.out.text = memory_grow(NULL, size + 1, sizeof(uint32_t))};
    uint32_t largest = 0;
    for (size_t i = 0; i < size; i++)
        largest = symbols[i] > largest ? symbols[i] : largest;
    if (largest < 1 << 16 || largest < size)
        number_by_value(&n, symbols, size, largest);
    else
        number_by_hash(&n, symbols, size);
    free(n.table);
    return n.out;
}
