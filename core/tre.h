/* SPDX-License-Identifier: MIT */
/* Trace Reconstruction Engine for one address stream, single-domain form (Rodriguez et al., section 3), over fixed
 * memory.
 *
 * The model is a nest of loops. index[l] runs from 0 to constant[l] + the sum over all outer m of slope[l][m] *
 * index[m]. The access is base + the sum of coefficient[l] * index[l], modulo 2^32.
 *
 * Unlike the host's engine it never searches. At each access it tries the prediction, then the levels from the inside
 * out, then other places for the newest level, then one new level. If none of these explains the address, the nest
 * ends: its record is appended to the caller's writer, and the next nest starts. A nest that would take more bytes than
 * its addresses is written as those. Lossless and deterministic.
 *
 * A triangle, rows of 4, 3, 2 and 1 words that begin 100 apart. `..` is the bound that is known, `?` one that is not:
 *
 *   100                   base 100, no level
 *   104                   one level: coefficient 4, 0 .. ?
 *   108, 112              predicted
 *   200                   not predicted. A new level outside: coefficient 100, 0 .. ?. The inner one ended at 3, its
 *                         constant. Its slope is not known yet, so this row may go on beyond 3
 *   204, 208              predicted
 *   300                   the inner level ended at 2 under outer index 1: its slope is -1, its bound 3 - outer, now 1
 *   304                   predicted
 *   400                   the end of a row, where it was expected: the outer index moves on to 3, the bound to 0
 *   flush                 2 levels, 10 accesses, base 100; 100, 0 .. 3; 4, 0 .. 3 - outer
 *
 * An engine holds 28 bytes and 28 per level (32-bit pointers). Work per access is bounded by the cube of the levels
 * (see tre_push.c); writing a short nest plainly adds WEFT_TRE_PLAIN_MAX addresses. */
#ifndef WEFT_CORE_TRE_H
#define WEFT_CORE_TRE_H

#include "core/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_TRE_LEVELS_MAX 6u

/* accesses: up to this length, a nest is weighed against a plain list */
#define WEFT_TRE_PLAIN_MAX 32u

/* bytes: a record is never longer */
#define WEFT_TRE_RECORD_MAX 168u

typedef struct weft_tre_level {
    int32_t coefficient;
    int32_t index;    /* of the innermost level: out of date, see weft_tre.left */
    int32_t upper;    /* the bound under the present outer indices; while it is not known, the most that it may be */
    int32_t constant; /* of the bound: its value while all outer indices are 0 */
    int16_t slope[WEFT_TRE_LEVELS_MAX - 1u]; /* to each level outside it: by how much its index moves the bound */
    /* Bit m < 5: the slope to level m is known (else it is 0); bit 5: constant known, all slopes 0; bit 6: the bound is
     * not known yet; bit 7: constant known. */
    uint8_t known;
} weft_tre_level;

typedef struct weft_tre {
    uint32_t last;         /* latest address */
    uint32_t step;         /* of the innermost level: its coefficient */
    uint32_t left;         /* iterations of the innermost level that are still predicted */
    uint32_t count;        /* addresses taken into the nest */
    uint32_t base;         /* first address of the nest */
    weft_tre_level *level; /* the caller's, levels_max of them; outermost first */
    /* levels_max; the newest level, which may belong further inside, up to level `inside` */
    uint8_t levels_max : 4, newest : 4;
    uint8_t inside;
    uint8_t levels;
    /* levels - 1, if it is known how the innermost bound moves with the level outside it; 0: a row's end takes the long
     * way */
    uint8_t turns;
} weft_tre;

/* levels_max 1..6. WEFT_CONFIG otherwise. */
weft_status weft_tre_init(weft_tre *tre, weft_tre_level *level, unsigned levels_max);

/* The innermost loop's own prediction, to be inlined before a push of the same address. True: it took the address. For
 * callers that flush an engine before it has taken 2^32 - 1 addresses. */
static inline bool weft_tre_predicted(weft_tre *tre, uint32_t address)
{
    if (!tre->left || address != tre->last + tre->step)
        return false;
    tre->left--;
    tre->last = address;
    tre->count++;
    return true;
}

/* Takes the address if the present nest goes on to it. Writes nothing. False: not taken. */
bool weft_tre_move(weft_tre *tre, uint32_t address);

/* Takes an address that weft_tre_move has just refused. See weft_tre_push. */
weft_status weft_tre_change(weft_tre *tre, uint32_t address, weft_writer *out);

/* Takes one address. If that ends a nest, the record of the nest is appended to `out` first; bounds that are not known
 * yet are set to the last point. WEFT_FULL: there is no room for the record; nothing was taken or written. */
static inline weft_status weft_tre_push(weft_tre *tre, uint32_t address, weft_writer *out)
{
    return weft_tre_move(tre, address) ? WEFT_OK : weft_tre_change(tre, address, out);
}

/* Appends the record of the present nest, if any, and empties the engine. WEFT_FULL: no room, as above. */
weft_status weft_tre_flush(weft_tre *tre, weft_writer *out);

#ifdef __cplusplus
}
#endif

#endif
