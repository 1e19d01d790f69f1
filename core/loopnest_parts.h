/* SPDX-License-Identifier: MIT */
/* What the files of core/loopnest share; no other file includes it. Calls go one way:
 *
 *     loopnest_push.c          the steps: what is open, the search for squares, one symbol
 *        -> loopnest_terms.c   terms as they are written, and read again
 *
 * loopnest_check.c is for tests. */
#ifndef WEFT_CORE_LOOPNEST_PARTS_H
#define WEFT_CORE_LOOPNEST_PARTS_H

#include "core/loopnest.h"

/* A loop's header: 2 bytes for its terms, at most 2 * WEFT_LOOPNEST_WINDOW_MAX / 2, and 4 for its count. */
#define HEADER_MAX 6u
/* The most bytes that a count takes beyond its first. */
#define COUNT_MORE 3u

/* Not inlined: for size where calls are rare, for few registers in the callers where they are not. */
#define APART __attribute__((noinline))

static inline weft_loopnest_term *term_at(const weft_loopnest *nest, uint32_t position)
{
    return &nest->config.terms[position & nest->terms_mask];
}

/* ---- core/loopnest_terms.c ---- Writing: the caller has made sure of the room. Each returns where it ended. */

uint8_t *weft_loopnest_put_header(uint8_t *to, uint32_t terms, uint32_t count);
/* A run. One of two small symbols is shorter as two symbols. */
uint8_t *weft_loopnest_put_run(uint8_t *to, uint32_t symbol, uint32_t count);
/* Copies in ascending order, so that `to` may overlap `from` if it lies below it. */
uint8_t *weft_loopnest_copy(uint8_t *to, const uint8_t *from, const uint8_t *end);
/* Writes the header of the open loop, with its count. The body, which ends at `end`, moves up, and the output ends with
 * it. */
void weft_loopnest_put_loop(weft_loopnest *nest, weft_writer *out, uint8_t *end);
/* Puts the cursor on the term at `at`. If that is a symbol or a run, returns 0, and it is expected now. If it is
 * another loop, returns the number of terms of its body, which follows, with the count in `left`. */
uint32_t weft_loopnest_read_term(weft_loopnest *nest, uint8_t *at);
/* Goes over the terms from `at` to `end`, or over a single one if that is NULL. Leaves the cursor after them and their
 * number in terms_left. Returns how deep they nest. */
uint32_t weft_loopnest_measure(weft_loopnest *nest, uint8_t *at, const uint8_t *end);

/* A varint at the cursor, without its lowest bits. */
static inline __attribute__((always_inline)) uint32_t get_inline(weft_loopnest *nest, uint32_t without)
{
    uint8_t *at = nest->at;
    uint32_t byte = *at++, value = (byte & 0x7f) >> without;
    if (byte & 0x80) {
        uint32_t shift = 7 - without;
        do {
            byte = *at++;
            value |= (byte & 0x7f) << shift;
            shift += 7;
        } while (byte & 0x80);
    }
    nest->at = at;
    return value;
}

#endif
