/* SPDX-License-Identifier: MIT */
/* Check sums of files (tools/lib/base/checksum.h) are those of the core, which older files were written with. */
#include "core/bytes.h"
#include "tests/lib/check.h"
#include "tools/lib/base/checksum.h"

enum { BYTES = 4096, SHIFTS = 16 };

static uint8_t bytes[BYTES + SHIFTS];

static void bytes_make(void)
{
    check_random random = {17};
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)check_random_next(&random);
}

static void a_check_sum_is_that_of_the_core(void)
{
    check_random random = {5};
    bytes_make();
    for (unsigned shift = 0; shift < SHIFTS; shift++)
        for (unsigned size = 0; size < 300; size++) {
            uint32_t before = check_random_next(&random);
            CHECK_EQ(checksum_crc32(0, bytes + shift, size), weft_crc32(0, bytes + shift, size));
            CHECK_EQ(checksum_crc32(before, bytes + shift, size), weft_crc32(before, bytes + shift, size));
        }
    CHECK_EQ(checksum_crc32(0, bytes, BYTES), weft_crc32(0, bytes, BYTES));
}

static void a_check_sum_of_parts_is_that_of_the_whole(void)
{
    bytes_make();
    uint32_t whole = weft_crc32(0, bytes, BYTES);
    for (unsigned first = 0; first <= BYTES; first++)
        CHECK_EQ(checksum_crc32(checksum_crc32(0, bytes, first), bytes + first, BYTES - first), whole);
    CHECK_EQ(checksum_crc32(whole, NULL, 0), whole);
}

int main(void)
{
    RUN(a_check_sum_is_that_of_the_core);
    RUN(a_check_sum_of_parts_is_that_of_the_whole);
    return check_failed();
}
