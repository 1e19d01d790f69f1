/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/bytes.h"
#include "tests/lib/check.h"

static void varints_of_all_lengths_come_back(void)
{
    for (unsigned bits = 0; bits <= 64; bits++) {
        for (int d = -1; d <= 1; d++) {
            uint64_t value = (bits == 64 ? 0 : (uint64_t)1 << bits) + (uint64_t)d;
            uint8_t bytes[WEFT_VARINT64_MAX];
            weft_writer writer;
            weft_reader reader;
            weft_writer_init(&writer, bytes, sizeof bytes);
            weft_write_varint64(&writer, value);
            CHECK_EQ(writer.status, WEFT_OK);
            weft_reader_init(&reader, bytes, writer.size);
            CHECK(weft_read_varint64(&reader) == value);
            CHECK_EQ(reader.status, WEFT_OK);
            CHECK_EQ(weft_reader_left(&reader), 0);
            weft_reader_init(&reader, bytes, writer.size);
            uint32_t narrow = weft_read_varint(&reader);
            CHECK(value >> 32 ? reader.status == WEFT_CORRUPT : narrow == value && reader.status == WEFT_OK);
        }
    }
}

/* Each writer takes the fewest bytes: seven bits a byte. */
static void varints_are_as_short_as_they_can_be(void)
{
    for (unsigned bits = 0; bits < 64; bits++) {
        uint64_t value = ((uint64_t)1 << bits) - 1;
        size_t size = bits ? (bits + 6) / 7 : 1;
        uint8_t bytes[WEFT_VARINT64_MAX];
        weft_writer writer;
        weft_writer_init(&writer, bytes, sizeof bytes);
        weft_write_varint64(&writer, value);
        CHECK_EQ(writer.size, size);
        CHECK_EQ(weft_put_varint64(bytes, value) - bytes, size);
        if (bits > 32)
            continue;
        weft_writer_init(&writer, bytes, sizeof bytes);
        weft_write_varint(&writer, (uint32_t)value);
        CHECK_EQ(writer.size, size);
        CHECK_EQ(weft_put_varint(bytes, (uint32_t)value) - bytes, size);
    }
}

static void a_writer_that_is_full_stores_nothing_more(void)
{
    uint8_t bytes[4] = {9, 9, 9, 9};
    weft_writer writer;
    weft_writer_init(&writer, bytes, 3);
    weft_write_u16(&writer, 0x0201);
    weft_write_u16(&writer, 0x0403);
    CHECK_EQ(writer.status, WEFT_FULL);
    weft_write_u8(&writer, 3);
    CHECK_EQ(writer.status, WEFT_FULL);
    CHECK_EQ(writer.size, 2);
    CHECK_EQ(bytes[2], 9);
    weft_writer_rollback(&writer, 2);
    weft_write_u8(&writer, 3);
    CHECK_EQ(writer.status, WEFT_OK);
    CHECK_EQ(bytes[2], 3);
    CHECK_EQ(bytes[3], 9);
}

static void a_reader_past_the_end_is_corrupt_and_gives_zero(void)
{
    static const uint8_t bytes[] = {1, 2, 3};
    weft_reader reader;
    weft_reader_init(&reader, bytes, sizeof bytes);
    CHECK_EQ(weft_read_u16(&reader), 0x0201);
    CHECK_EQ(weft_read_u32(&reader), 0);
    CHECK_EQ(reader.status, WEFT_CORRUPT);
    CHECK_EQ(weft_read_u8(&reader), 0);
}

static void crc32_matches_the_published_check_value(void)
{
    CHECK_EQ(weft_crc32(0, (const uint8_t *)"123456789", 9), 0xcbf43926);
    CHECK_EQ(weft_crc32(weft_crc32(0, (const uint8_t *)"1234", 4), (const uint8_t *)"56789", 5), 0xcbf43926);
    CHECK_EQ(weft_crc32(0, (const uint8_t *)"", 0), 0);
}

