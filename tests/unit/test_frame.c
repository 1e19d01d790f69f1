/* SPDX-License-Identifier: MIT */
#include "core/frame.h"

#include <string.h>

#include "tests/lib/check.h"

enum { CONTENT = 700, SHIFT = WEFT_FRAME_SHIFT(CONTENT) };
static uint8_t bytes[WEFT_FRAME_WIRE_MAX(CONTENT) + 8];
static const weft_frame head = {.version = WEFT_FORMAT_VERSION,
                                .kind = WEFT_FRAME_TRACE,
                                .sequence = 0xfffffffe,
                                .lost = 1ull << 40,
                                .time = 0x123456789abcdefull};

/* Makes a frame with `size` bytes of body, one in `zeros` of them 0. Returns its size on the wire, with the zero
 * byte. */
static size_t make(size_t size, uint32_t zeros, uint32_t seed)
{
    check_random random = {seed};
    weft_writer writer;
    weft_writer_init(&writer, bytes + SHIFT, CONTENT - WEFT_FRAME_CHECK_SIZE);
    weft_frame_head(&writer, &head);
    for (size_t i = 0; i < size; i++)
        weft_write_u8(&writer, check_random_below(&random, zeros) ? (uint8_t)(i | 1) : 0);
    return weft_frame_seal(bytes, SHIFT, writer.size);
}

static bool opens(size_t wire, size_t size, uint32_t zeros, uint32_t seed)
{
    weft_frame frame;
    check_random random = {seed};
    EXPECT(memchr(bytes, 0, wire) == bytes + wire - 1);
    EXPECT(weft_frame_open(&frame, bytes, wire - 1) == WEFT_OK);
    EXPECT(frame.version == head.version && frame.kind == head.kind && frame.sequence == head.sequence);
    EXPECT(frame.lost == head.lost && frame.time == head.time && frame.body_size == size);
    for (size_t i = 0; i < size; i++)
        EXPECT(frame.body[i] == (check_random_below(&random, zeros) ? (uint8_t)(i | 1) : 0));
    return true;
}

static void frames_of_all_sizes_come_back(void)
{
    static const uint32_t zeros[] = {1, 2, 30, 1000000};
    for (unsigned z = 0; z < WEFT_COUNT(zeros); z++)
        for (size_t size = 0; size <= CONTENT - WEFT_FRAME_HEAD_MAX - WEFT_FRAME_CHECK_SIZE; size += 1 + size / 37) {
            size_t wire = make(size, zeros[z], 5);
            if (!opens(wire, size, zeros[z], 5))
                return;
        }
}

static void every_flipped_bit_is_found(void)
{
    weft_frame frame;
    size_t wire = make(20, 4, 9);
    for (size_t bit = 0; bit < 8 * (wire - 1); bit++) {
        make(20, 4, 9);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK_EQ(weft_frame_open(&frame, bytes, wire - 1), WEFT_CORRUPT);
    }
}

static void every_cut_is_found(void)
{
    weft_frame frame;
    size_t wire = make(20, 4, 9);
    for (size_t size = 0; size < wire - 1; size++) {
        make(20, 4, 9);
        CHECK_EQ(weft_frame_open(&frame, bytes, size), WEFT_CORRUPT);
    }
}

static void another_version_is_named(void)
{
    weft_frame frame, next = head;
    weft_writer writer;
    next.version = WEFT_FORMAT_VERSION + 1;
    weft_writer_init(&writer, bytes + SHIFT, CONTENT - WEFT_FRAME_CHECK_SIZE);
    weft_frame_head(&writer, &next);
    size_t wire = weft_frame_seal(bytes, SHIFT, writer.size);
    CHECK_EQ(weft_frame_open(&frame, bytes, wire - 1), WEFT_VERSION);
    CHECK_EQ(frame.version, WEFT_FORMAT_VERSION + 1);
}

