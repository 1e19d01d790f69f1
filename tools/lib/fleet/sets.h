/* SPDX-License-Identifier: MIT */
/* Small sets of devices, each kept once: a set is a number, and equal sets have equal numbers. A set has up to
 * SETS_MEMBERS_MAX members; a union with more is SETS_MORE, whichever they are. So the union of any sets does not
 * depend on order or grouping.
 *
 *     {3, 5} is set 2;  {5, 8} is set 3;  their union is set 4;  {3, 5, 8} is set 4, which was there
 *     {10 .. 25} is set 5;  its union with set 2 has 18 members: SETS_MORE */
#ifndef WEFT_TOOLS_LIB_FLEET_SETS_H
#define WEFT_TOOLS_LIB_FLEET_SETS_H

#include <stddef.h>
#include <stdint.h>

enum { SETS_NONE = 0, SETS_MORE = 1, SETS_FIRST = 2, SETS_MEMBERS_MAX = 16 };

typedef struct sets_entry {
    uint32_t at; /* of its members, ascending */
    uint32_t count;
} sets_entry;

/* All zero: no sets. */
typedef struct sets {
    uint32_t *members;
    sets_entry *set; /* number - SETS_FIRST */
    uint32_t *slots; /* open addressing: index of a set + 1 */
    size_t member_count, members_max, count, sets_max, slots_max;
} sets;

void sets_free(sets *all);
/* 1 .. SETS_MEMBERS_MAX members, ascending. */
uint32_t sets_of(sets *all, const uint32_t *members, uint32_t count);
uint32_t sets_union(sets *all, uint32_t a, uint32_t b);
/* The members of a set, valid until another is made; none of SETS_NONE and SETS_MORE. */
const uint32_t *sets_members(const sets *all, uint32_t set, uint32_t *count);

#endif
