/* SPDX-License-Identifier: MIT */
/* Records of path descriptors, byte by byte. For tests of one file. */
#ifndef WEFT_TESTS_LIB_DESCRIPTOR_RECORDS_H
#define WEFT_TESTS_LIB_DESCRIPTOR_RECORDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "core/bytes.h"
#include "tests/lib/check.h"
#include "tools/lib/image/descriptor.h"
#include "tools/lib/image/image.h"

typedef struct bytes {
    uint8_t at[600];
    size_t size;
} bytes;

static inline void put32(bytes *b, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        b->at[b->size++] = (uint8_t)(value >> 8 * i);
}

static inline void put(bytes *b, unsigned value)
{
    if (value >= 0x80)
        b->at[b->size++] = (uint8_t)(value | 0x80);
    b->at[b->size++] = (uint8_t)(value >= 0x80 ? value >> 7 : value);
}

static inline void put_all(bytes *b, const unsigned *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(b, values[i]);
}

/* int f(int n) { while (n) { if (n & 1) g(); n--; } }: blocks 0 test, 1 body, 2 g(), 3 decrement, 4 return.
 *      0 -> 4 return          a cut edge 1 -> 2, a back edge 3 -> 0 */
static inline void put_function(bytes *b, uint32_t base, bool with_sites)
{
    static const char *const strings[] = {"f", "f.c", "n"};
    static const unsigned head[] = {0, 0, 1, 10, 300, 9, 5};
    static const unsigned blocks[] = {0, 1,      1, 11, 1,      /**/ 0, 2, 1,      12, 1, 200,
                                      1, /**/ 1, 0, 0,  /**/ 0, 0,      0, /**/ 0, 0,  0};
    static const unsigned bare[] = {0, 0, 0, /**/ 0, 0, 0, /**/ 1, 0, 0, /**/ 0, 0, 0, /**/ 0, 0, 0};
    static const unsigned sites[] = {4, 0, 1, 11, 2, /**/ 2, 1, 1, 12, 2};
    static const unsigned edges[] = {0,      1, 0, 0, /**/ 1, 2, 0, 0, /**/ 1, 5, 0, 2, /**/ 2, 3, 1, 0,
                                     /**/ 2, 4, 0, 1, 3,      4, 0, 0, /**/ 4, 1, 1, 0, /**/ 5, 0, 2, 0};
    size_t start = b->size;
    put32(b, 0);
    memcpy(b->at + b->size, "WD\1\2", 4);
    b->size += 4;
    put32(b, 0x101);
    put32(b, base);
    put32(b, base * 2);
    put32(b, base);
    put(b, 3);
    for (int i = 0; i < 3; i++) {
        put(b, (unsigned)strlen(strings[i]));
        memcpy(b->at + b->size, strings[i], strlen(strings[i]));
        b->size += strlen(strings[i]);
    }
    put_all(b, head, WEFT_COUNT(head));
    b->at[b->size - 2] = 7; /* paths: 3 from ENTRY, 3 from block 0, 1 from block 2 */
    put(b, with_sites ? 2 : 0);
    put(b, 8);
    if (with_sites)
        put_all(b, blocks, WEFT_COUNT(blocks));
    else
        put_all(b, bare, WEFT_COUNT(bare));
    if (with_sites)
        put_all(b, sites, WEFT_COUNT(sites));
    put_all(b, edges, WEFT_COUNT(edges));
    size_t end = b->size;
    b->size = start;
    put32(b, (uint32_t)(end - start));
    b->size = end;
}

/* A function of one block, with a check. */
static inline void put_sealed(bytes *b, uint32_t base, uint8_t version, const unsigned *body, size_t count,
                              bool constant)
{
    size_t start = b->size, linked = start + DESCRIPTOR_LINKED_AT;
    put32(b, 0);
    memcpy(b->at + b->size, (const uint8_t[]){'W', 'D', version, 2}, 4);
    b->size += 4;
    put32(b, 0x201);
    for (int i = 0; i < 3; i++)
        put32(b, base);
    put(b, 1);
    put(b, 1);
    b->at[b->size++] = 'g';
    put_all(b, body, count);
    uint32_t sum = weft_crc32(0, b->at + start + DESCRIPTOR_HEAD_SIZE, b->size - start - DESCRIPTOR_HEAD_SIZE);
    for (int copy = 0; constant && copy < 2; copy++)
        put32(b, 0x20000008);
    memcpy(b->at + b->size, b->at + linked, DESCRIPTOR_LINKED_SIZE);
    b->size += DESCRIPTOR_LINKED_SIZE;
    put32(b, weft_crc32(sum, b->at + start + 6, 2));
    size_t size = b->size - start;
    memcpy(b->at + start, (const uint8_t[]){(uint8_t)size, 0, 0, 0}, 4);
}

