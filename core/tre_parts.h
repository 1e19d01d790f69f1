/* SPDX-License-Identifier: MIT */
/* What the files of core/tre share; no other file includes it. Calls go one way:
 *
 *     tre_push.c             the steps of an address; step 1
 *        -> tre_nest.c       steps 2 to 4: the newest level changes places, a new level, a level is split
 *           -> tre_bounds.c  what is known of a level's bound, and what its end teaches
 *        -> tre_record.c     the record of a nest that ends
 *           -> tre_bounds.c */
#ifndef WEFT_CORE_TRE_PARTS_H
#define WEFT_CORE_TRE_PARTS_H

#include "core/tre.h"

#define CONSTANT_KNOWN 0x80u
#define OPEN 0x40u /* the level has not ended under the present outer indices, and where it will is not known */
/* Its bound is the same under all outer indices. Only a shorter way needs to know that. */
#define FIXED (WEFT_SMALL ? 0u : 0x20u)

static inline bool is_open(const weft_tre *tre, unsigned l)
{
    return (tre->level[l].known & OPEN) != 0;
}

/* Whether no slope of level l is known to differ from 0. */
static inline bool is_flat(const weft_tre *tre, unsigned l)
{
    const int16_t *slope = tre->level[l].slope;
    while (l-- > 0)
        if (*slope++)
            return false;
    return true;
}

/* Ways in which level l may end at its present index: it cannot; at its first iteration, where under other indices it
 * went further; or as expected. */
enum { CANNOT_END, SHORT, FULL };

/* ---- core/tre_bounds.c ---- */

/* The constant and all slopes that are known, summed up. *unknown: the level whose slope is missing, or
 * WEFT_TRE_LEVELS_MAX. False: out of range. */
bool weft_tre_known_bound(const weft_tre *tre, unsigned l, int32_t *bound, unsigned *unknown);
/* Sets the bound of level l. False: there is none. */
bool weft_tre_bind(weft_tre *tre, unsigned l);
/* How level l would end at its index. If `learn`, an open level learns its bound from that. */
unsigned weft_tre_end(weft_tre *tre, unsigned l, bool learn);
/* Levels from l on start at 0. False: a bound is below 0; the indices are then those of no point. */
bool weft_tre_restart(weft_tre *tre, unsigned l);
/* Sets what the innermost level predicts, after a change of levels or indices. */
void weft_tre_expect(weft_tre *tre);

/* ---- core/tre_nest.c ---- Each changes the loops, but not their accesses. False: it cannot; nothing changed. */

/* Step 2. The newest level changes places with the one inside it. */
bool weft_tre_pass(weft_tre *tre);
/* Step 3. Makes a level that moves on by `stride`. */
bool weft_tre_grow(weft_tre *tre, uint32_t stride);
/* Step 4. The last index of the outermost level becomes 0 again, under a new level at 1. */
bool weft_tre_split(weft_tre *tre);
/* Undoes the last weft_tre_split. */
bool weft_tre_join(weft_tre *tre);

/* ---- core/tre_record.c ---- */

/* Appends the shorter record. Open bounds are set to the last point. WEFT_FULL: nothing was written. */
weft_status weft_tre_write_record(weft_tre *tre, weft_writer *out);

#endif
