/* SPDX-License-Identifier: MIT */
#include "core/frame.h"
#include "core/own.h"

void weft_frame_head(weft_writer *writer, const weft_frame *frame)
{
    weft_frame_start(writer, frame->version, frame->kind, frame->sequence);
    weft_frame_moment(writer, frame->lost, frame->time);
    if (frame->version > 1)
        weft_frame_origin(writer, frame->identity, frame->run);
}

void weft_write_field(weft_writer *writer, uint32_t key, uint64_t value)
{
    weft_write_varint(writer, key);
    weft_write_varint64(writer, value);
}

/* At -Os a call less. */
static inline void seal(weft_sum *sum, weft_cobs *cobs, const uint8_t *bytes, size_t size)
{
#ifdef __OPTIMIZE_SIZE__
    weft_sum_put(sum, bytes, size); /* first: the coding may overwrite them */
    weft_cobs_put(cobs, bytes, size);
#else
    weft_seal_put(sum, cobs, bytes, size);
#endif
}

size_t weft_frame_seal_pieces(uint8_t *bytes, const weft_frame_piece *pieces, size_t count)
{
    weft_cobs cobs;
    weft_sum sum;
    weft_sum_start(&sum);
    weft_cobs_start(&cobs, bytes);
    /*@ loop invariant 0 <= i <= count && cobs_ok(&cobs) && cobs.out == bytes && 0 <= total(pieces, i);
        loop invariant sum.count <= 3;
        loop invariant cobs.to - bytes >= 1 + total(pieces, i);
        loop invariant 254 * (cobs.to - bytes - 1 - total(pieces, i)) + group(&cobs) <= total(pieces, i);
        loop assigns i, sum, cobs, bytes[0 .. wire(pieces, count) - 2];
        loop variant count - i; */
    for (size_t i = 0; i < count; i++) {
        /*@ assert total(pieces, i + 1) == total(pieces, i) + pieces[i].size <= total(pieces, count); */
        /*@ assert most(&cobs, pieces[i].size) <= 1 + total(pieces, i + 1) + total(pieces, i + 1) / 254; */
        seal(&sum, &cobs, pieces[i].bytes, pieces[i].size);
    }
    /*@ assert 254 * (cobs.to - bytes - 1 - total(pieces, count)) + group(&cobs) <= total(pieces, count); */
    /*@ assert most(&cobs, WEFT_FRAME_CHECK_SIZE) < wire(pieces, count); */
    uint32_t end = weft_sum_end(&sum);
    const uint8_t check[WEFT_FRAME_CHECK_SIZE] = {(uint8_t)end, (uint8_t)(end >> 8), (uint8_t)(end >> 16),
                                                  (uint8_t)(end >> 24)};
    seal(&sum, &cobs, check, sizeof check); /* what the sum is then, nobody asks */
    /*@ assert cobs.to - bytes < wire(pieces, count); */
    size_t size = weft_cobs_end(&cobs);
    bytes[size] = 0;
    return size + 1;
}

size_t weft_frame_seal(uint8_t *bytes, size_t shift, size_t size)
{
    weft_frame_piece piece = {bytes + shift, size};
    /*@ assert total(&piece, 0) == 0 && total(&piece, 1) == size; */
    return weft_frame_seal_pieces(bytes, &piece, 1);
}