/* Of inputs without a zero each 254 bytes take one more, and whatever follows them another. */
static void cobs_has_room_for_a_byte_per_254(void)
{
    CHECK_EQ(WEFT_COBS_SHIFT(253u), 1);
    CHECK_EQ(WEFT_COBS_SHIFT(254u), 2);
}

static void crc32_of_each_byte_is_that_of_its_bits(void)
{
    for (uint32_t value = 0; value < 256; value++) {
        uint8_t byte = (uint8_t)value;
        uint32_t crc = ~value;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        CHECK_EQ(weft_crc32(0, &byte, 1), ~crc);
    }
}

/* By the document: whole words, what is left of one, and its bytes. */
static uint32_t plain_sum(const uint8_t *bytes, size_t size)
{
    uint32_t sum = 0, words[20] = {0};
    size_t count = size / 4 + 2;
    for (size_t i = 0; i < size; i++)
        words[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
    words[count - 1] = size % 4;
    for (size_t i = 0; i < count; i++) {
        uint32_t mixed = (sum ^ words[i]) ^ (sum ^ words[i]) >> 15;
        sum = mixed * 0x9e3779b1u + 0x7f4a7c15u;
    }
    return sum;
}

static void sums_of_pieces_are_that_of_the_whole(void)
{
    uint8_t bytes[64];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * i * 37 + i);
    for (size_t from = 0; from < 4; from++)
        for (size_t size = 0; size <= sizeof bytes - from; size++)
            for (size_t first = 0; first <= size; first++) {
                weft_sum sum;
                weft_sum_start(&sum);
                weft_sum_put(&sum, bytes + from, first);
                weft_sum_put(&sum, bytes + from + first, (size - first) / 2);
                weft_sum_put(&sum, bytes + from + first + (size - first) / 2, size - first - (size - first) / 2);
                CHECK_EQ(weft_sum_end(&sum), plain_sum(bytes + from, size));
            }
    CHECK_EQ(weft_sum_of(bytes, sizeof bytes), plain_sum(bytes, sizeof bytes));
}

/* Of 600 bytes of zeros, where the sum might stand still, and of others. */
static void sums_find_two_flipped_bits_and_bytes_too_many(void)
{
    uint8_t bytes[600] = {0};
    for (unsigned round = 0; round < 2; round++) {
        uint32_t whole = weft_sum_of(bytes, sizeof bytes);
        CHECK(weft_sum_of(bytes, sizeof bytes - 1) != whole);
        for (size_t first = 0; first < 8 * sizeof bytes; first += check_amount(301, 97, 1)) {
            bytes[first / 8] ^= (uint8_t)(1u << first % 8);
            for (size_t bit = 0; bit < first; bit++) {
                bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
                CHECK(weft_sum_of(bytes, sizeof bytes) != whole);
                bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            }
            bytes[first / 8] ^= (uint8_t)(1u << first % 8);
        }
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(i * 73 + i / 7);
    }
}

static bool cobs_round_trip(const uint8_t *in, size_t size)
{
    static uint8_t coded[WEFT_COBS_MAX(600)];
    size_t coded_size = weft_cobs_encode(coded, in, size);
    EXPECT(coded_size <= WEFT_COBS_MAX(size));
    EXPECT(memchr(coded, 0, coded_size) == NULL);
    size_t back = 0;
    EXPECT(weft_cobs_decode(coded, &back, coded, coded_size));
    EXPECT(back == size && memcmp(coded, in, size) == 0);
    return true;
}

static void cobs_round_trips_at_every_length_and_density(void)
{
    static uint8_t in[600];
    check_random random = {7};
    for (unsigned zeros = 0; zeros <= 4; zeros++)
        for (size_t size = 0; size <= sizeof in; size++) {
            for (size_t i = 0; i < size; i++) {
                uint32_t r = check_random_next(&random);
                in[i] = zeros && (r >> 8) % (zeros == 4 ? 1 : 1u << (8 - zeros)) == 0 ? 0 : (uint8_t)(r % 255 + 1);
            }
            if (!cobs_round_trip(in, size))
                return;
        }
}

