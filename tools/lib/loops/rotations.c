/* SPDX-License-Identifier: MIT */
#include "tools/lib/loops/rotations.h"

#include <stdbool.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"

/* Where the least rotation of body[0..size) starts (Duval). */
static uint32_t least_rotation(const uint32_t *body, uint32_t size)
{
    uint32_t i = 0, j = 1, k = 0;
    while (i < size && j < size && k < size) {
        uint32_t a = body[(i + k) % size], b = body[(j + k) % size];
        if (a == b) {
            k++;
            continue;
        }
        if (a > b)
            i += k + 1;
        else
            j += k + 1;
        j += i == j;
        k = 0;
    }
    return i < j ? i : j;
}

static void table_grow(rotations *r)
{
    rotation *old = r->table;
    size_t old_max = r->table_max;
    r->table_max = old_max ? 2 * old_max : 64;
    r->table = memory_zero(r->table_max, sizeof *r->table);
    for (size_t i = 0; i < old_max; i++) {
        if (!old[i].size)
            continue;
        size_t at = old[i].hash & (r->table_max - 1);
        while (r->table[at].size)
            at = (at + 1) & (r->table_max - 1);
        r->table[at] = old[i];
    }
    free(old);
}

/* Whether a known body has body[least..size), body[0..least) as its least rotation. */
static bool is_known_as(const rotations *r, const rotation *known, const uint32_t *body, uint32_t size, uint32_t least)
{
    uint32_t same = 0;
    while (known->size == size && same < size && r->bodies[known->first + same] == body[(least + same) % size])
        same++;
    return same == size;
}

uint32_t rotations_turn(rotations *r, const uint32_t *body, uint32_t size)
{
    uint32_t least = least_rotation(body, size);
    uint64_t hash = size;
    for (uint32_t i = 0; i < size; i++)
        hash = (hash ^ body[(least + i) % size]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    if (2 * r->count >= r->table_max)
        table_grow(r);
    size_t at = hash & (r->table_max - 1);
    for (; r->table[at].size; at = (at + 1) & (r->table_max - 1))
        if (is_known_as(r, r->table + at, body, size, least))
            return (least + r->table[at].offset) % size;
    r->table[at] = (rotation){hash, r->bodies_count, size, (size - least) % size};
    r->count++;
    r->bodies = memory_room(r->bodies, r->bodies_count + size - 1, &r->bodies_max, sizeof *r->bodies);
    for (uint32_t i = 0; i < size; i++)
        r->bodies[r->bodies_count++] = body[(least + i) % size];
    return 0;
}

void rotations_free(rotations *r)
{
    free(r->table);
    free(r->bodies);
}
