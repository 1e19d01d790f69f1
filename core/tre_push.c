/* SPDX-License-Identifier: MIT */
/* Steps for an address that the innermost loop does not predict:
 *   1. for each level from the inside out: if moving it on by one and starting the inner ones at 0 gives the address,
 *      and their bounds allow that, do so. A bound that is not known yet is learned from where its level ends.
 *   2. if the newest level might as well belong further inside, it changes places with the next one, and step 1 again.
 *   3. a new level: outermost if all others may end where they are, else just inside those that may not.
 *   4. the outermost level may have run on into the first iteration of a level outside it: that is split off, and
 *      step 1 again.
 *   5. the nest ends; the address starts the next nest.
 *
 * Learning bounds needs no memory of points. In a nest from its first iteration on, the index of each level is 1 before
 * it is 2, and when it is first 1, at most one slope to it is unknown to each inner level. Steps 2 to 4, which change
 * the loops but not their accesses, need no memory either: a level had no further iteration under all points before,
 * only if the indices outside it are 0, or 1 for the first time.
 *
 * Work per access, with D levels. Step 1 sets D bounds of up to D - 1 slopes each, and is tried at most D + 3 times.
 * Steps 2 to 4 copy D rows and set D bounds each, and are tried at most D + 3 times. A record is formed twice, and if
 * its nest is short, with twice WEFT_TRE_PLAIN_MAX steps of the loops. All of that happens only to noise. On a
 * Cortex-M3, the most that was seen for one address is 19,000 instructions with 6 levels and 7,000 with 3; less than
 * half of that where no record is written.
 *
 * Record, all varints, signed ones zigzag-coded:
 *   nest:  levels (1..6), count, base, then from the outermost level: coefficient, constant of the bound, one slope for
 *          each level outside it. The first `count` accesses of the loops.
 *   plain: 0, count, the first address, then differences modulo 2^32. */
#include "core/own.h"
#include "core/tre_parts.h"

#include <string.h>

weft_status weft_tre_init(weft_tre *tre, weft_tre_level *level, unsigned levels_max)
{
    if (!level || levels_max < 1 || levels_max > WEFT_TRE_LEVELS_MAX)
        return WEFT_CONFIG;
    memset(tre, 0, sizeof *tre);
    tre->level = level;
    tre->levels_max = levels_max & 15;
    return WEFT_OK;
}

/* Brings the innermost index up to date. */
static void settle(weft_tre *tre)
{
    if (tre->levels) {
        weft_tre_level *inner = &tre->level[tre->levels - 1];
        inner->index = (int32_t)((uint32_t)inner->upper - tre->left);
    }
}

/* Level l moves on by one, the inner ones end and start at 0. False: a bound is below 0; they have ended, but l has not
 * moved. */
static bool advance(weft_tre *tre, unsigned l)
{
    for (unsigned r = l + 1; r < tre->levels; r++)
        weft_tre_end(tre, r, true);
    tre->level[l].index++;
    if (weft_tre_restart(tre, l + 1))
        return true;
    tre->level[l].index--;
    tre->inside = 0;
    while (++l < tre->levels) {
        weft_tre_bind(tre, l);
        tre->level[l].index = tre->level[l].upper;
    }
    weft_tre_expect(tre);
    return false;
}

/* The same where the bounds of the inner levels are the same under all outer indices. */
static inline void advance_fixed(weft_tre *tre, unsigned l)
{
    weft_tre_level *level = &tre->level[l];
    level->index++;
    while (++l < tre->levels)
        (++level)->index = 0;
    tre->left = (uint32_t)level->upper - (uint32_t)level->index;
}

/* Step 1. `worst`: the worst way in which inner levels may end. */
static bool move(weft_tre *tre, uint32_t stride, unsigned worst)
{
    unsigned fixed = FIXED; /* FIXED if all inner levels are */
    for (unsigned l = tre->levels; l-- > 0;) {
        const weft_tre_level *level = &tre->level[l];
        int32_t index = level->index;
        bool here = (uint32_t)level->coefficient == stride && index < level->upper;
        if (here && fixed)
            advance_fixed(tre, l);
        if (here && (fixed || advance(tre, l))) {
            if (l < tre->newest)
                tre->inside = 0;
            return true;
        }
        fixed &= level->known;
        if (fixed ? index != level->upper : weft_tre_end(tre, l, false) < worst)
            return false;
        stride += (uint32_t)level->coefficient * (uint32_t)index; /* it goes back by this when it starts at 0 again */
    }
    return false;
}

weft_status weft_tre_flush(weft_tre *tre, weft_writer *out)
{
    if (!tre->count)
        return WEFT_OK;
    settle(tre);
    weft_status status = weft_tre_write_record(tre, out);
    if (status == WEFT_OK)
        tre->count = tre->left = tre->levels = tre->turns = 0; /* nothing is predicted any more */
    return status;
}

/* Steps 2 to 4, after step 1. */
static bool change(weft_tre *tre, uint32_t stride)
{
    bool taken = false;
    while (!taken && (weft_tre_pass(tre) || weft_tre_join(tre)))
        taken = move(tre, stride, FULL);
    if (taken || move(tre, stride, SHORT))
        return true;
    if (!stride && tre->levels == 1)
        weft_tre_split(tre);
    return weft_tre_grow(tre, stride) || (weft_tre_split(tre) && move(tre, stride, SHORT));
}

weft_status weft_tre_change(weft_tre *tre, uint32_t address, weft_writer *out)
{
    if (!tre->count || tre->count == UINT32_MAX || !change(tre, address - tre->last)) {
        weft_status status = weft_tre_flush(tre, out); /* step 5 */
        if (status != WEFT_OK)
            return status;
        tre->base = address;
        tre->inside = 0;
    }
    tre->last = address;
    tre->count++;
    return WEFT_OK;
}

/* Step 1, in full. */
static __attribute__((noinline)) bool move_far(weft_tre *tre, uint32_t address)
{
    settle(tre);
    if (!move(tre, address - tre->last, FULL))
        return false;
    tre->last = address;
    tre->count++;
    return true;
}

/* The end of a row, the common case of step 1: the level next to the innermost moves on, and the innermost one's bound
 * with it by one slope. False: anything else; nothing changed. */
static inline bool turn(weft_tre *tre, uint32_t address)
{
    if (tre->left || !tre->turns)
        return false;
    weft_tre_level *beyond = tre->level + tre->levels, *inner = beyond - 1, *outer = beyond - 2;
    if (outer->index >= outer->upper)
        return false;
    uint32_t stride = (uint32_t)outer->coefficient - (uint32_t)inner->coefficient * (uint32_t)inner->upper;
    uint32_t upper = (uint32_t)inner->upper + (uint32_t)inner->slope[tre->turns - 1];
    if (address - tre->last != stride || upper > INT32_MAX)
        return false;
    outer->index++;
    inner->upper = (int32_t)upper;
    tre->left = upper;
    tre->last = address;
    tre->count++;
    return true;
}

bool weft_tre_move(weft_tre *tre, uint32_t address)
{
    if (tre->count == UINT32_MAX)
        return false;
    if (weft_tre_predicted(tre, address) || (!WEFT_SMALL && turn(tre, address)))
        return true;
    return move_far(tre, address);
}
