/* SPDX-License-Identifier: MIT */
#include "tools/lib/loops/binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"

static const uint8_t magic[4] = {'W', 'L', 'N', 1};

/* ---- writing ---- */

typedef struct bit_writer {
    uint8_t *bytes;
    size_t size, max;
    unsigned bit; /* the next of the last byte; 8: none left */
} bit_writer;

static void put_bit(bit_writer *w, unsigned bit)
{
    if (w->bit == 8) {
        w->bytes = memory_room(w->bytes, w->size, &w->max, 1);
        w->bytes[w->size++] = 0;
        w->bit = 0;
    }
    w->bytes[w->size - 1] |= (uint8_t)(bit << w->bit++);
}

/* The lowest `count` bits, highest first. */
static void put_bits(bit_writer *w, uint64_t value, unsigned count)
{
    while (count--)
        put_bit(w, value >> count & 1);
}

static unsigned log2_of(uint64_t value)
{
    return 63 - (unsigned)__builtin_clzll(value);
}

static void put_gamma(bit_writer *w, uint64_t value)
{
    unsigned k = log2_of(value);
    put_bits(w, 0, k);
    put_bits(w, value, k + 1);
}

/* 0 <= value < bound: k bits for the first `low` numbers, k + 1 for the others. */
static void put_index(bit_writer *w, uint64_t value, uint64_t bound)
{
    bound = bound < 2 ? 2 : bound;
    unsigned k = log2_of(bound);
    uint64_t low = ((uint64_t)2 << k) - bound;
    if (value < low)
        put_bits(w, value, k);
    else
        put_bits(w, value + low, k + 1);
}

typedef struct ranked {
    uint32_t symbol, item;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    uint32_t x = ((const ranked *)a)->symbol, y = ((const ranked *)b)->symbol;
    return (x > y) - (x < y);
}

/* Writes the symbols; the rank of each in their order. */
static uint32_t *put_symbols(bit_writer *w, const nest *n)
{
    ranked *order = memory_grow(NULL, n->alphabet, sizeof *order);
    uint32_t *rank = memory_grow(NULL, n->alphabet, sizeof *rank);
    for (uint32_t i = 0; i < n->alphabet; i++)
        order[i] = (ranked){n->symbols[i], i};
    if (n->alphabet)
        qsort(order, n->alphabet, sizeof *order, compare_ranked);
    put_gamma(w, (uint64_t)n->alphabet + 1);
    for (uint32_t i = 0; i < n->alphabet; i++) {
        put_gamma(w, i ? order[i].symbol - order[i - 1].symbol : (uint64_t)order[i].symbol + 1);
        rank[order[i].item] = i;
    }
    free(order);
    return rank;
}

static void put_items(bit_writer *w, const nest *n, const uint32_t *rank, size_t first, size_t size, uint32_t loops)
{
    for (size_t i = first; i < first + size; i++) {
        uint32_t item = n->items[i];
        put_index(w, nest_is_loop(n, item) ? item : rank[item], (uint64_t)n->alphabet + loops);
    }
}

uint8_t *nest_encode(const nest *n, size_t *size)
{
    bit_writer w = {.bytes = memory_grow(NULL, 64, 1), .size = sizeof magic, .max = 64, .bit = 8};
    memcpy(w.bytes, magic, sizeof magic);
    put_gamma(&w, n->length + 1);
    uint32_t *rank = put_symbols(&w, n);
    put_gamma(&w, (uint64_t)n->loop_count + 1);
    for (uint32_t i = 0; i < n->loop_count; i++) {
        put_gamma(&w, n->loops[i].iterations - 1);
        put_gamma(&w, n->loops[i].size);
        put_items(&w, n, rank, n->loops[i].first, n->loops[i].size, i);
    }
    put_gamma(&w, n->item_count - n->root + 1);
    put_items(&w, n, rank, n->root, n->item_count - n->root, n->loop_count);
    free(rank);
    uint32_t crc = weft_crc32(0, w.bytes, w.size);
    w.bit = 8;
    for (unsigned i = 0; i < 16; i++)
        put_bit(&w, crc >> i & 1);
    *size = w.size;
    return w.bytes;
}

/* ---- reading ---- */

typedef struct bit_reader {
    const uint8_t *bytes;
    uint64_t at, end; /* in bits */
    const char *wrong;
} bit_reader;

static bool fail(bit_reader *r, const char *wrong)
{
    if (!r->wrong)
        r->wrong = wrong;
    r->end = r->at;
    return false;
}

static unsigned take_bit(bit_reader *r)
{
    if (r->at >= r->end) {
        fail(r, "ends too early");
        return 1; /* ends a gamma code */
    }
    unsigned bit = r->bytes[r->at >> 3] >> (r->at & 7) & 1;
    r->at++;
    return bit;
}

static uint64_t take_bits(bit_reader *r, unsigned count)
{
    uint64_t value = 0;
    while (count--)
        value = value << 1 | take_bit(r);
    return value;
}

/* A gamma code of at most `max`. */
static uint64_t take_gamma(bit_reader *r, uint64_t max, const char *what)
{
    unsigned k = 0;
    while (!take_bit(r) && k < 63)
        k++;
    uint64_t value = (uint64_t)1 << k | take_bits(r, k);
    if (value > max)
        fail(r, what);
    return r->wrong ? 1 : value;
}

