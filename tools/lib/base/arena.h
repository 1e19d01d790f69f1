/* SPDX-License-Identifier: MIT */
/* Many small arrays that are freed together: they take no more than their elements, and touch no memory of their own.
 *
 *     arena a = {0};
 *     uint32_t *all = arena_zero(&a, count, sizeof *all);
 *     arena_free(&a);
 *
 * With the address sanitizer each array is a piece of its own, so that what lies beyond it is found. */
#ifndef WEFT_TOOLS_LIB_BASE_ARENA_H
#define WEFT_TOOLS_LIB_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

/* Starts as {0}. */
typedef struct arena {
    void *last; /* the piece that was made last */
    uint8_t *next;
    size_t size, left; /* bytes of that piece; from `next` on */
} arena;

/* `count` elements of `size` bytes, all 0; never NULL. */
void *arena_zero(arena *a, size_t count, size_t size);
/* All arrays. */
void arena_free(arena *a);

#endif
