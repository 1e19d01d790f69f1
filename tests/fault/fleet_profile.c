/* SPDX-License-Identifier: MIT */
/* Profiles that are cut at any byte, or have any byte changed, are refused. With a repaired check sum they are read
 * or refused, without a crash. What is read can be written and read again. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/fleet_model.h"
#include "tools/lib/base/digest.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/profile_file.h"

static uint8_t *sample(size_t *size)
{
    merged *all = merged_new();
    const char *why;
    for (uint32_t i = 0; i < 3; i++) {
        size_t used, one_size;
        merged *one = fleet_model_recording(100 + i);
        uint8_t *bytes = profile_write(one, &one_size, &why);
        (void)profile_read(all, bytes, one_size, &used);
        free(bytes);
        merged_free(one);
    }
    uint8_t *bytes = profile_write(all, size, &why);
    merged_free(all);
    return bytes;
}

static bool reads(const uint8_t *bytes, size_t size)
{
    merged *m = merged_new();
    size_t used;
    bool good = !profile_read(m, bytes, size, &used);
    if (good) {
        size_t again_size;
        const char *why = NULL;
        uint8_t *again = profile_write(m, &again_size, &why);
        merged *back = merged_new();
        if (again && profile_read(back, again, again_size, &used))
            good = false;
        free(again);
        merged_free(back);
    }
    merged_free(m);
    return good;
}

static void a_profile_that_is_cut_is_refused(void)
{
    size_t size;
    uint8_t *bytes = sample(&size);
    for (size_t i = 0; i < size; i++) {
        uint8_t *cut = memory_zero(i + 1, 1);
        memcpy(cut, bytes, i);
        CHECK(!reads(cut, i));
        free(cut);
    }
    CHECK(reads(bytes, size));
    free(bytes);
}

static void a_profile_with_a_byte_changed_is_refused(void)
{
    size_t size;
    uint8_t *bytes = sample(&size);
    for (size_t i = 0; i < size; i++)
        for (unsigned bit = 0; bit < 8; bit += 3) {
            bytes[i] ^= (uint8_t)(1u << bit);
            CHECK(!reads(bytes, size));
            bytes[i] ^= (uint8_t)(1u << bit);
        }
    free(bytes);
}

static void seal(uint8_t *bytes, size_t size)
{
    uint64_t digest = digest_of(0, bytes, size - 8);
    for (unsigned i = 0; i < 8; i++)
        bytes[size - 8 + i] = (uint8_t)(digest >> 8 * i);
}

static void a_profile_that_lies_does_no_harm(void)
{
    size_t size;
    uint8_t *bytes = sample(&size), *copy = memory_zero(size, 1);
    check_random random = {31};
    unsigned tries = check_amount(3000, 10000, 30000), good = 0;
    for (unsigned i = 0; i < tries; i++) {
        memcpy(copy, bytes, size);
        for (uint32_t changes = 1 + check_random_below(&random, 3); changes; changes--) {
            size_t at = PROFILE_HEAD_SIZE + check_random_below(&random, (uint32_t)(size - PROFILE_HEAD_SIZE - 8));
            static const uint8_t odd[] = {0, 1, 127, 128, 255};
            copy[at] = check_random_below(&random, 2) ? odd[check_random_below(&random, 5)]
                                                      : (uint8_t)check_random_next(&random);
        }
        seal(copy, size);
        good += reads(copy, size);
    }
    CHECK(good > 0 && good < tries);
    free(copy);
    free(bytes);
}

int main(void)
{
    RUN(a_profile_that_is_cut_is_refused);
    RUN(a_profile_with_a_byte_changed_is_refused);
    RUN(a_profile_that_lies_does_no_harm);
    return check_failed();
}
