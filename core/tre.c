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
#include "core/tre.h"
#include "core/own.h"

#include <string.h>

#define CONSTANT_KNOWN 0x80u
#define OPEN 0x40u  /* the level has not ended under the present outer indices, and where it will is not known */
#define FIXED 0x20u /* its bound is the same under all outer indices */

/* Place of level l's first slope. */
static unsigned row_of(unsigned l)
{
    return l * (l - 1u) / 2u; /* 0 for levels 0 and 1: unsigned wrap times 0 */
}

weft_status weft_tre_init(weft_tre *tre, weft_tre_level *level, unsigned levels_max)
{
    if (!level || levels_max < 1 || levels_max > WEFT_TRE_LEVELS_MAX)
        return WEFT_CONFIG;
    memset(tre, 0, sizeof *tre);
    tre->level = level;
    tre->levels_max = (uint8_t)levels_max;
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

static void expect(weft_tre *tre)
{
    unsigned l = tre->levels - 1u, outer = 1u << l >> 1;
    const weft_tre_level *inner = &tre->level[l];
    tre->turns = (tre->known[l] & (OPEN | outer)) == outer ? (uint8_t)(row_of(l) + l) : 0;
    tre->left = (uint32_t)inner->upper - (uint32_t)inner->index;
    tre->step = (uint32_t)inner->coefficient;
}

/* The constant and all slopes that are known, summed up. *unknown: the level whose slope is missing, or
 * WEFT_TRE_LEVELS_MAX. False: out of range. */
static bool known_bound(const weft_tre *tre, unsigned l, int32_t *bound, unsigned *unknown)
{
    const int16_t *slope = tre->slope + row_of(l);
    int32_t sum = tre->level[l].constant;
    *unknown = WEFT_TRE_LEVELS_MAX;
    for (unsigned m = 0; m < l; m++) {
        int32_t index = tre->level[m].index, term;
        if (!index)
            continue;
        if (!(tre->known[l] >> m & 1u)) {
            *unknown = m;
        } else if (slope[m]) {
            if (__builtin_mul_overflow(index, (int32_t)slope[m], &term) || __builtin_add_overflow(sum, term, &sum))
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
    if (!(tre->known[l] & CONSTANT_KNOWN))
        return INT32_MAX - 1;
    if (!known_bound(tre, l, &bound, &unknown))
        return -1;
    *open = unknown < WEFT_TRE_LEVELS_MAX;
    if (*open && (tre->level[unknown].index != 1 || __builtin_add_overflow(bound, INT16_MAX, &bound)))
        return -1;
    return bound;
}

static bool is_open(const weft_tre *tre, unsigned l)
{
    return (tre->known[l] & OPEN) != 0;
}

/* Whether no slope of level l is known to differ from 0. */
static bool is_flat(const weft_tre *tre, unsigned l)
{
    for (unsigned m = 0; m < l; m++)
        if (tre->slope[row_of(l) + m])
            return false;
    return true;
}

/* Sets the bound of level l. False: there is none. */
static bool bind(weft_tre *tre, unsigned l)
{
    bool open;
    unsigned known = tre->known[l] & ~(OPEN | FIXED);
    tre->level[l].upper = bound_of(tre, l, &open);
    if (open)
        known |= OPEN;
    else if (known == (CONSTANT_KNOWN | ((1u << l) - 1u)) && is_flat(tre, l))
        known |= FIXED;
    tre->known[l] = (uint8_t)known;
    return tre->level[l].upper >= 0;
}

/* How level l would end at its index: it cannot; at its first iteration, unlike under other indices; or as expected. */
enum { CANNOT_END, SHORT, FULL };

/* If `learn`, an open level learns its bound from that. */
static unsigned end(weft_tre *tre, unsigned l, bool learn)
{
    int32_t index = tre->level[l].index, bound, slope;
    unsigned m;
    if (!is_open(tre, l))
        return index == tre->level[l].upper ? FULL : CANNOT_END;
    if (!(tre->known[l] & CONSTANT_KNOWN)) {
        if (learn) {
            tre->level[l].constant = index;
            tre->known[l] |= CONSTANT_KNOWN;
        }
        return FULL;
    }
    if (!known_bound(tre, l, &bound, &m) || m == WEFT_TRE_LEVELS_MAX || tre->level[m].index != 1 ||
        __builtin_sub_overflow(index, bound, &slope) || slope != (int16_t)slope)
        return CANNOT_END;
    if (learn) {
        tre->slope[row_of(l) + m] = (int16_t)slope;
        tre->known[l] |= (uint8_t)(1u << m);
    }
    return slope < 0 && !index ? SHORT : FULL;
}

/* Sets open bounds to the last point. */
static void close_bounds(weft_tre *tre)
{
    for (unsigned l = 0; l < tre->levels; l++)
        end(tre, l, true);
}

/* Levels from l on start at 0. False: a bound is below 0; the indices are then those of no point. */
static bool restart(weft_tre *tre, unsigned l)
{
    for (; l < tre->levels; l++) {
        tre->level[l].index = 0;
        if (!(tre->known[l] & FIXED) && !bind(tre, l))
            return false;
    }
    expect(tre);
    return true;
}

/* Level l moves on by one, the inner ones end and start at 0. False: a bound is below 0; they have ended, but l has not
 * moved. */
static bool advance(weft_tre *tre, unsigned l)
{
    for (unsigned r = l + 1; r < tre->levels; r++)
        end(tre, r, true);
    tre->level[l].index++;
    if (restart(tre, l + 1))
        return true;
    tre->level[l].index--;
    tre->inside = 0;
    while (++l < tre->levels) {
        bind(tre, l);
        tre->level[l].index = tre->level[l].upper;
    }
    expect(tre);
    return false;
}

/* Step 1. `worst`: the worst way in which inner levels may end. */
static bool move(weft_tre *tre, uint32_t stride, unsigned worst)
{
    unsigned fixed = FIXED; /* FIXED if all inner levels are */
    for (unsigned l = tre->levels; l-- > 0;) {
        weft_tre_level *level = &tre->level[l];
        int32_t index = level->index;
        if ((uint32_t)level->coefficient == stride && index < level->upper) {
            if (fixed) {
                level->index++;
                for (unsigned r = l + 1; r < tre->levels; r++)
                    (++level)->index = 0;
                tre->left = (uint32_t)level->upper - (uint32_t)level->index;
            }
            if (fixed || advance(tre, l)) {
                if (l < tre->newest)
                    tre->inside = 0;
                return true;
            }
        }
        fixed &= tre->known[l];
        if (fixed ? index != level->upper : end(tre, l, false) < worst)
            return false;
        stride += (uint32_t)level->coefficient * (uint32_t)index; /* it goes back by this when it starts at 0 again */
    }
    return false;
}

/* Makes room for level p, to which no slope is known. */
static void insert(weft_tre *tre, unsigned p)
{
    unsigned low = (1u << p) - 1u;
    memmove(tre->level + p + 1, tre->level + p, (tre->levels - p) * sizeof *tre->level);
    for (unsigned l = tre->levels; l > p; l--) {
        int16_t *to = tre->slope + row_of(l), *from = tre->slope + row_of(l - 1);
        unsigned known = tre->known[l - 1];
        memcpy(to, from, p * sizeof *to);
        memcpy(to + p + 1, from + p, (l - 1 - p) * sizeof *to);
        to[p] = 0;
        tre->known[l] = (uint8_t)((known & (CONSTANT_KNOWN | low)) | (known & 0x1fu & ~low) << 1);
    }
    tre->levels++;
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
    unsigned first = first_outside(tre, p);
    memset(tre->slope + row_of(p), 0, p * sizeof *tre->slope);
    tre->known[p] = p ? (uint8_t)((CONSTANT_KNOWN | ((1u << p) - 1u)) & ~(1u << first)) : 0;
    tre->level[p].constant = 0;
    tre->level[p].index = 1;
}

/* Whether level l has just become 1 for the first time: under all outer indices but the present ones it was 0. */
static bool is_first(const weft_tre *tre, unsigned l)
{
    return tre->level[l].index == 1 && !tre->level[l].constant && is_open(tre, l) && is_flat(tre, l);
}

/* Step 2. The newest level changes places with the one inside it. In this view that other level had not ended when the
 * newest one began, but was at 0, or at 1 for the first time. What it learned is forgotten. */
static bool pass(weft_tre *tre)
{
    unsigned q = tre->newest, x = q + 1u, first, unknown;
    int32_t was;
    if (q >= tre->inside)
        return false;
    weft_tre_level newest = tre->level[q], other = tre->level[x];
    int16_t *row = tre->slope + row_of(x);
    /* The newest level's first two iterations, of two each of the other level, turn out to be one more way: the other
     * at 0, 1, 1 again and 2. */
    bool again = newest.index == 2;
    if (other.index || newest.index > 2 || !known_bound(tre, x, &was, &unknown) || (was & ~1))
        return false;
    if (again && (unknown == q || row[q] || was != 1 || newest.coefficient != other.coefficient))
        return false;
    for (unsigned l = x + 1; again && l < tre->levels; l++)
        if ((tre->known[l] >> q & 3u) != 3u || tre->slope[row_of(l) + q] != tre->slope[row_of(l) + x])
            return false;
    unsigned low = (1u << q) - 1u;
    memcpy(tre->slope + row_of(q), row, q * sizeof *row);
    tre->known[q] = (uint8_t)(tre->known[x] & (CONSTANT_KNOWN | low));
    if (q) {
        first = first_outside(tre, q);
        tre->slope[row_of(q) + first] = 0;
        tre->known[q] &= (uint8_t) ~(1u << first);
    } else {
        other.constant = 0;
        tre->known[0] = 0;
    }
    other.index = was + again;
    newest.coefficient = (int32_t)((uint32_t)newest.coefficient - (uint32_t)other.coefficient * (uint32_t)was);
    tre->level[q] = other;
    tre->level[x] = newest;
    open_row(tre, x);
    if (again) {
        row[q] = 1;
        tre->known[x] |= (uint8_t)(1u << q);
    }
    for (unsigned l = q; l < tre->levels; l++) {
        if (l > x) {
            unsigned known = tre->known[l], mine = known >> q & 1u, others = known >> x & 1u;
            int32_t slope;
            row = tre->slope + row_of(l);
            slope = row[q];
            row[q] = row[x];
            if (was) {
                slope -= row[x];
                if (!others || slope != (int16_t)slope)
                    mine = 0;
            }
            row[x] = mine ? (int16_t)slope : 0;
            tre->known[l] = (uint8_t)((known & ~(3u << q)) | others << q | mine << x);
        }
        bind(tre, l);
    }
    tre->newest = (uint8_t)x;
    if (again)
        tre->inside = 0;
    expect(tre);
    return true;
}

/* Step 3: makes level p. Those outside it go on as they are. */
static bool grow(weft_tre *tre, uint32_t stride)
{
    unsigned inside = 0, p = 0;
    if (tre->levels == tre->levels_max)
        return false;
    for (unsigned l = 0; l < tre->levels; l++) {
        if (inside == l && (!tre->level[l].index || is_first(tre, l))) {
            inside++;
            p = end(tre, l, false) < FULL ? inside : p;
        } else if (end(tre, l, false) < FULL) {
            return false;
        }
    }
    for (unsigned l = p; l < tre->levels; l++) {
        stride += (uint32_t)tre->level[l].coefficient * (uint32_t)tre->level[l].index;
        end(tre, l, true);
    }
    insert(tre, p);
    tre->level[p].coefficient = (int32_t)stride;
    open_row(tre, p);
    bind(tre, p);
    restart(tre, p + 1);
    tre->newest = (uint8_t)p;
    tre->inside = (uint8_t)inside;
    return true;
}

/* Step 4. The last index of the outermost level becomes 0 again, under a new level at 1. */
static bool split(weft_tre *tre)
{
    weft_tre_level *level = tre->level;
    int32_t count = level[0].index;
    bool ended = false; /* whether a level ended under the last index */
    if (!tre->levels || tre->levels == tre->levels_max || (tre->known[0] & CONSTANT_KNOWN) || count < 2)
        return false;
    for (unsigned l = 1; l < tre->levels; l++) {
        if (ended && tre->slope[row_of(l)])
            return false;
        ended = ended || level[l].index;
    }
    insert(tre, 0);
    level[0].coefficient = (int32_t)((uint32_t)level[1].coefficient * (uint32_t)count);
    open_row(tre, 0);
    level[1].index = 0;
    level[1].constant = count - 1;
    tre->known[1] = CONSTANT_KNOWN | 1u; /* rows that follow each other without a gap are of one length */
    ended = false;
    for (unsigned l = 0; l < tre->levels; l++) {
        tre->known[l] |= ended;
        ended = ended || (l && level[l].index);
        bind(tre, l);
    }
    tre->inside = 0;
    expect(tre);
    return true;
}

/* Step 4, undone: a row that began with the last address of the row before had been split, and that address been taken
 * for one more iteration. */
static bool join(weft_tre *tre)
{
    weft_tre_level *level = tre->level;
    if (tre->levels != 3)
        return false;
    uint32_t iterations = (uint32_t)level[1].constant + 1;
    if (level[0].index != 1 || level[1].index != 1 || tre->count != iterations + 3 ||
        (level[2].index | level[2].coefficient | level[2].constant | tre->slope[2]) ||
        (uint32_t)level[0].coefficient != (uint32_t)level[1].coefficient * iterations)
        return false;
    tre->levels = 2;
    level[1].constant++;
    tre->slope[0] = 0;
    tre->known[1] = CONSTANT_KNOWN;
    bind(tre, 1);
    expect(tre);
    return true;
}

/* ---- records ---- */

/* Walks the nest from its first point, with all bounds known: `index` moves on to the next point. Returns the
 * stride. */
static uint32_t walk(const weft_tre *tre, int32_t *index)
{
    uint32_t stride = 0;
    for (unsigned l = tre->levels; l-- > 0;) {
        const weft_tre_level *level = &tre->level[l];
        int32_t bound = level->constant;
        for (unsigned m = 0; m < l; m++)
            bound += tre->slope[row_of(l) + m] * index[m];
        if (l == 0 || index[l] < bound) {
            index[l]++;
            return stride + (uint32_t)level->coefficient;
        }
        stride -= (uint32_t)level->coefficient * (uint32_t)index[l];
        index[l] = 0;
    }
    return stride;
}

static void write(const weft_tre *tre, bool plain, weft_writer *out)
{
    int32_t index[WEFT_TRE_LEVELS_MAX] = {0};
    weft_write_varint(out, plain ? 0 : tre->levels);
    weft_write_varint(out, tre->count);
    weft_write_varint(out, tre->base);
    for (uint32_t i = 1; plain && i < tre->count; i++)
        weft_write_varint(out, weft_zigzag((int32_t)walk(tre, index)));
    for (unsigned l = 0; !plain && l < tre->levels; l++) {
        weft_write_varint(out, weft_zigzag(tre->level[l].coefficient));
        weft_write_varint(out, weft_zigzag(tre->level[l].constant));
        for (unsigned m = 0; m < l; m++)
            weft_write_varint(out, weft_zigzag(tre->slope[row_of(l) + m]));
    }
}

/* Appends the shorter record. Open bounds are set to the last point. WEFT_FULL: nothing was written. */
static weft_status write_record(weft_tre *tre, weft_writer *out)
{
    size_t before = out->size;
    weft_writer nest, plain;
    if (out->status != WEFT_OK)
        return WEFT_FULL;
    weft_writer_init(&nest, NULL, 0);
    weft_writer_init(&plain, NULL, 0);
    close_bounds(tre);
    write(tre, false, &nest);
    if (tre->count <= WEFT_TRE_PLAIN_MAX)
        write(tre, true, &plain);
    write(tre, plain.size && plain.size < nest.size, out);
    if (out->status == WEFT_OK)
        return WEFT_OK;
    weft_writer_rollback(out, before);
    return WEFT_FULL;
}

weft_status weft_tre_flush(weft_tre *tre, weft_writer *out)
{
    if (!tre->count)
        return WEFT_OK;
    settle(tre);
    weft_status status = write_record(tre, out);
    if (status == WEFT_OK)
        tre->count = tre->left = tre->levels = tre->turns = 0; /* nothing is predicted any more */
    return status;
}

/* Steps 2 to 4, after step 1. */
static bool change(weft_tre *tre, uint32_t stride)
{
    bool taken = false;
    while (!taken && (pass(tre) || join(tre)))
        taken = move(tre, stride, FULL);
    if (taken || move(tre, stride, SHORT))
        return true;
    if (!stride && tre->levels == 1)
        split(tre);
    return grow(tre, stride) || (split(tre) && move(tre, stride, SHORT));
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
    uint32_t upper = (uint32_t)inner->upper + (uint32_t)tre->slope[tre->turns - 1];
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
    if (weft_tre_predicted(tre, address) || turn(tre, address))
        return true;
    return move_far(tre, address);
}
