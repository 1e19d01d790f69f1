/* SPDX-License-Identifier: MIT */
/* Trace Reconstruction Engine for one address stream, single-domain form (Rodriguez et al., section 3), over fixed memory.
 *
 * The model is a nest of loops, index[l] from 0 to constant[l] + sum over outer m of slope[l][m] * index[m], whose access is
 * base + sum of coefficient[l] * index[l], modulo 2^32. Unlike the host's engine it never searches: at each access the
 * prediction is tried, then the levels from the inside out, then other places for the newest level, then one new level. What that does
 * not explain ends the nest, whose record is appended to the caller's writer, and starts the next. A nest that would take more bytes
 * than its addresses is written as those. Lossless and deterministic. An engine holds 64 bytes and 16 a level (32-bit pointers). Work per
 * access is bounded by the cube of the levels (see tre.c); writing a short nest plainly adds WEFT_TRE_PLAIN_MAX addresses. */
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
    uint8_t
        turns; /* 1 + place of the slope by which the innermost bound moves with the level outside it; 0: it may not */
    uint8_t newest : 4, inside : 4; /* the newest level, which may belong further inside, but not beyond this one */
    uint8_t known
        [WEFT_TRE_LEVELS_MAX]; /* of each level: bit m: slope to level m known, else 0; bit 5: constant known, all slopes 0;
                                             bit 6: bound not known yet; bit 7: constant known */
    int16_t slope[WEFT_TRE_SLOPES]; /* row by row: level 1 to 0, level 2 to 0 and 1, ... */
} weft_tre;

/* levels_max 1..6. WEFT_CONFIG otherwise. */
weft_status weft_tre_init(weft_tre *tre, weft_tre_level *level, unsigned levels_max);

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

/* Takes the address if the nest under way goes on to it, and writes nothing. False: not taken. */
bool weft_tre_move(weft_tre *tre, uint32_t address);

/* Takes an address that weft_tre_move has just refused. See weft_tre_push. */
weft_status weft_tre_change(weft_tre *tre, uint32_t address, weft_writer *out);

/* Takes one address. WEFT_OK. When it ends a nest, the record of that nest is appended to `out` first; if there is no
 * room: WEFT_FULL, and nothing is taken or written; bounds not known yet are taken to lie at the last point. */
static inline weft_status weft_tre_push(weft_tre *tre, uint32_t address, weft_writer *out)
{
    return weft_tre_move(tre, address) ? WEFT_OK : weft_tre_change(tre, address, out);
}

/* Appends the record of the nest under way, if any, and empties the engine. WEFT_FULL: no room, as above. */
weft_status weft_tre_flush(weft_tre *tre, weft_writer *out);

#endif
