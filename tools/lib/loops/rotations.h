/* SPDX-License-Identifier: MIT */
/* Known bodies of loops under all their rotations: a b c is known as b c a and c a b, too.
 *
 *     asked for   answer
 *     a b c       0      new: it is known from now on
 *     b c a       2      turned left twice it is a b c
 *     c a b       1      turned left once
 *     a c b       0      not a rotation of a b c: new */
#ifndef WEFT_TOOLS_LIB_LOOPS_ROTATIONS_H
#define WEFT_TOOLS_LIB_LOOPS_ROTATIONS_H

#include <stddef.h>
#include <stdint.h>

/* A known body: its least rotation, and where the body itself starts in that. */
typedef struct rotation {
    uint64_t hash;
    size_t first; /* the least rotation: bodies[first .. first + size) */
    uint32_t size, offset;
} rotation;

/* Zero it to begin; rotations_free it at the end. */
typedef struct rotations {
    rotation *table; /* by hash, open addressing; size 0: free */
    size_t table_max, count;
    uint32_t *bodies; /* least rotations */
    size_t bodies_count, bodies_max;
} rotations;

/* How far body[0..size) must be turned left to become a known body. If none is a rotation of it: 0, and it is known
 * from now on. */
uint32_t rotations_turn(rotations *r, const uint32_t *body, uint32_t size);
void rotations_free(rotations *r);

#endif
