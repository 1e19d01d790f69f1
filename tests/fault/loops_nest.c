/* SPDX-License-Identifier: MIT */
/* The binary form of nests under every small damage. It is refused or, if its check sum is repaired, decodes to a
 * nest that can be walked. Decoding never crashes, and its memory is bounded by the size of the file. */
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tests/lib/check.h"
#include "tools/lib/loops/binary.h"
#include "tools/lib/loops/optimal.h"

static uint8_t *sample(size_t *size)
{
    static const char text[] = "abaababaababaabaabccccccdcdcdcddeeeabaababaababaabaabccccccdcdcdcddeeexyz";
    uint32_t symbols[sizeof text];
    for (size_t i = 0; i < sizeof text; i++)
        symbols[i] = (uint32_t)text[i] * 1000003u;
    nest *n = nest_optimal(symbols, sizeof text - 1);
    uint8_t *bytes = nest_encode(n, size);
    nest_free(n);
    return bytes;
}

static bool count_symbol(void *context, uint32_t symbol)
{
    (void)symbol;
    return ++*(uint64_t *)context < 1000000;
}

/* Decodes, and walks what comes out. */
static bool holds(const uint8_t *bytes, size_t size)
{
    char error[160] = "";
    nest *n = nest_decode(bytes, size, error);
    if (!n) {
        EXPECT(error[0]);
        return true;
    }
    uint64_t count = 0;
    nest_stats stats = nest_measure(n);
    nest_expand(n, count_symbol, &count);
    bool good = count == n->length || count == 1000000;
    good = good && stats.depth < NEST_DEPTH_MAX;
    nest_free(n);
    EXPECT(good);
    return true;
}

static void seal(uint8_t *bytes, size_t size)
{
    uint32_t crc = weft_crc32(0, bytes, size - 2);
    bytes[size - 2] = (uint8_t)crc;
    bytes[size - 1] = (uint8_t)(crc >> 8);
}

static void every_truncation_is_refused(void)
{
    char error[160];
    size_t size;
    uint8_t *bytes = sample(&size);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *copy = malloc(cut + 1);
        memcpy(copy, bytes, cut);
        nest *n = nest_decode(copy, cut, error);
        free(copy);
        CHECK(!n);
    }
    free(bytes);
}

static void every_flip_is_refused(void)
{
    char error[160];
    size_t size;
    uint8_t *bytes = sample(&size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(!nest_decode(bytes, size, error));
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    free(bytes);
}

static void flips_and_cuts_behind_a_good_check_sum_do_no_harm(void)
{
    size_t size;
    uint8_t *bytes = sample(&size);
    for (size_t bit = 32; bit < 8 * size - 16; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        seal(bytes, size);
        CHECK(holds(bytes, size));
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t cut = 6; cut < size; cut++) {
        uint8_t *copy = malloc(cut);
        memcpy(copy, bytes, cut);
        seal(copy, cut);
        bool good = holds(copy, cut);
        free(copy);
        CHECK(good);
    }
    free(bytes);
}

static void random_bytes_do_no_harm(void)
{
    check_random random = {3};
    uint8_t bytes[64] = {'W', 'L', 'N', 1};
    for (unsigned i = 0; i < 20000; i++) {
        size_t size = 6 + check_random_below(&random, sizeof bytes - 6);
        uint32_t ones = check_random_below(&random, 4);
        for (size_t k = 4; k < size; k++)
            bytes[k] = (uint8_t)(check_random_next(&random) | (ones ? check_random_next(&random) : 0));
        seal(bytes, size);
        CHECK(holds(bytes, size));
    }
}

/* Reads a nest of `depth` loops of `iterations` each. Returns the reader's message; NULL: it accepted the nest. */
static const char *judged(unsigned depth, uint32_t iterations, uint64_t length)
{
    static char error[160];
    uint32_t symbol = 7, item = 0;
    size_t size;
    nest *n = nest_new(&symbol, 1);
    for (unsigned i = 0; i < depth; i++)
        item = nest_intern(n, &item, 1, iterations);
    nest_set_root(n, &item, 1);
    uint8_t *bytes = nest_encode(n, &size);
    nest *back = nest_decode(bytes, size, error);
    bool right = back && back->length == length && nest_measure(back).depth == depth;
    nest_free(back);
    nest_free(n);
    free(bytes);
    return right ? NULL : error;
}

static void nests_are_read_up_to_the_writers_limits(void)
{
    CHECK(!judged(4, 1 << 10, (uint64_t)1 << 40));
    CHECK(!judged(31, 2, (uint64_t)1 << 31));
    const char *wrong = judged(32, 2, 0);
    CHECK(wrong && strstr(wrong, "31 loops"));
    wrong = judged(7, 1 << 9, 0);
    CHECK(wrong && strstr(wrong, "2^63"));
}

int main(void)
{
    RUN(nests_are_read_up_to_the_writers_limits);
    RUN(every_truncation_is_refused);
    RUN(every_flip_is_refused);
    RUN(flips_and_cuts_behind_a_good_check_sum_do_no_harm);
    RUN(random_bytes_do_no_harm);
    return check_failed();
}
