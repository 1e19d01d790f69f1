/* SPDX-License-Identifier: MIT */
/* Coded blocks (tools/lib/squeeze/coded.h). What is packed comes back. Whatever bytes are read, reading stays within
 * bounds. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/squeeze/coded.h"
#include "tools/lib/squeeze/mix.h"

enum { VALUES = 70000, KINDS = 9 };

static uint32_t values[VALUES], got[VALUES];

/* Streams of many characters: steps, noise of 1 to 32 bits, letters, repetitions, extremes. */
static void stream_make(unsigned kind, size_t count, check_random *random)
{
    uint32_t step = check_random_next(random) % 100;
    for (size_t i = 0; i < count; i++) {
        uint32_t noise = check_random_next(random), last = i ? values[i - 1] : noise;
        switch (kind) {
        case 0:
            values[i] = last + step;
            break;
        case 1:
            values[i] = noise;
            break;
        case 2:
            values[i] = noise % 256;
            break;
        case 3:
            values[i] = i > 60 ? values[i - 60 - noise % 2] : noise % 5;
            break;
        case 4:
            values[i] = last + noise % 7;
            break;
        case 5:
            values[i] = noise % 9 ? 0 : UINT32_MAX;
            break;
        case 6:
            values[i] = UINT32_C(1) << noise % 32;
            break;
        case 7:
            values[i] = last ^ (noise % 50 ? 0 : noise);
            break;
        default:
            values[i] = noise % 3 ? last * 5 + 1 : noise % 1000;
            break;
        }
    }
}

static bool comes_back(squeeze_coder *coder, size_t count, size_t *size)
{
    squeeze_bytes bytes = {0};
    squeeze_bytes_add(&bytes, "before", 6);
    squeeze_encode(coder, &bytes, values, count);
    *size = bytes.size - 6;
    memset(got, 0xaa, count * sizeof *got);
    EXPECT(squeeze_decode(coder, bytes.data + 6, *size, got, count));
    EXPECT(!memcmp(got, values, count * sizeof *got));
    squeeze_bytes_free(&bytes);
    return true;
}

static void blocks_of_every_shape_and_length_come_back(void)
{
    static const size_t counts[] = {1, 2, 3, 17, 500, 4097, 65536, VALUES};
    squeeze_coder *coder = squeeze_coder_new();
    check_random random = {7};
    size_t size;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
            stream_make(kind, counts[i], &random);
            CHECK(comes_back(coder, counts[i], &size));
        }
    for (unsigned trial = 0; trial < check_amount(200, 600, 20000); trial++) {
        size_t count = 1 + check_random_below(&random, 300);
        stream_make(trial % KINDS, count, &random);
        CHECK(comes_back(coder, count, &size));
    }
    squeeze_coder_free(coder);
}

/* The bytes of a block do not depend on what the work space packed before. */
static void a_block_depends_on_its_numbers_only(void)
{
    squeeze_coder *used = squeeze_coder_new();
    check_random random = {9};
    for (unsigned kind = 0; kind < KINDS; kind++) {
        squeeze_bytes first = {0}, second = {0};
        squeeze_coder *fresh = squeeze_coder_new();
        stream_make(kind, 2000, &random);
        squeeze_encode(used, &first, values, 2000);
        squeeze_encode(fresh, &second, values, 2000);
        CHECK_EQ(first.size, second.size);
        CHECK(!memcmp(first.data, second.data, first.size));
        squeeze_bytes_free(&first);
        squeeze_bytes_free(&second);
        squeeze_coder_free(fresh);
    }
    squeeze_coder_free(used);
}

/* Bits per number that the stream has: noise of 8 bits costs 8, steps cost nothing. */
static void sizes_are_near_what_the_stream_holds(void)
{
    squeeze_coder *coder = squeeze_coder_new();
    check_random random = {3};
    size_t size;
    stream_make(0, 65536, &random);
    CHECK(comes_back(coder, 65536, &size));
    CHECK(size < 200);
    stream_make(2, 65536, &random);
    CHECK(comes_back(coder, 65536, &size));
    CHECK(size < 65536 + 65536 / 20);
    stream_make(1, 65536, &random);
    CHECK(comes_back(coder, 65536, &size));
    CHECK(size < 4 * 65536 + 65536 / 10);
    squeeze_coder_free(coder);
}

static void damaged_bytes_stay_within_bounds(void)
{
    squeeze_coder *coder = squeeze_coder_new();
    check_random random = {5};
    for (unsigned trial = 0; trial < check_amount(100, 400, 20000); trial++) {
        squeeze_bytes bytes = {0};
        stream_make(trial % KINDS, 400, &random);
        squeeze_encode(coder, &bytes, values, 400);
        size_t size = trial % 2 ? check_random_below(&random, (uint32_t)bytes.size) : bytes.size;
        uint8_t *copy = malloc(size + 1);
        memcpy(copy, bytes.data, size);
        if (size && trial % 3)
            copy[check_random_below(&random, (uint32_t)size)] ^= (uint8_t)(1 + check_random_below(&random, 255));
        bool good = squeeze_decode(coder, copy, size, got, 500);
        CHECK(good == (size && copy[0] < SQUEEZE_SHAPES));
        free(copy);
        squeeze_bytes_free(&bytes);
    }
    squeeze_coder_free(coder);
}

/* Blocks of older files (mix.h): no bytes lead out of bounds. Golden files test that such blocks read back right. */
static void any_bytes_are_a_mixed_block(void)
{
    squeeze_mixer *mixer = squeeze_mixer_new();
    check_random random = {11};
    for (unsigned trial = 0; trial < check_amount(60, 200, 20000); trial++) {
        size_t size = 1 + check_random_below(&random, 900);
        uint8_t *bytes = malloc(size);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)check_random_next(&random);
        bytes[0] %= SQUEEZE_SHAPES + 1;
        CHECK_EQ(squeeze_unmix(mixer, bytes, size, got, 600), bytes[0] < SQUEEZE_SHAPES);
        CHECK(!squeeze_unmix(mixer, bytes, 0, got, 600));
        free(bytes);
    }
    squeeze_mixer_free(mixer);
}

int main(void)
{
    RUN(blocks_of_every_shape_and_length_come_back);
    RUN(a_block_depends_on_its_numbers_only);
    RUN(sizes_are_near_what_the_stream_holds);
    RUN(damaged_bytes_stay_within_bounds);
    RUN(any_bytes_are_a_mixed_block);
    return check_failed();
}