static uint64_t take_index(bit_reader *r, uint64_t bound)
{
    uint64_t real = bound;
    bound = bound < 2 ? 2 : bound;
    unsigned k = log2_of(bound);
    uint64_t low = ((uint64_t)2 << k) - bound, value = take_bits(r, k);
    if (value >= low)
        value = (value << 1 | take_bit(r)) - low;
    if (!r->wrong && value >= real)
        fail(r, "names a symbol or loop that is not there");
    return r->wrong ? 0 : value;
}

/* What the loops that were read so far stand for. */
typedef struct measures {
    uint64_t *length; /* of all iterations */
    uint8_t *depth;   /* 1: no loop in it */
} measures;

static const char too_long[] = "stands for 2^63 symbols or more", too_deep[] = "has more than 31 loops in one another";

/* Reads `size` items; gives them, the sum of their lengths and the deepest of their loops. Each takes at least a bit,
 * so a short file cannot ask for much memory. */
static uint32_t *take_items(bit_reader *r, const nest *n, const measures *loops, uint64_t size, uint64_t *length,
                            unsigned *depth)
{
    *length = *depth = 0;
    if (size > r->end - r->at)
        fail(r, "has more items than bits");
    if (r->wrong)
        return NULL;
    uint32_t *items = memory_grow(NULL, size, sizeof *items);
    for (uint64_t i = 0; i < size && !r->wrong; i++) {
        items[i] = (uint32_t)take_index(r, (uint64_t)n->alphabet + n->loop_count);
        bool loop = !r->wrong && nest_is_loop(n, items[i]);
        size_t index = loop ? items[i] - n->alphabet : 0;
        *length += loop ? loops->length[index] : 1;
        if (loop && loops->depth[index] > *depth)
            *depth = loops->depth[index];
        if (*length > NEST_LENGTH_MAX)
            fail(r, too_long);
    }
    return items;
}

static nest *take_symbols(bit_reader *r)
{
    uint64_t count = take_gamma(r, NEST_SIZE_MAX + 1, "has too many symbols") - 1, symbol = 0;
    if (count > r->end - r->at)
        count = fail(r, "has more symbols than bits");
    uint32_t *symbols = memory_grow(NULL, count, sizeof *symbols);
    for (uint64_t i = 0; i < count && !r->wrong; i++) {
        symbol += take_gamma(r, (uint64_t)1 << 32, "has a symbol of more than 32 bits");
        if (symbol > (uint64_t)1 << 32)
            fail(r, "has a symbol of more than 32 bits");
        symbols[i] = (uint32_t)(symbol - 1);
    }
    nest *n = nest_new(symbols, r->wrong ? 0 : (uint32_t)count);
    free(symbols);
    return n;
}

static void take_loop(bit_reader *r, nest *n, measures *loops)
{
    uint32_t index = n->loop_count;
    uint64_t iterations = take_gamma(r, UINT32_MAX - 1, "has too many iterations") + 1, length;
    uint64_t size = take_gamma(r, UINT32_MAX, "has too long a loop");
    unsigned depth;
    uint32_t *items = take_items(r, n, loops, size, &length, &depth);
    if (!r->wrong && length > NEST_LENGTH_MAX / iterations)
        fail(r, too_long);
    if (!r->wrong && depth + 1 >= NEST_DEPTH_MAX)
        fail(r, too_deep);
    if (!r->wrong && nest_intern(n, items, (uint32_t)size, (uint32_t)iterations) != n->alphabet + index)
        fail(r, "has a loop twice");
    loops->length[index] = length * iterations;
    loops->depth[index] = (uint8_t)(depth + 1);
    free(items);
}

static void take_loops(bit_reader *r, nest *n, measures *loops)
{
    enum { LOOP_BITS = 3 /* at least: iterations, items, an item */ };
    uint64_t count = take_gamma(r, NEST_SIZE_MAX, "has too many loops") - 1;
    if (count > (r->end - r->at) / LOOP_BITS)
        fail(r, "has more loops than its bits hold");
    if (r->wrong)
        return;
    loops->length = memory_grow(NULL, count, sizeof *loops->length);
    loops->depth = memory_grow(NULL, count, sizeof *loops->depth);
    for (uint64_t i = 0; i < count && !r->wrong; i++)
        take_loop(r, n, loops);
}

nest *nest_decode(const uint8_t *bytes, size_t size, char error[160])
{
    if (size < sizeof magic + 2 || memcmp(bytes, magic, sizeof magic)) {
        snprintf(error, 160, "byte 0: this is not a binary loop nest");
        return NULL;
    }
    uint32_t crc = weft_crc32(0, bytes, size - 2) & 0xffff;
    if (bytes[size - 2] != (crc & 0xff) || bytes[size - 1] != crc >> 8) {
        snprintf(error, 160, "byte %zu: the check sum is wrong", size - 2);
        return NULL;
    }
    bit_reader r = {bytes, 8 * sizeof magic, 8 * ((uint64_t)size - 2), NULL};
    measures loops = {NULL, NULL};
    uint64_t stated = take_gamma(&r, NEST_LENGTH_MAX + 1, too_long) - 1, length;
    nest *n = take_symbols(&r);
    take_loops(&r, n, &loops);
    unsigned depth;
    uint64_t count = take_gamma(&r, UINT64_MAX, "has too many items") - 1;
    uint32_t *root = take_items(&r, n, &loops, count, &length, &depth);
    if (!r.wrong && length != stated)
        fail(&r, "does not have the length that it states");
    if (!r.wrong)
        nest_set_root(n, root, count);
    free(root);
    free(loops.length);
    free(loops.depth);
    if (!r.wrong)
        return n;
    snprintf(error, 160, "byte %llu: the nest %s", (unsigned long long)(r.at >> 3), r.wrong);
    nest_free(n);
    return NULL;
}
