/* SPDX-License-Identifier: MIT */
/* Large random streams through core/bfcm and the blocks of tools/lib/squeeze. Checks round trips in both directions,
 * the same state whatever way the cursor came to a position, and sizes against a second one-way predictor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bfcm.h"
#include "tests/lib/check.h"
#include "tools/lib/squeeze/squeeze.h"

enum { VALUES = 20000, KINDS = 8, BITS = 10, LARGE_BITS = 14 };

static uint32_t values[VALUES];
static uint64_t wide[VALUES];

static uint32_t value_at(unsigned kind, unsigned i, check_random *random)
{
    uint32_t r = check_random_next(random);
    switch (kind) {
    case 0:
        return 42;
    case 1:
        return i * 12;
    case 2:
        return i % 17 * 0x01010101u;
    case 3:
        return r;
    case 4:
        return r % 5;
    case 5:
        return i / 64 % 2 ? i * 8 : i % 7;
    case 6:
        return 0x20000000u + i % 32 * 4 + (r % 50 == 0);
    default:
        return (i & 1) ? 0 : 0xffffffffu - i;
    }
}

static void make_stream(unsigned kind)
{
    check_random random = {kind + 99};
    for (unsigned i = 0; i < VALUES; i++) {
        values[i] = value_at(kind, i, &random);
        wide[i] = (uint64_t)values[i] << 20 ^ values[i / 2];
    }
}

static uint32_t tables[2 << LARGE_BITS], misses[VALUES];
static uint8_t flags[VALUES / 2];

static weft_bfcm_config config_of(unsigned method, unsigned size)
{
    return (weft_bfcm_config){.method = method,
                              .context = weft_bfcm_contexts[method][size],
                              .table_bits = BITS,
                              .tables = tables,
                              .flags = flags,
                              .values_max = VALUES,
                              .misses = misses,
                              .misses_max = VALUES};
}

/* Everything that makes up the state: object, tables, flags and the two parts of the misses. */
static uint32_t fingerprint(const weft_bfcm *b)
{
    weft_bfcm plain = *b;
    uint32_t crc = weft_crc32(0, (const uint8_t *)&plain, sizeof plain);
    crc = weft_crc32(crc, (const uint8_t *)tables,
                     4 * weft_bfcm_table_words(b->config.method, b->config.context, b->config.table_bits));
    crc = weft_crc32(crc, flags, weft_bfcm_flags_size(b->config.method, b->config.context, VALUES));
    crc = weft_crc32(crc, (const uint8_t *)misses, 4 * b->left);
    return weft_crc32(crc, (const uint8_t *)(misses + VALUES - b->right), 4 * b->right);
}

enum { MARKS = 40 };

static bool same_state_however_reached(unsigned method, unsigned size)
{
    weft_bfcm b;
    weft_bfcm_config config = config_of(method, size);
    static uint32_t print[MARKS + 1], out[VALUES];
    check_random random = {7};
    EXPECT(weft_bfcm_init(&b, &config) == WEFT_OK);
    for (unsigned i = 0; i < VALUES; i++)
        EXPECT(weft_bfcm_push(&b, values[i]) == WEFT_OK);
    print[MARKS] = fingerprint(&b);
    for (unsigned mark = MARKS; mark-- > 0;) {
        EXPECT(weft_bfcm_backward(&b, out, VALUES / MARKS) == VALUES / MARKS);
        for (unsigned i = 0; i < VALUES / MARKS; i++)
            EXPECT(out[i] == values[(mark + 1) * (VALUES / MARKS) - 1 - i]);
        print[mark] = fingerprint(&b);
        EXPECT(weft_bfcm_check(&b));
    }
    for (unsigned trip = 0; trip < 60; trip++) { /* wander, and compare at each mark */
        unsigned mark = check_random_below(&random, MARKS + 1);
        size_t to = mark * (size_t)(VALUES / MARKS), from = b.at;
        size_t steps = to > from ? weft_bfcm_forward(&b, out, to - from) : weft_bfcm_backward(&b, out, from - to);
        EXPECT(steps == (to > from ? to - from : from - to));
        for (size_t i = 0; i < steps; i++)
            EXPECT(out[i] == values[to > from ? from + i : from - 1 - i]);
        EXPECT(fingerprint(&b) == print[mark]);
    }
    return true;
}

static void state_and_values_do_not_depend_on_the_way(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned method = 0; method < WEFT_BFCM_METHODS; method++)
            for (unsigned size = 0; size < WEFT_BFCM_SIZES; size++) {
                make_stream(kind);
                CHECK(same_state_however_reached(method, size));
            }
}

static uint32_t symbol_at(weft_bfcm_method method, unsigned i)
{
    bool stride = method == WEFT_BFCM_DFCM || method == WEFT_BFCM_LAST_STRIDE;
    return stride && i ? values[i] - values[i - 1] : values[i];
}

/* Misses of a plain one-way FCM, whose table is indexed by the context itself: it shares no hash with core/bfcm. */
static size_t one_way_fcm(weft_bfcm_method method, unsigned n, unsigned rows)
{
    uint32_t *row = calloc(rows, sizeof *row), context[4] = {0};
    size_t count = 0;
    for (unsigned i = 0; i < VALUES; i++) {
        uint32_t symbol = symbol_at(method, i);
        uint32_t index = weft_crc32(0, (const uint8_t *)context, 4 * n) % rows;
        count += row[index] != symbol;
        row[index] = symbol;
        memmove(context + 1, context, 3 * sizeof *context);
        context[0] = symbol;
    }
    free(row);
    return count;
}

