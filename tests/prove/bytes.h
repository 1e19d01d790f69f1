/* SPDX-License-Identifier: MIT */
/* Contracts of core/bytes.h for Frama-C, as second declarations of its functions. What they state is that memory is the
 * caller's: nothing outside the bounds that the header names is read or written, whatever the values; sizes and errors
 * are as the header says. Loop annotations stand in core/bytes.c and core/bytes.h. */
#ifndef WEFT_TESTS_PROVE_BYTES_H
#define WEFT_TESTS_PROVE_BYTES_H

#include <string.h>

/* Of the annotations in core/bytes.h: bytes that a varint may take. */
/*@ logic integer varint_max(integer value) = value <= 0x3fff ? 2 : value <= 0xfffffff ? 4 : 5;

    predicate moved{L1, L2}(unsigned char *from, unsigned char *to, integer least, integer most) =
      \base_addr{L2}(to) == \base_addr{L1}(from) && least <= to - from <= most;
*/

#include "core/bytes.h"

/*@ requires \valid(to + (0 .. varint_max(value) - 1));
    assigns to[0 .. varint_max(value) - 1];
    ensures moved{Pre, Post}(to, \result, 1, varint_max(value)); */
static inline uint8_t *weft_put_varint(uint8_t *to, uint32_t value);

/*@ requires \valid(to + (0 .. varint_max(value) - 1));
    assigns to[0 .. varint_max(value) - 1];
    ensures moved{Pre, Post}(to, \result, 1, varint_max(value)); */
static inline uint8_t *weft_put_varint_here(uint8_t *to, uint32_t value);

/*@ requires \valid(to + (0 .. varint_max(value) - 1));
    assigns to[0 .. varint_max(value) - 1];
    ensures moved{Pre, Post}(to, \result, 1, varint_max(value)); */
uint8_t *weft_put_varint_apart(uint8_t *to, uint32_t value);

/*@ requires \valid(to + (0 .. WEFT_VARINT64_MAX - 1));
    assigns to[0 .. WEFT_VARINT64_MAX - 1];
    ensures moved{Pre, Post}(to, \result, 1, WEFT_VARINT64_MAX); */
static inline uint8_t *weft_put_varint64(uint8_t *to, uint64_t value);

/*@ requires \valid(to + (0 .. WEFT_VARINT64_MAX - 1));
    assigns to[0 .. WEFT_VARINT64_MAX - 1];
    ensures moved{Pre, Post}(to, \result, 1, WEFT_VARINT64_MAX); */
static inline uint8_t *weft_put_varint64_here(uint8_t *to, uint64_t value);

/*@ requires \valid(to + (0 .. WEFT_VARINT64_MAX - 1));
    assigns to[0 .. WEFT_VARINT64_MAX - 1];
    ensures moved{Pre, Post}(to, \result, 1, WEFT_VARINT64_MAX); */
uint8_t *weft_put_varint64_apart(uint8_t *to, uint64_t value);

/* The prover needs no hint of alignment, and no void pointers. */
#define __builtin_assume_aligned(pointer, alignment) (pointer)
#define memcpy copy_bytes
/*@ requires \valid(to + (0 .. size - 1)) && \valid_read(from + (0 .. size - 1));
    requires \separated(to + (0 .. size - 1), from + (0 .. size - 1));
    assigns to[0 .. size - 1]; */
void copy_bytes(uint8_t *to, const uint8_t *from, size_t size);

/*@ predicate writer_ok{L}(weft_writer *w) =
      \valid(w) && w->size <= w->size_max <= SIZE_MAX &&
      (w->bytes != \null ==> \valid(w->bytes + (0 .. w->size_max - 1)) &&
                             \separated(w, w->bytes + (0 .. w->size_max - 1)));

    predicate reader_ok{L}(weft_reader *r) =
      \valid(r) && r->at <= r->size &&
      \valid_read(r->bytes + (0 .. r->size - 1)) && \separated(r, r->bytes + (0 .. r->size - 1));

    predicate written{L1, L2}(weft_writer *w, integer size) =
      \at(w->size_max, L2) == \at(w->size_max, L1) && \at(w->bytes, L2) == \at(w->bytes, L1) &&
      (\at(w->status, L1) == WEFT_OK && \at(w->size, L1) + size <= \at(w->size_max, L1) ?
         \at(w->status, L2) == WEFT_OK && \at(w->size, L2) == \at(w->size, L1) + size :
         \at(w->status, L2) == WEFT_FULL && \at(w->size, L2) == \at(w->size, L1));

    predicate read_from{L1, L2}(weft_reader *r, integer size) =
      \at(r->bytes, L2) == \at(r->bytes, L1) && \at(r->size, L2) == \at(r->size, L1) &&
      (\at(r->status, L1) == WEFT_OK && \at(r->at, L1) + size <= \at(r->size, L1) ?
         \at(r->status, L2) == WEFT_OK && \at(r->at, L2) == \at(r->at, L1) + size :
         \at(r->status, L2) == WEFT_CORRUPT && \at(r->at, L2) == \at(r->at, L1));
*/

