/* SPDX-License-Identifier: MIT */
/* Steps 2 to 4 (tre_push.c): other nests of loops with the same accesses. */
#include <string.h>

#include "core/own.h"
#include "core/tre_parts.h"

/* Makes room for level p, to which no slope is known. */
static void insert(weft_tre *tre, unsigned p)
{
    unsigned low = (1u << p) - 1u;
    weft_tre_level *level = tre->level + p;
    memmove(level + 1, level, (tre->levels - p) * sizeof *level);
    for (unsigned l = tre->levels++; l > p; l--) {
        unsigned known = (++level)->known;
        for (unsigned m = WEFT_COUNT(level->slope); --m > p;)
            level->slope[m] = level->slope[m - 1];
        level->slope[p] = 0;
        level->known = (uint8_t)((known & (CONSTANT_KNOWN | low)) | (known & 0x1fu & ~low) << 1);
    }
}

/* The innermost level outside p whose index is not 0, where all are 0 or 1. p if there is none. */
static unsigned first_outside(const weft_tre *tre, unsigned p)
{
    for (unsigned m = p; m-- > 0;)
        if (tre->level[m].index)
            return m;
    return p;
}

/* Sets the slopes of level p, which has just become 1 for the first time. */
static void open_row(weft_tre *tre, unsigned p)
{
    weft_tre_level *level = &tre->level[p];
    unsigned first = first_outside(tre, p);
    memset(level->slope, 0, sizeof level->slope);
    level->known = p ? (uint8_t)((CONSTANT_KNOWN | ((1u << p) - 1u)) & ~(1u << first)) : 0;
    level->constant = 0;
    level->index = 1;
}

/* Whether level l has just become 1 for the first time: under all outer indices but the present ones it was 0. */
static bool is_first(const weft_tre *tre, unsigned l)
{
    return tre->level[l].index == 1 && !tre->level[l].constant && is_open(tre, l) && is_flat(tre, l);
}

/* A level's slopes to the levels q and q + 1, which change places. `was`: level q + 1 was at 1. */
static void swap_slopes(weft_tre_level *level, unsigned q, bool was)
{
    unsigned x = q + 1u, known = level->known, mine = known >> q & 1u, others = known >> x & 1u;
    int16_t *row = level->slope;
    int32_t slope = row[q];
    row[q] = row[x];
    if (was) {
        slope -= row[x];
        if (!others || slope != (int16_t)slope)
            mine = 0;
    }
    row[x] = mine ? (int16_t)slope : 0;
    level->known = (uint8_t)((known & ~(3u << q)) | others << q | mine << x);
}

/* Step 2. The newest level changes places with the one inside it. In this view that other level had not ended when the
 * newest one began, but was at 0, or at 1 for the first time. What it learned is forgotten. */
bool weft_tre_pass(weft_tre *tre)
{
    unsigned q = tre->newest, x = q + 1u, first, unknown;
    int32_t was;
    if (q >= tre->inside)
        return false;
    weft_tre_level *newest = &tre->level[q], *other = newest + 1;
    /* The newest level has made two iterations, each with two of the other level. They may also be read as four points
     * at which the other level is at 0, 1, 1 again and 2. */
    bool again = newest->index == 2;
    if (other->index || newest->index > 2 || !weft_tre_known_bound(tre, x, &was, &unknown) || (was & ~1))
        return false;
    if (again && (unknown == q || other->slope[q] || was != 1 || newest->coefficient != other->coefficient))
        return false;
    for (unsigned l = x + 1; again && l < tre->levels; l++)
        if ((tre->level[l].known >> q & 3u) != 3u || tre->level[l].slope[q] != tre->level[l].slope[x])
            return false;
    uint32_t coefficient = (uint32_t)newest->coefficient - (uint32_t)other->coefficient * (uint32_t)was;
    *newest = *other; /* in its place now */
    newest->index = was + again;
    if (q) {
        first = first_outside(tre, q);
        newest->slope[first] = 0;
        newest->known &= (uint8_t)((CONSTANT_KNOWN | ((1u << q) - 1u)) & ~(1u << first));
    } else {
        newest->constant = 0;
        newest->known = 0;
    }
    other->coefficient = (int32_t)coefficient;
    open_row(tre, x);
    if (again) {
        other->slope[q] = 1;
        other->known |= (uint8_t)(1u << q);
    }
    for (unsigned l = q; l < tre->levels; l++) {
        if (l > x)
            swap_slopes(&tre->level[l], q, was != 0);
        weft_tre_bind(tre, l);
    }
    tre->newest = x & 15;
    if (again)
        tre->inside = 0;
    weft_tre_expect(tre);
    return true;
}

