/* SPDX-License-Identifier: MIT */
/* An arithmetic code of bits, and counters that say how likely they are. Private to the room.
 *
 * A counter holds in its high 22 bits the probability that the bit is 1, and in its low 10 bits how often it was used:
 * it learns quickly at first. Arithmetic is of integers only, so that a block means the same on each machine. */
#ifndef WEFT_TOOLS_LIB_SQUEEZE_ARITHMETIC_H
#define WEFT_TOOLS_LIB_SQUEEZE_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/squeeze/bytes.h"

#define COUNTER_HALF (1u << 31) /* not used yet */
#define COUNTER_USES_MAX 255u   /* more: slower to follow changes; 1 to 1023 */
#define COUNTER_SHARES 1024     /* numbers that `share` below points to */

typedef struct arithmetic {
    uint32_t low, high, code;
    const uint8_t *in, *end;
    squeeze_bytes *out;
} arithmetic;

static inline uint32_t arithmetic_byte(arithmetic *c)
{
    return c->in < c->end ? *c->in++ : 0;
}

static inline arithmetic arithmetic_encode(squeeze_bytes *out)
{
    return (arithmetic){.high = UINT32_MAX, .out = out};
}

/* The last byte: with zeros after it, it lies between low and high. */
static inline void arithmetic_finish(arithmetic *c)
{
    uint8_t last = (uint8_t)((c->low >> 24) + 1);
    squeeze_bytes_add(c->out, &last, 1);
}

/* What is read beyond the end of the bytes is 0. */
static inline arithmetic arithmetic_decode(const uint8_t *bytes, size_t size)
{
    arithmetic c = {.high = UINT32_MAX, .in = bytes, .end = bytes + size};
    for (unsigned i = 0; i < 4; i++)
        c.code = c.code << 8 | arithmetic_byte(&c);
    return c;
}

/* A bit that is 1 with a probability of p / 2^bits, 0 < p < 2^bits, bits at most 16. */
static inline bool arithmetic_bit(arithmetic *c, const bool decode, bool bit, uint32_t p, unsigned bits)
{
    uint32_t middle = c->low + (uint32_t)((uint64_t)(c->high - c->low) * p >> bits);
    if (decode)
        bit = c->code <= middle;
    if (bit)
        c->high = middle;
    else
        c->low = middle + 1;
    while (!((c->low ^ c->high) >> 24)) {
        if (decode) {
            c->code = c->code << 8 | arithmetic_byte(c);
        } else {
            uint8_t byte = (uint8_t)(c->high >> 24);
            squeeze_bytes_add(c->out, &byte, 1);
        }
        c->low <<= 8;
        c->high = c->high << 8 | 255;
    }
    return bit;
}

static inline void counters_set(uint32_t *counters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        counters[i] = COUNTER_HALF;
}

/* The part of an error that a counter takes, of 65536, by how often it was used. */
static inline void counter_shares(uint32_t share[COUNTER_SHARES])
{
    for (uint32_t i = 0; i < COUNTER_SHARES; i++)
        share[i] = 131072 / (2 * i + 3);
}

static inline void counter_learn(const uint32_t *share, uint32_t *counter, bool bit)
{
    uint32_t uses = *counter & 1023;
    int32_t error = (int32_t)((bit ? (1u << 22) - 1 : 0) - (*counter >> 10));
    *counter += ((uint32_t)((int64_t)error * share[uses] >> 16) << 10) + (uses < COUNTER_USES_MAX);
}

#endif
