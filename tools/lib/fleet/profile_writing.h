/* SPDX-License-Identifier: MIT */
/* What the files that write a profile share: bytes that grow, and the order of names and sets. */
#ifndef WEFT_TOOLS_LIB_FLEET_PROFILE_WRITING_H
#define WEFT_TOOLS_LIB_FLEET_PROFILE_WRITING_H

#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/profile_file.h"

typedef struct bytes {
    uint8_t *all;
    size_t size, max;
} bytes;

static inline void put(bytes *b, uint8_t byte)
{
    b->all = memory_room(b->all, b->size, &b->max, 1);
    b->all[b->size++] = byte;
}

static inline void put_raw(bytes *b, const void *from, size_t size)
{
    if (!size)
        return;
    b->all = memory_room(b->all, b->size + size - 1, &b->max, 1);
    memcpy(b->all + b->size, from, size);
    b->size += size;
}

static inline void put_wide(bytes *b, wide value)
{
    for (; value > 127; value >>= 7)
        put(b, (uint8_t)(value | 128));
    put(b, (uint8_t)value);
}

static inline void put_number(bytes *b, uint64_t value)
{
    for (; value > 127; value >>= 7)
        put(b, (uint8_t)(value | 128));
    put(b, (uint8_t)value);
}

static inline void put_fixed(bytes *b, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        put(b, (uint8_t)(value >> 8 * i));
}

/* The names and sets that are used, in the order in which they are written. */
typedef struct profile_order {
    const merged *all;
    uint32_t *name; /* by number: its place */
    uint32_t *set;  /* by number: its place + 1 */
    uint32_t *names, *sets;
    uint32_t *member; /* of sets[i], at the same place as in all->sets: places of names, ascending */
    size_t name_count, set_count;
    bool leads; /* a path has one, so all are written */
} profile_order;

profile_order profile_order_of(const merged *all);
void profile_order_free(profile_order *o);

/* The group of the image that is written as number `place`. */
void profile_put_group(bytes *b, const merged_group *g, uint32_t place, const profile_order *o);
/* A sorted copy of a table; from malloc. */
void *profile_sorted(const void *table, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
