/* SPDX-License-Identifier: MIT */
#include "tools/lib/squeeze/words.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

/* ---- sparse bits ---- */

#define LEVELS_MAX 12 /* of maps: enough for 8^12 bytes */

/* Appends levels from the smallest down. The sizes of the levels follow from `size`. */
void bits_pack(squeeze_bytes *out, const uint8_t *bits, size_t size)
{
    const uint8_t *level[LEVELS_MAX] = {bits};
    size_t sizes[LEVELS_MAX] = {size};
    int top = 0;
    while (sizes[top] > 1) {
        uint8_t *map = memory_zero(sizes[top] / 8 + 1, 1);
        for (size_t i = 0; i < sizes[top]; i++)
            if (level[top][i])
                map[i >> 3] |= (uint8_t)(1u << (i & 7));
        sizes[top + 1] = (sizes[top] + 7) / 8;
        level[++top] = map;
    }
    if (size)
        squeeze_bytes_add(out, level[top], 1);
    for (int l = top - 1; l >= 0; l--) {
        for (size_t i = 0; i < sizes[l]; i++)
            if (level[l][i])
                squeeze_bytes_add(out, &level[l][i], 1);
    }
    for (int l = 1; l <= top; l++)
        free((void *)(uintptr_t)level[l]);
}

/* Puts the bytes of a level where its map says. The rest of `out` is 0 already. */
static void level_unpack(weft_reader *reader, uint8_t *out, size_t size, const uint8_t *map)
{
    for (size_t m = 0; m < (size + 7) / 8; m++)
        for (unsigned rest = map[m]; rest; rest &= rest - 1) {
            size_t i = m * 8 + (unsigned)__builtin_ctz(rest);
            if (i >= size) {
                reader->status = WEFT_CORRUPT;
                return;
            }
            out[i] = weft_read_u8(reader);
        }
}

void bits_unpack(weft_reader *reader, uint8_t *bits, size_t size)
{
    size_t sizes[LEVELS_MAX] = {size};
    int top = 0;
    while (sizes[top] > 1) {
        sizes[top + 1] = (sizes[top] + 7) / 8;
        top++;
    }
    if (!size)
        return;
    uint8_t first = weft_read_u8(reader), *map = NULL;
    if (top == 0)
        bits[0] = first;
    for (int l = top; l > 0; l--) {
        uint8_t *below = l == 1 ? bits : memory_zero(sizes[l - 1], 1);
        level_unpack(reader, below, sizes[l - 1], l == top ? &first : map);
        free(map);
        map = l == 1 ? NULL : below;
    }
}

/* ---- words ---- */

enum { MAP_PLAIN, MAP_SIGN, MAP_DELTA, MAPS };

/* Strides are signed. Values are smallest either as they are or as differences from the last value that was not 0. */
static uint64_t word_map(unsigned map, unsigned width, uint64_t word, uint64_t *last)
{
    unsigned shift = 64 - width;
    uint64_t mapped = word;
    if (map == MAP_SIGN)
        mapped = weft_zigzag64((int64_t)(word << shift) >> shift);
    if (map == MAP_DELTA && word)
        mapped = 1 + weft_zigzag64((int64_t)((word - *last) << shift) >> shift);
    if (word)
        *last = word;
    return mapped;
}

static uint64_t word_unmap(unsigned map, unsigned width, uint64_t mapped, uint64_t *last)
{
    uint64_t mask = width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1, word = mapped;
    if (map == MAP_SIGN)
        word = (uint64_t)weft_unzigzag64(mapped) & mask;
    if (map == MAP_DELTA && mapped)
        word = (*last + (uint64_t)weft_unzigzag64(mapped - 1)) & mask;
    if (word)
        *last = word;
    return word;
}

static unsigned byte_count(uint64_t value)
{
    return value ? (unsigned)(71 - __builtin_clzll(value)) / 8 : 0;
}

static unsigned best_map(const uint64_t *words, size_t count, unsigned width)
{
    size_t sizes[MAPS] = {0};
    unsigned best = 0;
    for (unsigned map = 0; map < MAPS; map++) {
        uint64_t last = 0;
        for (size_t i = 0; i < count; i++) {
            uint64_t mapped = word_map(map, width, words[i], &last);
            /* A 64-bit delta of the largest magnitude does not fit once 1 is added. */
            sizes[map] += map == MAP_DELTA && words[i] && !mapped ? SIZE_MAX / 4 : byte_count(mapped);
        }
        if (sizes[map] < sizes[best])
            best = map;
    }
    return best;
}

void words_pack(squeeze_bytes *out, const uint64_t *words, size_t count, unsigned width)
{
    unsigned map = best_map(words, count, width);
    uint8_t first = (uint8_t)map;
    uint64_t last = 0;
    squeeze_bytes_varint(out, count);
    if (!count)
        return;
    squeeze_bytes_add(out, &first, 1);
    size_t nibbles = out->size;
    squeeze_bytes_add(out, NULL, (count + 1) / 2);
    memset(out->data + nibbles, 0, (count + 1) / 2);
    size_t planes[9] = {0};
    for (size_t i = 0; i < count; i++) {
        unsigned size = byte_count(word_map(map, width, words[i], &last));
        out->data[nibbles + i / 2] |= (uint8_t)(size << (4 * (i & 1)));
        for (unsigned k = 0; k < size; k++)
            planes[k + 1]++;
    }
    size_t first_plane = out->size;
    for (unsigned k = 0; k < 8; k++)
        planes[k + 1] += planes[k];
    squeeze_bytes_add(out, NULL, planes[8]);
    last = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t mapped = word_map(map, width, words[i], &last);
        for (unsigned k = 0; mapped >> (8 * k); k++) {
            out->data[first_plane + planes[k]++] = (uint8_t)(mapped >> (8 * k));
            if (k == 7)
                break;
        }
    }
}

size_t words_unpack(weft_reader *reader, size_t most, unsigned width, put_word *put, void *context)
{
    uint64_t count = weft_read_varint64(reader), last = 0;
    if (reader->status != WEFT_OK || count > most) {
        reader->status = WEFT_CORRUPT;
        return 0;
    }
    if (!count)
        return 0;
    unsigned map = weft_read_u8(reader);
    const uint8_t *nibbles = weft_read_bytes(reader, (size_t)(count + 1) / 2);
    if (!nibbles || map >= MAPS) {
        reader->status = WEFT_CORRUPT;
        return 0;
    }
    size_t planes[9] = {0};
    for (size_t i = 0; i < count; i++)
        for (unsigned k = nibbles[i / 2] >> (4 * (i & 1)) & 15; k > 0; k--)
            planes[k < 8 ? k : 8]++;
    for (unsigned k = 0; k < 8; k++)
        planes[k + 1] += planes[k];
    const uint8_t *bytes = weft_read_bytes(reader, planes[8]);
    if (!bytes) {
        reader->status = WEFT_CORRUPT;
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned size = nibbles[i / 2] >> (4 * (i & 1)) & 15;
        uint64_t mapped = 0;
        if (size > 8) {
            reader->status = WEFT_CORRUPT;
            return 0;
        }
        for (unsigned k = 0; k < size; k++)
            mapped |= (uint64_t)bytes[planes[k]++] << (8 * k);
        put(context, i, word_unmap(map, width, mapped, &last));
    }
    return (size_t)count;
}
