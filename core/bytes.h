/* SPDX-License-Identifier: MIT */
/* Little-endian load and store, varints, check sums, COBS. Reader and writer carry their error: code
 * reads or writes straight through and looks at `status` once at the end. */
#ifndef WEFT_CORE_BYTES_H
#define WEFT_CORE_BYTES_H

#include "core/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The longest varint of 32 and of 64 bits, in bytes. */
#define WEFT_VARINT32_MAX 5u
#define WEFT_VARINT64_MAX 10u

/* Appends to the caller's bytes. With bytes == NULL nothing is stored and `size` only measures.
 * After the first append that does not fit, status is WEFT_FULL and nothing more is stored. */
typedef struct weft_writer {
    uint8_t *bytes;
    size_t size_max;
    size_t size;
    weft_status status;
} weft_writer;

/* `bytes` is the caller's, size_max bytes, and must outlive the writer; NULL: only measures. */
void weft_writer_init(weft_writer *writer, uint8_t *bytes, size_t size_max);
/* Bytes that still fit. */
size_t weft_writer_room(const weft_writer *writer);
/* Takes back everything after `size` (a value of writer->size read earlier) and clears the error. */
void weft_writer_rollback(weft_writer *writer, size_t size);

/* Each appends a whole value, little-endian, or nothing of it if it does not fit: then the writer's error is set. */

/* 1 byte. */
void weft_write_u8(weft_writer *writer, uint8_t value);
/* 2 bytes. */
void weft_write_u16(weft_writer *writer, uint16_t value);
/* 4 bytes. */
void weft_write_u32(weft_writer *writer, uint32_t value);
/* 8 bytes. */
void weft_write_u64(weft_writer *writer, uint64_t value);
/* LEB128: seven bits per byte, low bits first, the top bit set on all but the last byte. WEFT_VARINT32_MAX bytes at
 * most. */
void weft_write_varint(weft_writer *writer, uint32_t value);
/* The same, of 64 bits: WEFT_VARINT64_MAX bytes at most. */
void weft_write_varint64(weft_writer *writer, uint64_t value);
/* `size` bytes as they are. */
void weft_write_bytes(weft_writer *writer, const uint8_t *bytes, size_t size);

/* The same where the caller has made sure of the room: WEFT_VARINT32_MAX, WEFT_VARINT64_MAX bytes at most. Each returns
 * where it ended. The annotations are for `make prove`. */
