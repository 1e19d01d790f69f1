/* SPDX-License-Identifier: MIT */
/* Contracts of core/frame.h, in the manner of bytes.h. */
#include "tests/prove/bytes.h"

#include "core/frame.h"

/*@ axiomatic sizes {
      logic integer total{L}(weft_frame_piece *pieces, integer count) reads pieces[0 .. count - 1].size;
      axiom none{L}: \forall weft_frame_piece *p; total(p, 0) == 0;
      axiom more{L}: \forall weft_frame_piece *p, integer n; n > 0 ==> total(p, n) == total(p, n - 1) + p[n - 1].size;
      axiom parts{L}: \forall weft_frame_piece *p, integer n, m; 0 <= n <= m ==> total(p, n) <= total(p, m);
    }
    logic integer wire{L}(weft_frame_piece *pieces, integer count) =
      WEFT_FRAME_WIRE_MAX(total(pieces, count) + WEFT_FRAME_CHECK_SIZE); */

/*@ requires writer_ok(writer);
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && writer->size <= \old(writer->size) + 2 + WEFT_VARINT32_MAX; */
static inline void weft_frame_start(weft_writer *writer, uint8_t version, uint8_t kind, uint32_t sequence);

/*@ requires writer_ok(writer);
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && writer->size <= \old(writer->size) + 2 * WEFT_VARINT64_MAX; */
static inline void weft_frame_moment(weft_writer *writer, uint64_t lost, uint64_t time);

/*@ requires writer_ok(writer);
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && writer->size <= \old(writer->size) + 4 + WEFT_VARINT32_MAX; */
static inline void weft_frame_origin(weft_writer *writer, uint32_t identity, uint32_t run);

/*@ requires writer_ok(writer) && \valid_read(frame) && \separated(writer, frame);
    requires \separated(frame, writer->bytes + (0 .. writer->size_max - 1));
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && writer->size <= \old(writer->size) + WEFT_FRAME_HEAD_MAX; */
void weft_frame_head(weft_writer *writer, const weft_frame *frame);

/*@ requires writer_ok(writer);
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && writer->size <= \old(writer->size) + WEFT_VARINT32_MAX + WEFT_VARINT64_MAX; */
void weft_write_field(weft_writer *writer, uint32_t key, uint64_t value);

/*@ requires \valid(sum) && sum->count <= 3 && cobs_ok(cobs) && size <= SIZE_MAX / 4;
    requires \valid_read(bytes + (0 .. size - 1)) && \separated(sum, bytes + (0 .. size - 1)) && \separated(sum, cobs);
    requires most(cobs, size) <= SIZE_MAX / 2 && \valid(cobs->out + (0 .. most(cobs, size) - 1));
    requires \separated(cobs, cobs->out + (0 .. most(cobs, size) - 1)) && \separated(cobs, bytes + (0 .. size - 1));
    requires \separated(sum, cobs->out + (0 .. most(cobs, size) - 1));
    assigns *sum, cobs->to, cobs->code, *(cobs->out + (0 .. most(cobs, size) - 1));
    ensures sum->count <= 3;
    ensures cobs_ok(cobs) && cobs->out == \old(cobs->out) && \old(cobs->to) + size <= cobs->to;
    ensures cobs->to - cobs->out <= \old(most(cobs, size));
    ensures 254 * (cobs->to - \old(cobs->to) - size) + group(cobs) <= size + \old(group(cobs)); */
static inline void seal(weft_sum *sum, weft_cobs *cobs, const uint8_t *bytes, size_t size);

/*@ requires count <= 8 && \valid_read(pieces + (0 .. count - 1));
    requires \forall integer i; 0 <= i < count ==>
               \valid_read(pieces[i].bytes + (0 .. pieces[i].size - 1)) && pieces[i].size <= SIZE_MAX / 64;
    requires \valid(bytes + (0 .. wire(pieces, count) - 1)) && total(pieces, count) <= SIZE_MAX / 8;
    requires \separated(bytes + (0 .. wire(pieces, count) - 1), pieces + (0 .. count - 1));
    assigns bytes[0 .. wire(pieces, count) - 1];
    ensures 1 <= \result <= wire(pieces, count); */
size_t weft_frame_seal_pieces(uint8_t *bytes, const weft_frame_piece *pieces, size_t count);

/*@ requires size <= SIZE_MAX / 64 && shift <= SIZE_MAX / 2;
    requires \valid(bytes + (0 .. WEFT_FRAME_WIRE_MAX(size + WEFT_FRAME_CHECK_SIZE) - 1));
    requires \valid_read(bytes + (shift .. shift + size - 1));
    assigns bytes[0 .. WEFT_FRAME_WIRE_MAX(size + WEFT_FRAME_CHECK_SIZE) - 1];
    ensures 1 <= \result <= WEFT_FRAME_WIRE_MAX(size + WEFT_FRAME_CHECK_SIZE); */
size_t weft_frame_seal(uint8_t *bytes, size_t shift, size_t size);

/*@ requires size >= 1 && \valid_read(content + (0 .. size - 1));
    assigns \nothing; */
uint32_t weft_frame_check(const uint8_t *content, size_t size);

/*@ requires \valid(frame) && \valid(bytes + (0 .. size - 1)) && \separated(frame, bytes + (0 .. size - 1));
    assigns *frame, bytes[0 .. size - 1];
    ensures \result == WEFT_OK || \result == WEFT_CORRUPT || \result == WEFT_VERSION;
    ensures \result == WEFT_OK ==>
              bytes <= frame->body && frame->body - bytes + frame->body_size + WEFT_FRAME_CHECK_SIZE < size; */
weft_status weft_frame_open(weft_frame *frame, uint8_t *bytes, size_t size);

#include "core/frame.c"
#include "core/frame_open.c"
