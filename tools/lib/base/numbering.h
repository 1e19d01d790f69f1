/* SPDX-License-Identifier: MIT */
/* Numbers the distinct values of a stream from 0 on, in the order of their first appearance: directly for small values, else by open
 * addressing. A map that is all zero is empty. */
#ifndef WEFT_TOOLS_LIB_BASE_NUMBERING_H
#define WEFT_TOOLS_LIB_BASE_NUMBERING_H

#include <stddef.h>
#include <stdint.h>

typedef struct terminal_map {
    uint32_t *direct, direct_max;        /* index + 1; 0: none */
    uint32_t *slots, slots_size;         /* likewise; a power of two */
    uint32_t *values, count, values_max; /* by index */
} terminal_map;

/* The way of a value that is new, or large. */
uint32_t terminal_map_slow(terminal_map *map, uint32_t value);

static inline uint32_t terminal_map_index(terminal_map *map, uint32_t value)
{
    if (value < map->direct_max && map->direct[value])
        return map->direct[value] - 1;
    return terminal_map_slow(map, value);
}

size_t terminal_map_bytes(const terminal_map *map);
/* The values, which are the caller's then. */
uint32_t *terminal_map_take(terminal_map *map);
void terminal_map_free(terminal_map *map);

#endif