static inline uint8_t *weft_put_varint_here(uint8_t *to, uint32_t value)
{
    /*@ loop invariant \base_addr(to) == \base_addr(\at(to, Pre)) && 0 <= to - \at(to, Pre) <= 4;
        loop invariant to - \at(to, Pre) >= 1 ==> value <= 0x1ffffff;
        loop invariant to - \at(to, Pre) >= 2 ==> value <= 0x3ffff;
        loop invariant to - \at(to, Pre) >= 3 ==> value <= 0x7ff;
        loop invariant to - \at(to, Pre) >= 4 ==> value <= 0xf;
        loop invariant to == \at(to, Pre) ==> value == \at(value, Pre);
        loop invariant \at(value, Pre) <= 0xfffffff && to - \at(to, Pre) >= 1 ==> value <= 0x1fffff;
        loop invariant \at(value, Pre) <= 0xfffffff && to - \at(to, Pre) >= 2 ==> value <= 0x3fff;
        loop invariant \at(value, Pre) <= 0xfffffff && to - \at(to, Pre) >= 3 ==> value <= 0x7f;
        loop invariant \at(value, Pre) <= 0xfffffff ==> to - \at(to, Pre) <= 3;
        loop invariant \at(value, Pre) <= 0x3fff && to - \at(to, Pre) >= 1 ==> value <= 0x7f;
        loop invariant \at(value, Pre) <= 0x3fff ==> to - \at(to, Pre) <= 1;
        loop assigns to, value, *(\at(to, Pre) + (0 .. varint_max(\at(value, Pre)) - 1));
        loop variant value; */
    for (; value > 0x7f; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

/* These two as ordinary functions, not inlined. */
uint8_t *weft_put_varint_apart(uint8_t *to, uint32_t value);
uint8_t *weft_put_varint64_apart(uint8_t *to, uint64_t value);

static inline uint8_t *weft_put_varint(uint8_t *to, uint32_t value)
{
#ifdef __OPTIMIZE_SIZE__
    return weft_put_varint_apart(to, value);
#else
    return weft_put_varint_here(to, value);
#endif
}

static inline uint8_t *weft_put_varint64_here(uint8_t *to, uint64_t value)
{
    /*@ loop invariant \base_addr(to) == \base_addr(\at(to, Pre)) && 0 <= to - \at(to, Pre) <= 9;
        loop invariant to - \at(to, Pre) >= 1 ==> value <= 0x1ffffffffffffff;
        loop invariant to - \at(to, Pre) >= 2 ==> value <= 0x3ffffffffffff;
        loop invariant to - \at(to, Pre) >= 3 ==> value <= 0x7ffffffffff;
        loop invariant to - \at(to, Pre) >= 4 ==> value <= 0xfffffffff;
        loop invariant to - \at(to, Pre) >= 5 ==> value <= 0x1fffffff;
        loop invariant to - \at(to, Pre) >= 6 ==> value <= 0x3fffff;
        loop invariant to - \at(to, Pre) >= 7 ==> value <= 0x7fff;
        loop invariant to - \at(to, Pre) >= 8 ==> value <= 0xff;
        loop invariant to - \at(to, Pre) >= 9 ==> value <= 0x1;
        loop assigns to, value, *(\at(to, Pre) + (0 .. 9));
        loop variant value; */
    for (; value > 0x7f; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

static inline uint8_t *weft_put_varint64(uint8_t *to, uint64_t value)
{
#ifdef __OPTIMIZE_SIZE__
    return weft_put_varint64_apart(to, value);
#else
    return weft_put_varint64_here(to, value);
#endif
}

/* Reads the caller's bytes, which must outlive it. Beyond the end, or at a varint that is too long,
 * status becomes WEFT_CORRUPT and every read gives 0. `at` is the offset of the next byte. */
typedef struct weft_reader {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    weft_status status;
} weft_reader;

/* Starts at the first of `size` bytes. */
void weft_reader_init(weft_reader *reader, const uint8_t *bytes, size_t size);
/* Bytes that are not read yet. */
size_t weft_reader_left(const weft_reader *reader);

/* Each reads a whole value, little-endian, and moves on. What is not all there reads as 0, and sets the error. */

/* 1 byte. */
uint8_t weft_read_u8(weft_reader *reader);
/* 2 bytes. */
uint16_t weft_read_u16(weft_reader *reader);
/* 4 bytes. */
uint32_t weft_read_u32(weft_reader *reader);
/* 8 bytes. */
uint64_t weft_read_u64(weft_reader *reader);
/* A varint of up to 32 bits. */
uint32_t weft_read_varint(weft_reader *reader);
/* A varint of up to 64 bits. */
uint64_t weft_read_varint64(weft_reader *reader);
/* The next `size` bytes in place, or NULL. */
const uint8_t *weft_read_bytes(weft_reader *reader, size_t size);

/* Signed to unsigned so that small magnitudes stay small: 0, -1, 1, -2 -> 0, 1, 2, 3. */
static inline uint32_t weft_zigzag(int32_t value)
{
    return ((uint32_t)value << 1) ^ (0u - ((uint32_t)value >> 31));
}

static inline int32_t weft_unzigzag(uint32_t value)
{
    return (int32_t)((value >> 1) ^ (0u - (value & 1u)));
}

static inline uint64_t weft_zigzag64(int64_t value)
{
    return ((uint64_t)value << 1) ^ (0u - ((uint64_t)value >> 63));
}

static inline int64_t weft_unzigzag64(uint64_t value)
{
    return (int64_t)((value >> 1) ^ (0u - (value & 1u)));
}

/* CRC-32 (IEEE 802.3, reflected, as in zlib) of `bytes`, continued from `crc`; start with 0. */
uint32_t weft_crc32(uint32_t crc, const uint8_t *bytes, size_t size);

/* The check sum of frames, over bytes that come in pieces: start, any number of puts, end. core/FORMAT.md, "Check sum".
 * A word costs five instructions on an M3, where CRC-32 costs sixteen and a table. */
typedef struct weft_sum {
    uint32_t sum;   /* of whole words */
    uint32_t part;  /* bytes that do not fill a word yet, */
    uint32_t count; /* and how many they are: 0 to 3 */
} weft_sum;
/* Begins the sum of no bytes. */
void weft_sum_start(weft_sum *sum);
/* Adds the next `size` bytes. */
void weft_sum_put(weft_sum *sum, const uint8_t *bytes, size_t size);
/* The sum of all bytes so far. */
uint32_t weft_sum_end(const weft_sum *sum);
/* The check sum of bytes in one piece. */
uint32_t weft_sum_of(const uint8_t *bytes, size_t size);

/* Consistent Overhead Byte Stuffing (Cheshire & Baker 1999): no zero byte in the result. The encoding
 * of n bytes takes at most WEFT_COBS_MAX(n) bytes. Coding in place works if the input
 * begins at least WEFT_COBS_SHIFT(n) bytes after `out`. Otherwise the two must not overlap. */
#define WEFT_COBS_MAX(n) ((n) + (n) / 254u + 1u)
#define WEFT_COBS_SHIFT(n) ((n) / 254u + 1u)
/* Codes `size` bytes, without a delimiter. Returns the size of the result. */
size_t weft_cobs_encode(uint8_t *out, const uint8_t *in, size_t size);
/* The same in pieces: start, any number of puts, end. In place, each byte of a piece must
 * lie at least WEFT_COBS_SHIFT(n) bytes after its place in the whole input, counted from `out`; n is the size of
 * the whole. */
typedef struct weft_cobs {
    uint8_t *out;
    uint8_t *to;
    uint8_t *code; /* where the length of the open group goes; NULL: the next byte opens a group */
} weft_cobs;
/* Begins at `out`, which has room for WEFT_COBS_MAX of all bytes. */
void weft_cobs_start(weft_cobs *cobs, uint8_t *out);
/* Codes the next `size` bytes. */
void weft_cobs_put(weft_cobs *cobs, const uint8_t *in, size_t size);
/* weft_sum_put, then weft_cobs_put: in one pass, if compiled for speed. */
void weft_seal_put(weft_sum *sum, weft_cobs *cobs, const uint8_t *in, size_t size);
/* Ends the last group. Returns the size of the result, without a delimiter. */
size_t weft_cobs_end(weft_cobs *cobs);
/* Decodes `size` bytes (no delimiter) to at most `size` bytes; out may be in. False: the bytes are not COBS. */
bool weft_cobs_decode(uint8_t *out, size_t *out_size, const uint8_t *in, size_t size);

#ifdef __cplusplus
}
#endif

#endif
