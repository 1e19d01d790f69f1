/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/ballarus.h"

static unsigned bits_for(uint64_t count)
{
    unsigned bits = 0;
    while (UINT64_C(1) << bits < count)
        bits++;
    return bits;
}

bool ballarus_start_after(const ballarus *g, const bool *apart, uint32_t number, ballarus_start *start)
{
    ballarus_ends ends;
    if (ballarus_expand(g, number, NULL, 0, &ends) == SIZE_MAX || ends.edge == BALLARUS_NONE || ends.at_exit)
        return false;
    uint32_t block = g->edge[ends.edge].to;
    *start = (ballarus_start){g->start_value[block], g->ways[block]};
    return !apart || !apart[block];
}

static unsigned digit_bits(uint64_t ways)
{
    unsigned bits = bits_for(ways);
    return bits ? bits : 1;
}

size_t ballarus_unpack_by(ballarus_next *next, const void *own, uint64_t all, uint32_t word,
                          uint32_t paths[BALLARUS_PACK_MAX])
{
    size_t count = 0;
    unsigned left = 0, bits = bits_for(all);
    ballarus_start start = {0, all};
    while (word >> left > 1)
        left++;
    if (!word)
        return 0;
    for (;;) {
        if (bits > left || count == BALLARUS_PACK_MAX)
            return 0;
        left -= bits;
        uint32_t digit = (uint32_t)(word >> left & ((UINT64_C(1) << bits) - 1));
        if (digit >= start.ways)
            return 0;
        paths[count++] = start.value + digit;
        if (!left)
            return count;
        if (!next(own, start.value + digit, &start))
            return 0;
        bits = digit_bits(start.ways);
    }
}

/* A graph, and where no path of a pack starts. */
typedef struct walk {
    const ballarus *g;
    const bool *apart;
} walk;

static bool next_of(const void *own, uint32_t number, ballarus_start *start)
{
    const walk *w = own;
    return ballarus_start_after(w->g, w->apart, number, start);
}

size_t ballarus_unpack(const ballarus *g, const bool *apart, uint32_t word, uint32_t paths[BALLARUS_PACK_MAX])
{
    walk w = {g, apart};
    return ballarus_unpack_by(next_of, &w, g->count, word, paths);
}

uint32_t ballarus_pack(const ballarus *g, const bool *apart, const uint32_t *paths, size_t count)
{
    uint64_t word = 1;
    ballarus_start start = {0, g->count};
    unsigned bits = bits_for(g->count);
    for (size_t i = 0; i < count; i++) {
        if (i && !ballarus_start_after(g, apart, paths[i - 1], &start))
            return 0;
        if (i)
            bits = digit_bits(start.ways);
        if (paths[i] < start.value || paths[i] - start.value >= start.ways || (word << bits) >> 32)
            return 0;
        word = word << bits | (paths[i] - start.value);
    }
    return count ? (uint32_t)word : 0;
}