/*@ requires writer_ok(writer) && size <= 8;
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && written{Pre, Post}(writer, size); */
static void write_little(weft_writer *writer, uint64_t value, unsigned size);

/*@ requires reader_ok(reader) && size <= 8;
    assigns reader->at, reader->status;
    ensures reader_ok(reader) && read_from{Pre, Post}(reader, size);
    ensures reader->status != WEFT_OK ==> \result == 0; */
static uint64_t read_little(weft_reader *reader, unsigned size);

/*@ requires reader_ok(reader) && (bits == 32 || bits == 64);
    assigns reader->at, reader->status;
    ensures reader_ok(reader);
    ensures reader->status == WEFT_OK || reader->status == WEFT_CORRUPT;
    ensures reader->status == WEFT_OK ==>
              \old(reader->status) == WEFT_OK && \old(reader->at) < reader->at <= \old(reader->at) + (bits + 6) / 7;
    ensures reader->status != WEFT_OK ==> \result == 0; */
static uint64_t read_varint_of(weft_reader *reader, unsigned bits);

/*@ assigns \nothing; */
static uint32_t crc_step(uint32_t crc);

/*@ assigns \nothing; */
static uint32_t sum_step(uint32_t sum, uint32_t word);

/*@ requires \valid_read(bytes + (0 .. 3));
    assigns \nothing; */
static uint32_t little_word(const uint8_t *bytes);

/*@ requires \valid(sum) && sum->count <= 3;
    assigns *sum;
    ensures sum->count <= 3; */
static void sum_byte(weft_sum *sum, uint8_t byte);

/*@ requires \valid(sum);
    assigns *sum;
    ensures sum->count == 0; */
void weft_sum_start(weft_sum *sum);

/*@ requires \valid(sum) && sum->count <= 3 && \valid_read(bytes + (0 .. size - 1));
    requires \separated(sum, bytes + (0 .. size - 1));
    assigns *sum;
    ensures sum->count <= 3; */
void weft_sum_put(weft_sum *sum, const uint8_t *bytes, size_t size);

/*@ requires \valid_read(sum);
    assigns \nothing; */
uint32_t weft_sum_end(const weft_sum *sum);

/*@ requires \valid_read(bytes + (0 .. size - 1));
    assigns \nothing; */
uint32_t weft_sum_of(const uint8_t *bytes, size_t size);

/*@ assigns \nothing;
    ensures \result == 0; */
static size_t nonzero_words(uint8_t *to, const uint8_t *in, size_t size);

/*@ requires \valid(writer);
    requires bytes == \null || \valid(bytes + (0 .. size_max - 1));
    requires \separated(writer, bytes + (0 .. size_max - 1));
    assigns *writer;
    ensures writer_ok(writer) && writer->size == 0 && writer->status == WEFT_OK && writer->bytes == bytes;
    ensures bytes != \null ==> writer->size_max == size_max; */
void weft_writer_init(weft_writer *writer, uint8_t *bytes, size_t size_max);

/*@ requires writer_ok((weft_writer *)writer);
    assigns \nothing;
    ensures \result == writer->size_max - writer->size; */
size_t weft_writer_room(const weft_writer *writer);

/*@ requires writer_ok(writer) && size <= writer->size;
    assigns writer->size, writer->status;
    ensures writer_ok(writer) && writer->size == size && writer->status == WEFT_OK; */
void weft_writer_rollback(weft_writer *writer, size_t size);

/*@ requires writer_ok(writer) && \valid_read(bytes + (0 .. size - 1));
    requires \separated(writer, bytes + (0 .. size - 1));
    requires writer->bytes != \null ==>
             \separated(writer->bytes + (0 .. writer->size_max - 1), bytes + (0 .. size - 1));
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && written{Pre, Post}(writer, size); */
void weft_write_bytes(weft_writer *writer, const uint8_t *bytes, size_t size);

/*@ requires writer_ok(writer);
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && written{Pre, Post}(writer, 1); */
void weft_write_u8(weft_writer *writer, uint8_t value);

