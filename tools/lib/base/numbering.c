/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/numbering.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { DIRECT_MAX = 1 << 20 };

static uint32_t append(terminal_map *map, uint32_t value)
{
    if (map->count == map->values_max) {
        map->values_max = 2 * map->values_max + 64;
        map->values = memory_grow(map->values, map->values_max, sizeof *map->values);
    }
    map->values[map->count] = value;
    return map->count++;
}

static uint32_t *slot_of(const terminal_map *map, uint32_t value)
{
    uint32_t mask = map->slots_size - 1;
    uint32_t slot = (uint32_t)(value * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (map->slots[slot] && map->values[map->slots[slot] - 1] != value)
        slot = (slot + 1) & mask;
    return map->slots + slot;
}

static void slots_grow(terminal_map *map)
{
    map->slots_size = map->slots_size ? 2 * map->slots_size : 256;
    free(map->slots);
    map->slots = memory_zero(map->slots_size, sizeof *map->slots);
    for (uint32_t i = 0; i < map->count; i++)
        if (map->values[i] >= DIRECT_MAX)
            *slot_of(map, map->values[i]) = i + 1;
}

static uint32_t hashed(terminal_map *map, uint32_t value)
{
    if (map->count >= map->slots_size / 2)
        slots_grow(map);
    uint32_t *slot = slot_of(map, value);
    if (!*slot)
        *slot = append(map, value) + 1;
    return *slot - 1;
}

uint32_t terminal_map_slow(terminal_map *map, uint32_t value)
{
    if (value >= DIRECT_MAX)
        return hashed(map, value);
    if (value >= map->direct_max) {
        uint32_t max = map->direct_max;
        map->direct_max = value < 256 ? 256 : value < DIRECT_MAX / 2 ? 2 * value : DIRECT_MAX;
        map->direct = memory_grow(map->direct, map->direct_max, sizeof *map->direct);
        memset(map->direct + max, 0, (map->direct_max - max) * sizeof *map->direct);
    }
    return (map->direct[value] = append(map, value) + 1) - 1;
}

size_t terminal_map_bytes(const terminal_map *map)
{
    return ((size_t)map->direct_max + map->slots_size + map->values_max) * sizeof(uint32_t);
}

uint32_t *terminal_map_take(terminal_map *map)
{
    uint32_t *values = map->values;
    map->values = NULL;
    return values;
}

void terminal_map_free(terminal_map *map)
{
    free(map->direct);
    free(map->slots);
    free(map->values);
}
