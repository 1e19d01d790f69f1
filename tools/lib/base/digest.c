/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/digest.h"

static const uint64_t prime1 = 0x9e3779b185ebca87, prime2 = 0xc2b2ae3d27d4eb4f, prime3 = 0x165667b19e3779f9,
                      prime4 = 0x85ebca77c2b2ae63, prime5 = 0x27d4eb2f165667c5;

static uint64_t turn(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t load4(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint64_t load8(const uint8_t *b)
{
    return load4(b) | load4(b + 4) << 32;
}

static uint64_t round_of(uint64_t lane, uint64_t input)
{
    return turn(lane + input * prime2, 31) * prime1;
}

static uint64_t join(uint64_t hash, uint64_t lane)
{
    return (hash ^ round_of(0, lane)) * prime1 + prime4;
}

/* Four lanes of 8 bytes each; *at becomes the first byte that is not in a whole stripe. */
static uint64_t stripes(uint64_t seed, const uint8_t **at, const uint8_t *end)
{
    uint64_t a = seed + prime1 + prime2, b = seed + prime2, c = seed, d = seed - prime1;
    for (; end - *at >= 32; *at += 32) {
        a = round_of(a, load8(*at));
        b = round_of(b, load8(*at + 8));
        c = round_of(c, load8(*at + 16));
        d = round_of(d, load8(*at + 24));
    }
    return join(join(join(join(turn(a, 1) + turn(b, 7) + turn(c, 12) + turn(d, 18), a), b), c), d);
}

uint64_t digest_of(uint64_t seed, const void *bytes, size_t size)
{
    const uint8_t *at = bytes, *end = at + size;
    uint64_t hash = size >= 32 ? stripes(seed, &at, end) : seed + prime5;
    hash += size;
    for (; end - at >= 8; at += 8)
        hash = turn(hash ^ round_of(0, load8(at)), 27) * prime1 + prime4;
    for (; end - at >= 4; at += 4)
        hash = turn(hash ^ load4(at) * prime1, 23) * prime2 + prime3;
    for (; at < end; at++)
        hash = turn(hash ^ *at * prime5, 11) * prime1;
    hash = (hash ^ hash >> 33) * prime2;
    hash = (hash ^ hash >> 29) * prime3;
    return hash ^ hash >> 32;
}