/*@ requires writer_ok(writer);
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && written{Pre, Post}(writer, 2); */
void weft_write_u16(weft_writer *writer, uint16_t value);

/*@ requires writer_ok(writer);
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && written{Pre, Post}(writer, 4); */
void weft_write_u32(weft_writer *writer, uint32_t value);

/*@ requires writer_ok(writer);
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer) && written{Pre, Post}(writer, 8); */
void weft_write_u64(weft_writer *writer, uint64_t value);

/*@ requires writer_ok(writer);
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer);
    ensures \exists integer n; 1 <= n <= WEFT_VARINT32_MAX && written{Pre, Post}(writer, n); */
void weft_write_varint(weft_writer *writer, uint32_t value);

/*@ requires writer_ok(writer);
    assigns writer->size, writer->status, writer->bytes[0 .. writer->size_max - 1];
    ensures writer_ok(writer);
    ensures \exists integer n; 1 <= n <= WEFT_VARINT64_MAX && written{Pre, Post}(writer, n); */
void weft_write_varint64(weft_writer *writer, uint64_t value);

/*@ requires \valid(reader) && \valid_read(bytes + (0 .. size - 1));
    requires \separated(reader, bytes + (0 .. size - 1));
    assigns *reader;
    ensures reader_ok(reader) && reader->at == 0 && reader->status == WEFT_OK;
    ensures reader->bytes == bytes && reader->size == size; */
void weft_reader_init(weft_reader *reader, const uint8_t *bytes, size_t size);

/*@ requires reader_ok((weft_reader *)reader);
    assigns \nothing;
    ensures \result == (reader->status == WEFT_OK ? reader->size - reader->at : 0); */
size_t weft_reader_left(const weft_reader *reader);

/*@ requires reader_ok(reader);
    assigns reader->at, reader->status;
    ensures reader_ok(reader) && read_from{Pre, Post}(reader, size);
    ensures reader->status == WEFT_OK ?
              \result == reader->bytes + \old(reader->at) && \valid_read(\result + (0 .. size - 1)) :
              \result == \null; */
const uint8_t *weft_read_bytes(weft_reader *reader, size_t size);

/*@ requires reader_ok(reader);
    assigns reader->at, reader->status;
    ensures reader_ok(reader) && read_from{Pre, Post}(reader, 1);
    ensures reader->status != WEFT_OK ==> \result == 0; */
uint8_t weft_read_u8(weft_reader *reader);

/*@ requires reader_ok(reader);
    assigns reader->at, reader->status;
    ensures reader_ok(reader) && read_from{Pre, Post}(reader, 2);
    ensures reader->status != WEFT_OK ==> \result == 0; */
uint16_t weft_read_u16(weft_reader *reader);

/*@ requires reader_ok(reader);
    assigns reader->at, reader->status;
    ensures reader_ok(reader) && read_from{Pre, Post}(reader, 4);
    ensures reader->status != WEFT_OK ==> \result == 0; */
uint32_t weft_read_u32(weft_reader *reader);

/*@ requires reader_ok(reader);
    assigns reader->at, reader->status;
    ensures reader_ok(reader) && read_from{Pre, Post}(reader, 8);
    ensures reader->status != WEFT_OK ==> \result == 0; */
uint64_t weft_read_u64(weft_reader *reader);

/*@ requires reader_ok(reader);
    assigns reader->at, reader->status;
    ensures reader_ok(reader) && reader->bytes == \old(reader->bytes) && reader->size == \old(reader->size);
    ensures reader->status == WEFT_OK || reader->status == WEFT_CORRUPT;
    ensures reader->status == WEFT_OK ==>
              \old(reader->status) == WEFT_OK && \old(reader->at) < reader->at <= \old(reader->at) + WEFT_VARINT32_MAX;
    ensures reader->status != WEFT_OK ==> \result == 0; */
uint32_t weft_read_varint(weft_reader *reader);

/*@ requires reader_ok(reader);
    assigns reader->at, reader->status;
    ensures reader_ok(reader) && reader->bytes == \old(reader->bytes) && reader->size == \old(reader->size);
    ensures reader->status == WEFT_OK || reader->status == WEFT_CORRUPT;
    ensures reader->status == WEFT_OK ==>
              \old(reader->status) == WEFT_OK && \old(reader->at) < reader->at <= \old(reader->at) + WEFT_VARINT64_MAX;
    ensures reader->status != WEFT_OK ==> \result == 0; */
uint64_t weft_read_varint64(weft_reader *reader);

/*@ requires \valid_read(bytes + (0 .. size - 1));
    assigns \nothing; */
