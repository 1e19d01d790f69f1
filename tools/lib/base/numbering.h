/* SPDX-License-Identifier: MIT */
/* Numbers the distinct values of a stream 0, 1, 2, ... in the order of their first appearance. Small values are looked
 * up directly, others by open addressing.
 *
 *     stream    7 7 3 9 3        numbers   0 0 1 2 1        values   7 3 9 */
#ifndef WEFT_TOOLS_LIB_BASE_NUMBERING_H
#define WEFT_TOOLS_LIB_BASE_NUMBERING_H

#include <stddef.h>
#include <stdint.h>

/* One value at a time. A numbering that is all zero is empty. */
typedef struct numbering {
    uint32_t *direct; /* by value: its number + 1; 0: none yet */
    uint32_t *slots;  /* by hash: likewise */
    uint32_t *values; /* by number */
    uint32_t direct_max, count;
    size_t slots_max, values_max; /* slots_max is a power of two */
} numbering;

/* The part of numbering_of that takes new and large values. */
uint32_t numbering_slow(numbering *n, uint32_t value);

/* The number of a value. */
static inline uint32_t numbering_of(numbering *n, uint32_t value)
{
    if (value < n->direct_max && n->direct[value])
        return n->direct[value] - 1;
    return numbering_slow(n, value);
}

/* The number of a value that has one already, else n->count. Several threads may ask at once. */
uint32_t numbering_find(const numbering *n, uint32_t value);

size_t numbering_bytes(const numbering *n); /* of its memory */
/* Hands the array of values over to the caller, who frees it. Nothing may be numbered after it. */
uint32_t *numbering_take(numbering *n);
void numbering_free(numbering *n);

/* A whole sequence at once. */
typedef struct dense {
    uint32_t *text;    /* the sequence in the new numbers; `size + 1` elements, the last one free */
    uint32_t *symbols; /* the value that each number stands for */
    uint32_t alphabet; /* how many numbers there are */
} dense;

/* Both arrays come from malloc. */
dense dense_of(const uint32_t *symbols, size_t size);

#endif