/* int g(void) { return table[2]; }, in version 3: one block, a static site whose address the linker fills in. */
static inline void put_checked(bytes *b, uint32_t base)
{
    static const unsigned body[] = {0,      0,  0,
                                    10,     12, 1,
                                    1,      1,  2, /**/
                                    0,      1,  0,
                                    11,     1,
                                    /**/ 4, 0,  0,
                                    11,     0,  DESCRIPTOR_STATIC * 2 + 1,
                                    0, /**/
                                    0,      1,  0,
                                    0,
                                    /**/ 1, 0,  DESCRIPTOR_EDGE_RETURN * 2,
                                    0,
                                    /**/ 0};
    put_sealed(b, base, 3, body, WEFT_COUNT(body), true);
}

/* int g(int *p) { return p[1] + *(p + ...); }, in version 4: a recorded site of group 0, with constant 4; a site that
 * is computed from one term; a move on the edge to EXIT from group 2 to group 1. */
static inline void put_computed(bytes *b, unsigned operation, unsigned operand)
{
    const unsigned body[] = {0,
                             0,
                             0,
                             10,
                             12,
                             1,
                             1,
                             2,
                             2, /* one path, one block, two sites, two edges */
                             0,
                             1,
                             0,
                             11,
                             2, /* the block */
                             4,
                             0,
                             0,
                             11,
                             0,
                             DESCRIPTOR_RECORDED * 2,
                             1,
                             4,
                             4,
                             0,
                             0,
                             11,
                             0,
                             DESCRIPTOR_COMPUTED * 2,
                             0,
                             8,
                             1,
                             1,
                             2,
                             3,
                             operation,
                             operand, /* 8 + 2 * op(base 0 + 3) */
                             0,
                             1,
                             0,
                             0,
                             1,
                             0,
                             DESCRIPTOR_EDGE_RETURN * 2,
                             0, /* edges */
                             1,
                             1,
                             1,
                             12,
                             3};
    put_sealed(b, 0, 4, body, WEFT_COUNT(body), false);
}

/* void g(void) { f(); return; }, in version 5: lines 11 and 12 with a cut between them, a goto of line 13 on the edge
 * to EXIT. `step` is the last of the three steps, `jump` the kind of the goto. */
static inline void put_steps(bytes *b, unsigned step, unsigned jump)
{
    const unsigned body[] = {0, 0, 0,    10, 12,     1,  1,
                             0, 2, /* one path, one block, no sites, two edges */
                             0, 2, 0,    11, 0,      12, 3,
                             1, 0, step, 0, /* the block */
                             0, 1, 0,    0,  /**/ 1, 0,  DESCRIPTOR_EDGE_RETURN * 8 + jump * 2,
                             0, 0, 13,   0};
    put_sealed(b, 0, 5, body, WEFT_COUNT(body), false);
}

/* A block with DESCRIPTOR_BLOCK_CAUGHT; from version 6 on it has a landing. */
static inline void put_landing(bytes *b, uint8_t version, unsigned landing)
{
    const unsigned head[] = {0, 0, 0, 10, 12, 1, 1, 0, 2}; /* one path, one block, no sites, two edges */
    const unsigned edges[] = {0, 1, 0, 0, /**/ 1, 0, DESCRIPTOR_EDGE_RETURN * 8, 0, /**/ 0};
    const unsigned block[] = {DESCRIPTOR_BLOCK_CAUGHT, 1, 0, 11, 0, 0, landing};
    unsigned body[WEFT_COUNT(head) + WEFT_COUNT(block) + WEFT_COUNT(edges)];
    size_t of_block = WEFT_COUNT(block) - (version < 6);
    memcpy(body, head, sizeof head);
    memcpy(body + WEFT_COUNT(head), block, of_block * sizeof *block);
    memcpy(body + WEFT_COUNT(head) + of_block, edges, sizeof edges);
    put_sealed(b, 0, version, body, WEFT_COUNT(head) + of_block + WEFT_COUNT(edges), false);
}

#endif