uint32_t weft_crc32(uint32_t crc, const uint8_t *bytes, size_t size);

/* The open group holds `to - code` bytes with its own; a group that is full is closed at once. */
/*@ predicate cobs_ok{L}(weft_cobs *c) =
      \valid(c) && c->out + 1 <= c->to && c->to - c->out <= SIZE_MAX / 2 &&
      \valid(c->out + (0 .. c->to - c->out - 1)) &&
      \base_addr(c->out) == \base_addr(c->to) &&
      (c->code != \null ==> \base_addr(c->code) == \base_addr(c->to) &&
                            c->out <= c->code && 1 <= c->to - c->code <= 254 && \valid(c->code)); */

/*@ requires \valid(cobs) && \valid(out) && \separated(cobs, out);
    assigns *cobs;
    ensures cobs_ok(cobs) && cobs->out == out && cobs->to == out + 1 && cobs->code == out; */
void weft_cobs_start(weft_cobs *cobs, uint8_t *out);

/* At most a byte for each byte, and one for each group of 254, the open one included. */
/*@ logic integer group{L}(weft_cobs *c) = c->code == \null ? 254 : c->to - c->code - 1;
    logic integer most{L}(weft_cobs *c, integer size) = c->to - c->out + size + (size + group(c)) / 254; */

/*@ requires cobs_ok(cobs) && \valid_read(in + (0 .. size - 1)) && size <= SIZE_MAX / 4;
    requires most(cobs, size) <= SIZE_MAX / 2 && \valid(cobs->out + (0 .. most(cobs, size) - 1));
    requires \separated(cobs, cobs->out + (0 .. most(cobs, size) - 1)) && \separated(cobs, in + (0 .. size - 1));
    assigns cobs->to, cobs->code, *(cobs->out + (0 .. most(cobs, size) - 1));
    ensures cobs_ok(cobs) && cobs->out == \old(cobs->out) && \old(cobs->to) + size <= cobs->to;
    ensures cobs->to - cobs->out <= \old(most(cobs, size));
    ensures 254 * (cobs->to - \old(cobs->to) - size) + group(cobs) <= size + \old(group(cobs)); */
void weft_cobs_put(weft_cobs *cobs, const uint8_t *in, size_t size);

/*@ requires \valid(sum) && sum->count <= 3 && cobs_ok(cobs) && size <= SIZE_MAX / 4;
    requires \valid_read(in + (0 .. size - 1)) && \separated(sum, in + (0 .. size - 1)) && \separated(sum, cobs);
    requires most(cobs, size) <= SIZE_MAX / 2 && \valid(cobs->out + (0 .. most(cobs, size) - 1));
    requires \separated(cobs, cobs->out + (0 .. most(cobs, size) - 1)) && \separated(cobs, in + (0 .. size - 1));
    requires \separated(sum, cobs->out + (0 .. most(cobs, size) - 1));
    assigns *sum, cobs->to, cobs->code, *(cobs->out + (0 .. most(cobs, size) - 1));
    ensures sum->count <= 3;
    ensures cobs_ok(cobs) && cobs->out == \old(cobs->out) && \old(cobs->to) + size <= cobs->to;
    ensures cobs->to - cobs->out <= \old(most(cobs, size));
    ensures 254 * (cobs->to - \old(cobs->to) - size) + group(cobs) <= size + \old(group(cobs)); */
void weft_seal_put(weft_sum *sum, weft_cobs *cobs, const uint8_t *in, size_t size);

/*@ requires cobs_ok(cobs) && \separated(cobs, cobs->out + (0 .. cobs->to - cobs->out - 1));
    assigns cobs->out[0 .. cobs->to - cobs->out - 1];
    ensures \result == cobs->to - cobs->out; */
size_t weft_cobs_end(weft_cobs *cobs);

/*@ requires size <= SIZE_MAX / 4 && \valid(out + (0 .. size + size / 254)) && \valid_read(in + (0 .. size - 1));
    assigns out[0 .. size + size / 254];
    ensures 1 <= \result <= WEFT_COBS_MAX(size); */
size_t weft_cobs_encode(uint8_t *out, const uint8_t *in, size_t size);

/*@ requires \valid(out_size) && \valid_read(in + (0 .. size - 1)) && \valid(out + (0 .. size - 1));
    requires \separated(out_size, out + (0 .. size - 1)) && \separated(out_size, in + (0 .. size - 1));
    assigns *out_size, out[0 .. size - 1];
    ensures \result != 0 ==> *out_size < size; */
bool weft_cobs_decode(uint8_t *out, size_t *out_size, const uint8_t *in, size_t size);

#endif