/* Their check is a CRC-32, and its fields are fewer. */
static void frames_of_old_versions_open(void)
{
    for (uint8_t version = 1; version <= 2; version++) {
        weft_frame frame;
        weft_writer writer;
        weft_writer_init(&writer, bytes + SHIFT, CONTENT);
        weft_write_u8(&writer, version);
        weft_write_u8(&writer, WEFT_FRAME_TRACE);
        weft_write_varint(&writer, 300);
        weft_write_varint64(&writer, 5);
        weft_write_varint64(&writer, 7);
        if (version == 2) {
            weft_write_u32(&writer, 0x12345678);
            weft_write_varint(&writer, 9);
        }
        weft_write_u8(&writer, 11);
        weft_write_u32(&writer, weft_crc32(0, bytes + SHIFT, writer.size));
        size_t wire = weft_cobs_encode(bytes, bytes + SHIFT, writer.size);
        CHECK_EQ(weft_frame_open(&frame, bytes, wire), WEFT_OK);
        CHECK(frame.version == version && frame.sequence == 300 && frame.lost == 5 && frame.time == 7);
        CHECK(frame.identity == (version == 2 ? 0x12345678 : 0) && frame.run == (version == 2 ? 9 : 0));
        CHECK(frame.body_size == 1 && frame.body[0] == 11);
    }
}

/* Bytes without content, and what COBS never makes, although its check is right. */
static void what_nobody_seals_is_corrupt(void)
{
    weft_frame frame;
    weft_writer writer;
    uint8_t plain[8] = {0, WEFT_FRAME_TRACE, 0, 0}, nothing[4];
    weft_writer_init(&writer, nothing, sizeof nothing);
    weft_write_u32(&writer, weft_sum_of(plain, 0));
    size_t wire = weft_cobs_encode(bytes, nothing, sizeof nothing);
    CHECK_EQ(weft_frame_open(&frame, bytes, wire), WEFT_CORRUPT);
    weft_writer_init(&writer, plain + 4, 4);
    weft_write_u32(&writer, weft_sum_of(plain, 4));
    CHECK_EQ(weft_frame_open(&frame, plain, sizeof plain), WEFT_CORRUPT);
}

/* A frame as it was sealed in its version. The size on the wire, without the zero byte. */
static size_t sealed(uint8_t *wire, const uint8_t *content, size_t size)
{
    uint8_t whole[70];
    weft_writer out;
    weft_writer_init(&out, whole, sizeof whole);
    weft_write_bytes(&out, content, size);
    weft_write_u32(&out, weft_frame_check(content, size));
    return weft_cobs_encode(wire, whole, out.size);
}

/* Version 1 has no identity and no run. Of each version, every head that is cut is refused. */
static void heads_of_all_versions_come_back_whole_or_not_at_all(void)
{
    uint8_t wire[80], content[60];
    for (unsigned version = WEFT_FORMAT_VERSION_MIN; version <= WEFT_FORMAT_VERSION; version++) {
        weft_frame frame = {(uint8_t)version, 2, 300, 5, 6, 0x12345678, 300, NULL, 0}, back;
        weft_writer out;
        weft_writer_init(&out, content, sizeof content);
        weft_frame_head(&out, &frame);
        size_t whole = out.size;
        for (size_t size = 1; size <= whole; size++) {
            size_t wire_size = sealed(wire, content, size);
            CHECK_EQ(weft_frame_open(&back, wire, wire_size), size == whole ? WEFT_OK : WEFT_CORRUPT);
        }
        CHECK(back.sequence == 300 && back.lost == 5 && back.time == 6 && back.body_size == 0);
        CHECK(back.identity == (version == 1 ? 0 : frame.identity) && back.run == (version == 1 ? 0 : frame.run));
    }
    content[0] = WEFT_FORMAT_VERSION_MIN - 1;
    weft_frame_piece piece = {content, 20};
    weft_frame back;
    CHECK_EQ(weft_frame_open(&back, wire, weft_frame_seal_pieces(wire, &piece, 1) - 1), WEFT_VERSION);
    content[0] = WEFT_FORMAT_VERSION + 1;
    CHECK_EQ(weft_frame_open(&back, wire, weft_frame_seal_pieces(wire, &piece, 1) - 1), WEFT_VERSION);
}

static void nothing_is_left_after_an_error(void)
{
    static const uint8_t three[3] = {1, 2, 3};
    weft_reader reader;
    weft_reader_init(&reader, three, sizeof three);
    CHECK_EQ(weft_reader_left(&reader), 3);
    CHECK(weft_read_bytes(&reader, 4) == NULL);
    CHECK_EQ(weft_reader_left(&reader), 0);
}

int main(void)
{
    RUN(frames_of_all_sizes_come_back);
    RUN(every_flipped_bit_is_found);
    RUN(every_cut_is_found);
    RUN(another_version_is_named);
    RUN(frames_of_old_versions_open);
    RUN(what_nobody_seals_is_corrupt);
    RUN(heads_of_all_versions_come_back_whole_or_not_at_all);
    RUN(nothing_is_left_after_an_error);
    return check_failed();
}