/* Pieces of `step` bytes at most, in place: each byte lies as far from its place as the header asks, or farther. */
static bool seals_in_place(const uint8_t *in, size_t size, size_t step, size_t apart)
{
    static uint8_t coded[WEFT_COBS_MAX(600)], bytes[WEFT_COBS_MAX(600) + 8];
    uint8_t *from = bytes + WEFT_COBS_SHIFT(size) + apart;
    weft_sum sum;
    weft_cobs cobs;
    memcpy(from, in, size);
    weft_sum_start(&sum);
    weft_cobs_start(&cobs, bytes);
    for (size_t at = 0; at < size; at += step)
        weft_seal_put(&sum, &cobs, from + at, step < size - at ? step : size - at);
    size_t sealed = weft_cobs_end(&cobs);
    EXPECT(weft_sum_end(&sum) == weft_sum_of(in, size));
    EXPECT(sealed == weft_cobs_encode(coded, in, size) && memcmp(bytes, coded, sealed) == 0);
    return true;
}

/* Also bytes by which a test for zeros may be misled: 1 after a zero, and those with the highest bit. */
static void sealing_gives_the_sum_and_the_coding_of_the_whole(void)
{
    static uint8_t in[600];
    check_random random = {11};
    for (unsigned zeros = 0; zeros <= 4; zeros++)
        for (size_t size = 0; size <= sizeof in; size += check_amount(3, 1, 1)) {
            for (size_t i = 0; i < size; i++) {
                uint32_t r = check_random_next(&random), few = (r >> 8) % (zeros == 4 ? 2 : 1u << (9 - 2 * zeros));
                in[i] = zeros && few == 0 ? 0 : (uint8_t)(r >> 20 & 1 ? 1 + 127 * (r >> 21 & 1) : r % 255 + 1);
            }
            size_t step = 1 + check_random_next(&random) % (size % 2 ? 600 : 40);
            if (!seals_in_place(in, size, step, size / 2 % 8))
                return;
        }
}

static void cobs_refuses_what_no_encoder_writes(void)
{
    uint8_t out[4];
    size_t size;
    CHECK(!weft_cobs_decode(out, &size, (const uint8_t *)"", 0));
    CHECK(!weft_cobs_decode(out, &size, (const uint8_t *)"\x03\x01", 2));
    CHECK(!weft_cobs_decode(out, &size, (const uint8_t *)"\x03\x01\x00", 3));
}

static void zigzag_is_its_own_way_back(void)
{
    static const int32_t values[] = {0, -1, 1, -2, 2, INT32_MAX, INT32_MIN};
    for (unsigned i = 0; i < WEFT_COUNT(values); i++) {
        CHECK_EQ(weft_unzigzag(weft_zigzag(values[i])), values[i]);
        CHECK_EQ(weft_unzigzag64(weft_zigzag64(values[i])), values[i]);
    }
    CHECK_EQ(weft_unzigzag64(weft_zigzag64(INT64_MIN)), INT64_MIN);
    CHECK_EQ(weft_zigzag(-1), 1);
    CHECK_EQ(weft_zigzag(1), 2);
}

int main(void)
{
    RUN(varints_of_all_lengths_come_back);
    RUN(varints_are_as_short_as_they_can_be);
    RUN(a_writer_that_is_full_stores_nothing_more);
    RUN(a_reader_past_the_end_is_corrupt_and_gives_zero);
    RUN(crc32_matches_the_published_check_value);
    RUN(crc32_of_each_byte_is_that_of_its_bits);
    RUN(cobs_has_room_for_a_byte_per_254);
    RUN(sums_of_pieces_are_that_of_the_whole);
    RUN(sums_find_two_flipped_bits_and_bytes_too_many);
    RUN(cobs_round_trips_at_every_length_and_density);
    RUN(sealing_gives_the_sum_and_the_coding_of_the_whole);
    RUN(cobs_refuses_what_no_encoder_writes);
    RUN(zigzag_is_its_own_way_back);
    return check_failed();
}