/* Step 3: makes level p. Those outside it go on as they are. */
bool weft_tre_grow(weft_tre *tre, uint32_t stride)
{
    unsigned inside = 0, p = 0;
    if (tre->levels == tre->levels_max)
        return false;
    for (unsigned l = 0; l < tre->levels; l++) {
        if (inside == l && (!tre->level[l].index || is_first(tre, l))) {
            inside++;
            p = weft_tre_end(tre, l, false) < FULL ? inside : p;
        } else if (weft_tre_end(tre, l, false) < FULL) {
            return false;
        }
    }
    for (unsigned l = p; l < tre->levels; l++) {
        stride += (uint32_t)tre->level[l].coefficient * (uint32_t)tre->level[l].index;
        weft_tre_end(tre, l, true);
    }
    insert(tre, p);
    tre->level[p].coefficient = (int32_t)stride;
    open_row(tre, p);
    weft_tre_bind(tre, p);
    weft_tre_restart(tre, p + 1);
    tre->newest = p & 15;
    tre->inside = (uint8_t)inside;
    return true;
}

/* Step 4. The last index of the outermost level becomes 0 again, under a new level at 1. */
bool weft_tre_split(weft_tre *tre)
{
    weft_tre_level *level = tre->level;
    int32_t count = level[0].index;
    bool ended = false; /* whether a level ended under the last index */
    if (!tre->levels || tre->levels == tre->levels_max || (level[0].known & CONSTANT_KNOWN) || count < 2)
        return false;
    for (unsigned l = 1; l < tre->levels; l++) {
        if (ended && level[l].slope[0])
            return false;
        ended = ended || level[l].index;
    }
    insert(tre, 0);
    level[0].coefficient = (int32_t)((uint32_t)level[1].coefficient * (uint32_t)count);
    open_row(tre, 0);
    level[1].index = 0;
    level[1].constant = count - 1;
    level[1].known = CONSTANT_KNOWN | 1u; /* rows that follow each other without a gap are of one length */
    ended = false;
    for (unsigned l = 0; l < tre->levels; l++) {
        level[l].known |= ended;
        ended = ended || (l && level[l].index);
        weft_tre_bind(tre, l);
    }
    tre->inside = 0;
    weft_tre_expect(tre);
    return true;
}

/* Step 4, undone: a row that began with the last address of the row before had been split, and that address been taken
 * for one more iteration. */
bool weft_tre_join(weft_tre *tre)
{
    weft_tre_level *level = tre->level;
    if (tre->levels != 3)
        return false;
    uint32_t iterations = (uint32_t)level[1].constant + 1;
    if (level[0].index != 1 || level[1].index != 1 || tre->count != iterations + 3 ||
        (level[2].index | level[2].coefficient | level[2].constant | level[2].slope[1]) ||
        (uint32_t)level[0].coefficient != (uint32_t)level[1].coefficient * iterations)
        return false;
    tre->levels = 2;
    level[1].constant++;
    level[1].slope[0] = 0;
    level[1].known = CONSTANT_KNOWN;
    weft_tre_bind(tre, 1);
    weft_tre_expect(tre);
    return true;
}
