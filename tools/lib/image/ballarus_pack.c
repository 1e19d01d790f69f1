/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/ballarus.h"

static unsigned bits_for(uint64_t count)
{
    unsigned bits = 0;
    while (UINT64_C(1) << bits < count)
        bits++;
    return bits;
}

/* The block that the next path of a pack starts at. BALLARUS_NONE: no path of a pack comes after this one. */
static uint32_t start_after(const ballarus *g, const bool *apart, uint32_t number)
{
    ballarus_ends ends;
    if (ballarus_expand(g, number, NULL, 0, &ends) == SIZE_MAX || ends.edge == BALLARUS_NONE || ends.at_exit)
        return BALLARUS_NONE;
    uint32_t block = g->edge[ends.edge].to;
    return apart && apart[block] ? BALLARUS_NONE : block;
}

static unsigned digit_bits(const ballarus *g, uint32_t block)
{
    unsigned bits = bits_for(g->ways[block]);
    return bits ? bits : 1;
}

size_t ballarus_unpack(const ballarus *g, const bool *apart, uint32_t word, uint32_t paths[BALLARUS_PACK_MAX])
{
    size_t count = 0;
    unsigned left = 0, bits = bits_for(g->count);
    while (word >> left > 1)
        left++;
    uint32_t first = 0;
    uint64_t ways = g->count;
    if (!word)
        return 0;
    for (;;) {
        if (bits > left || count == BALLARUS_PACK_MAX)
            return 0;
        left -= bits;
        uint32_t digit = (uint32_t)(word >> left & ((UINT64_C(1) << bits) - 1));
        if (digit >= ways)
            return 0;
        paths[count++] = first + digit;
        if (!left)
            return count;
        uint32_t block = start_after(g, apart, first + digit);
        if (block == BALLARUS_NONE)
            return 0;
        first = g->start_value[block];
        ways = g->ways[block];
        bits = digit_bits(g, block);
    }
}

uint32_t ballarus_pack(const ballarus *g, const bool *apart, const uint32_t *paths, size_t count)
{
    uint64_t word = 1, ways = g->count;
    uint32_t first = 0;
    unsigned bits = bits_for(g->count);
    for (size_t i = 0; i < count; i++) {
        uint32_t block = i ? start_after(g, apart, paths[i - 1]) : 0;
        if (i && block == BALLARUS_NONE)
            return 0;
        if (i) {
            first = g->start_value[block];
            ways = g->ways[block];
            bits = digit_bits(g, block);
        }
        if (paths[i] < first || paths[i] - first >= ways || (word << bits) >> 32)
            return 0;
        word = word << bits | (paths[i] - first);
    }
    return count ? (uint32_t)word : 0;
}