/* Misses of a plain one-way last-n predictor: symbols not among the last n distinct ones, found by looking back at
 * the stream. */
static size_t one_way_last(weft_bfcm_method method, unsigned n)
{
    size_t count = 0;
    for (unsigned i = 0; i < VALUES; i++) {
        uint32_t distinct[WEFT_BFCM_LAST_MAX], symbol = symbol_at(method, i);
        unsigned seen = 0, at = i;
        bool hit = false;
        while (at-- > 0 && !hit && seen < n) {
            uint32_t other = symbol_at(method, at);
            unsigned k = 0;
            while (k < seen && distinct[k] != other)
                k++;
            if (k == seen)
                distinct[seen++] = other;
            hit = other == symbol;
        }
        count += !hit;
    }
    return count;
}

static bool is_within_a_tenth(unsigned method, unsigned size)
{
    weft_bfcm b;
    weft_bfcm_config config = config_of(method, size);
    config.table_bits = LARGE_BITS; /* so that few contexts share a row by chance */
    weft_bfcm_init(&b, &config);
    for (unsigned i = 0; i < VALUES; i++)
        weft_bfcm_push(&b, values[i]);
    size_t one_way = method >= WEFT_BFCM_LAST ? one_way_last(method, config.context)
                                              : one_way_fcm(method, config.context, 1 << LARGE_BITS);
    size_t end = b.left;
    weft_bfcm_backward(&b, NULL, VALUES);
    EXPECT(end <= one_way + one_way / 10 + 80);
    EXPECT(b.right <= one_way + one_way / 10 + 80);
    return true;
}

static void sizes_are_within_a_tenth_of_the_one_way_predictors(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        make_stream(kind);
        for (unsigned method = 0; method < WEFT_BFCM_METHODS; method++)
            for (unsigned size = 0; size < WEFT_BFCM_SIZES; size++)
                CHECK(is_within_a_tenth(method, size));
    }
}

static bool block_round_trip(squeeze_packer *packer, squeeze_choice choice, bool is_wide, size_t count)
{
    squeeze_bytes bytes = {0};
    squeeze_cursor cursor;
    static uint64_t out[VALUES];
    size_t used;
    if (is_wide)
        squeeze_pack64(packer, &bytes, choice, wide, count);
    else
        squeeze_pack32(packer, &bytes, choice, values, count);
    EXPECT(squeeze_open(&cursor, bytes.data, bytes.size, &used) == WEFT_OK && used == bytes.size);
    EXPECT(squeeze_count(&cursor) == count && squeeze_forward(&cursor, out, VALUES) == count);
    for (size_t i = 0; i < count; i++)
        EXPECT(out[i] == (is_wide ? wide[i] : values[i]));
    EXPECT(squeeze_backward(&cursor, out, VALUES) == count);
    for (size_t i = 0; i < count; i++)
        EXPECT(out[i] == (is_wide ? wide[count - 1 - i] : values[count - 1 - i]));
    squeeze_close(&cursor);
    squeeze_bytes_free(&bytes);
    return true;
}

static bool blocks_come_back(squeeze_packer *packer, squeeze_choice choice)
{
    static const size_t counts[] = {1, 2, 7, 8, 9, 63, 64, 65, 1000, VALUES};
    for (unsigned i = 0; i < WEFT_COUNT(counts); i++) {
        EXPECT(block_round_trip(packer, choice, false, counts[i]));
        EXPECT(block_round_trip(packer, choice, true, counts[i]));
    }
    return true;
}

static void blocks_of_every_method_width_and_length_come_back(void)
{
    squeeze_packer *packer = squeeze_packer_new();
    for (unsigned kind = 0; kind < KINDS; kind++) {
        make_stream(kind);
        for (unsigned method = 0; method < WEFT_BFCM_METHODS; method++)
            for (unsigned size = 0; size < WEFT_BFCM_SIZES; size++)
                CHECK(blocks_come_back(packer, (squeeze_choice){method, weft_bfcm_contexts[method][size]}));
    }
    squeeze_packer_free(packer);
}

static void a_damaged_block_is_refused_or_stays_within_its_memory(void)
{
    squeeze_packer *packer = squeeze_packer_new();
    check_random random = {5};
    make_stream(6);
    squeeze_bytes bytes = {0};
    squeeze_pack32(packer, &bytes, squeeze_choose32(packer, values, 3000), values, 3000);
    for (unsigned trial = 0; trial < 2000; trial++) {
        uint8_t *copy = malloc(bytes.size);
        size_t used, size = bytes.size;
        squeeze_cursor cursor;
        memcpy(copy, bytes.data, bytes.size);
        if (trial % 2)
            size = check_random_below(&random, (uint32_t)bytes.size);
        else
            copy[check_random_below(&random, (uint32_t)bytes.size)] ^= (uint8_t)(1u << trial / 2 % 8);
        if (squeeze_open(&cursor, copy, size, &used) == WEFT_OK) {
            static uint64_t out[VALUES];
            squeeze_forward(&cursor, out, VALUES);
            squeeze_close(&cursor);
        }
        free(copy);
    }
    squeeze_bytes_free(&bytes);
    squeeze_packer_free(packer);
    CHECK(true);
}

int main(void)
{
    RUN(state_and_values_do_not_depend_on_the_way);
    RUN(sizes_are_within_a_tenth_of_the_one_way_predictors);
    RUN(blocks_of_every_method_width_and_length_come_back);
    RUN(a_damaged_block_is_refused_or_stays_within_its_memory);
    return check_failed();
}
