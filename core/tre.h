/* SPDX-License-Identifier: MIT */
/* Trace Reconstruction Engine for one address stream, single-domain form (Rodriguez et al., section 3), over fixed memory.
 *
 * The model is a nest of loops, index[l] from 0 to constant[l] + sum over outer m of slope[l][m] * index[m], whose access is
 * base + sum of coefficient[l] * index[l], modulo 2^32. Unlike the host's engine it never searches: at each access the
 * prediction is tried, then the levels from the inside out, then one new level. What that does not explain ends the nest, whose
 * record is appended to the caller's writer, and starts the next. A nest that would take more bytes than its addresses is written as
 * those. Lossless and deterministic. An engine holds 64 bytes and 16 a level (32-bit pointers). Work per access is bounded by
 * the square of the levels; writing a short nest plainly adds WEFT_TRE_PLAIN_MAX addresses. */
#ifndef WEFT_CORE_TRE_H
#define WEFT_CORE_TRE_H

#include "core/bytes.h"

#define WEFT_TRE_LEVELS_MAX 6u
#define WEFT_TRE_SLOPES (WEFT_TRE_LEVELS_MAX * (WEFT_TRE_LEVELS_MAX - 1u) / 2u)

/* Nests of up to so many accesses are weighed against a plain list. */
#define WEFT_TRE_PLAIN_MAX 32u

/* A record is never longer than this. */
#define WEFT_TRE_RECORD_MAX 168u

typedef struct weft_tre_level {
    int32_t coefficient;
    int32_t index;    /* the innermost level's lags behind: see weft_tre.left */
    int32_t upper;    /* the bound under the present outer indices, or as far as it may yet be found to lie */
    int32_t constant; /* of the bound */
} weft_tre_level;

typedef struct weft_tre {
    uint32_t last;         /* latest address */
    uint32_t step;         /* of the innermost level: its coefficient */
    uint32_t left;         /* iterations of the innermost level that are predicted still */
    uint32_t count;        /* addresses taken into the nest */
    uint32_t base;         /* first address of the nest */
    weft_tre_level *level; /* the caller's, levels_max of them; outermost first */
    uint8_t levels_max, levels;
    uint8_t inside; /* not 0: the newest level went outside all others, but may belong inside so many of them */
    bool fresh;     /* and all further ones had not yet moved under them: it may be the innermost */
    uint8_t known[WEFT_TRE_LEVELS_MAX]; /* of each level: bit m: slope to level m known; bit 6: bound not known yet;
                                             bit 7: constant known */
    int16_t slope[WEFT_TRE_SLOPES];     /* row by row: level 1 to 0, level 2 to 0 and 1, ... */
} weft_tre;

/* levels_max 1..6. WEFT_CONFIG otherwise. */
weft_status weft_tre_init(weft_tre *tre, weft_tre_level *level, unsigned levels_max);

/* Takes one address. WEFT_OK. When it ends a nest, the record of that nest is appended to `out` first; if there is no
 * room: WEFT_FULL, and nothing is taken or written. */
weft_status weft_tre_push(weft_tre *tre, uint32_t address, weft_writer *out);

/* The innermost loop's own prediction, to be inlined before a push of the same address: true when that took it. For callers that flush
 * an engine before it has taken 2^32 - 1 addresses. */
static inline bool weft_tre_predicted(weft_tre *tre, uint32_t address)
{
    if (!tre->left || address != tre->last + tre->step)
        return false;
    tre->left--;
    tre->last = address;
    tre->count++;
    return true;
}

/* Appends the record of the nest under way, if any, and empties the engine. WEFT_FULL: no room; nothing changed. */
weft_status weft_tre_flush(weft_tre *tre, weft_writer *out);

#endif
