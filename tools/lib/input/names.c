/* SPDX-License-Identifier: MIT */
#include "tools/lib/input/names.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

static uint32_t hash_text(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 16777619u;
    return hash ^ hash >> 15;
}

/* The slot of the text in the table: it holds the text, or is free. */
static uint32_t slot_of(const name_table *n, const char *text)
{
    uint32_t slot = hash_text(text) & (n->table_size - 1);
    while (n->table[slot] && strcmp(n->text + n->start[n->table[slot] - 1], text))
        slot = (slot + 1) & (n->table_size - 1);
    return slot;
}

static void rehash(name_table *n)
{
    n->table_size = n->table_size ? 2 * n->table_size : 1024;
    free(n->table);
    n->table = memory_zero(n->table_size, sizeof *n->table);
    for (uint32_t i = 0; i < n->count; i++)
        n->table[slot_of(n, n->text + n->start[i])] = i + 1;
}

uint32_t names_number(name_table *n, const char *text)
{
    if (2 * (uint64_t)n->count >= n->table_size)
        rehash(n);
    uint32_t slot = slot_of(n, text);
    if (n->table[slot])
        return n->table[slot] - 1;
    size_t size = strlen(text) + 1;
    n->text = memory_room(n->text, n->size + size - 1, &n->size_max, 1);
    n->start = memory_room(n->start, n->count, &n->count_max, sizeof *n->start);
    memcpy(n->text + n->size, text, size);
    n->start[n->count] = n->size;
    n->size += size;
    n->table[slot] = ++n->count;
    return n->count - 1;
}

bool names_find(const name_table *n, const char *text, uint32_t *number)
{
    if (!n->table_size)
        return false;
    uint32_t found = n->table[slot_of(n, text)];
    *number = found - 1;
    return found != 0;
}

const char *names_text(const name_table *n, uint32_t number)
{
    return n->text + n->start[number];
}

void names_free(name_table *n)
{
    free(n->text);
    free(n->start);
    free(n->table);
}
