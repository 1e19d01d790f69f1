/* SPDX-License-Identifier: MIT */
/* The bounds of the levels: tre_push.c says how they are learned. */
#include "core/own.h"
#include "core/tre_parts.h"

void weft_tre_expect(weft_tre *tre)
{
    unsigned l = tre->levels - 1u, outer = 1u << l >> 1;
    const weft_tre_level *inner = &tre->level[l];
    if (!WEFT_SMALL) /* only a shorter way needs it */
        tre->turns = (inner->known & (OPEN | outer)) == outer ? (uint8_t)l : 0;
    tre->left = (uint32_t)inner->upper - (uint32_t)inner->index;
    tre->step = (uint32_t)inner->coefficient;
}

bool weft_tre_known_bound(const weft_tre *tre, unsigned l, int32_t *bound, unsigned *unknown)
{
    const weft_tre_level *level = &tre->level[l];
    int32_t sum = level->constant;
    *unknown = WEFT_TRE_LEVELS_MAX;
    for (unsigned m = 0; m < l; m++) {
        int32_t index = tre->level[m].index;
        if (!index)
            continue;
        if (!(level->known >> m & 1u)) {
            *unknown = m;
        } else if (level->slope[m]) {
            /* An index of 2^16 at a slope means some 2^31 accesses. Below it the product fits: 2^16 times 2^15. */
            if (index > UINT16_MAX || __builtin_add_overflow(sum, index * level->slope[m], &sum))
                return false;
        }
    }
    *bound = sum;
    return true;
}

/* The bound of level l under the present outer indices; while it is open, the most that it may be. Below 0: there is
 * none. */
static int32_t bound_of(const weft_tre *tre, unsigned l, bool *open)
{
    int32_t bound;
    unsigned unknown;
    *open = true;
    if (!(tre->level[l].known & CONSTANT_KNOWN))
        return INT32_MAX - 1;
    if (!weft_tre_known_bound(tre, l, &bound, &unknown))
        return -1;
    *open = unknown < WEFT_TRE_LEVELS_MAX;
    if (*open && (tre->level[unknown].index != 1 || __builtin_add_overflow(bound, INT16_MAX, &bound)))
        return -1;
    return bound;
}

bool weft_tre_bind(weft_tre *tre, unsigned l)
{
    bool open;
    weft_tre_level *level = &tre->level[l];
    unsigned known = level->known & ~(OPEN | FIXED);
    level->upper = bound_of(tre, l, &open);
    if (open)
        known |= OPEN;
    else if (known == (CONSTANT_KNOWN | ((1u << l) - 1u)) && is_flat(tre, l))
        known |= FIXED;
    level->known = (uint8_t)known;
    return level->upper >= 0;
}

unsigned weft_tre_end(weft_tre *tre, unsigned l, bool learn)
{
    weft_tre_level *level = &tre->level[l];
    int32_t index = level->index, bound, slope;
    unsigned m;
    if (!is_open(tre, l))
        return index == level->upper ? FULL : CANNOT_END;
    if (!(level->known & CONSTANT_KNOWN)) {
        if (learn) {
            level->constant = index;
            level->known |= CONSTANT_KNOWN;
        }
        return FULL;
    }
    if (!weft_tre_known_bound(tre, l, &bound, &m) || m == WEFT_TRE_LEVELS_MAX || tre->level[m].index != 1 ||
        __builtin_sub_overflow(index, bound, &slope) || slope != (int16_t)slope)
        return CANNOT_END;
    if (learn) {
        level->slope[m] = (int16_t)slope;
        level->known |= (uint8_t)(1u << m);
    }
    return slope < 0 && !index ? SHORT : FULL;
}

bool weft_tre_restart(weft_tre *tre, unsigned l)
{
    for (; l < tre->levels; l++) {
        tre->level[l].index = 0;
        if (!(tre->level[l].known & FIXED) && !weft_tre_bind(tre, l))
            return false;
    }
    weft_tre_expect(tre);
    return true;
}
