/* SPDX-License-Identifier: MIT */
/* Steps for an address that the innermost loop does not predict:
 *   1. for each level from the inside out: if moving it on by one and starting the inner ones at 0 gives the address, and
 *      their bounds allow that, do so. A bound that is not known yet is learned from where its level ends.
 *   2. if the newest level was put outermost without proof, try it inside instead, and step 1 again.
 *   3. a new outermost level, if every other level may end where it is.
 *   4. the nest ends; the address starts the next.
 *
 * Learning bounds needs no memory of points: in a nest from its first iteration on, the index of each level is 1 before it
 * is 2, and when it is first 1 at most one slope to it is unknown to each inner level.
 *
 * Record, all varints, signed ones zigzag-coded:
 *   nest:  levels (1..6), count, base, then from the outermost level: coefficient, constant of the bound, one slope for each
 *          level outside it. The first `count` accesses of the loops.
 *   plain: 0, count, the first address, then differences modulo 2^32. */
#include "core/tre.h"

#include <string.h>

#define CONSTANT_KNOWN 0x80u
#define OPEN 0x40u /* the level has not ended under the present outer indices, and its end is not known */

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

static void start(weft_tre *tre, uint32_t address)
{
    tre->base = tre->last = address;
    tre->count = 1;
    tre->left = 0;
    tre->levels = 0;
    tre->inside = 0;
    tre->fresh = false;
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
    const weft_tre_level *inner = &tre->level[tre->levels - 1];
    tre->left = (uint32_t)inner->upper - (uint32_t)inner->index;
    tre->step = (uint32_t)inner->coefficient;
}

/* constant + slopes known to be right; *unknown: the level whose slope is wanted, or levels_max. False: out of range. */
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

/* The bound of level l under the present outer indices, or as far as it may be found to lie; below 0: none. */
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

/* Sets the bound of level l. False: none. */
static bool bind(weft_tre *tre, unsigned l)
{
    bool open;
    tre->level[l].upper = bound_of(tre, l, &open);
    tre->known[l] = (uint8_t)((tre->known[l] & ~OPEN) | (open ? OPEN : 0));
    return tre->level[l].upper >= 0;
}

/* What level l, still open, would learn by ending at its index. False: it cannot. */
static bool lesson(const weft_tre *tre, unsigned l, unsigned *m, int32_t *value)
{
    int32_t bound;
    *m = WEFT_TRE_LEVELS_MAX;
    *value = tre->level[l].index;
    if (!(tre->known[l] & CONSTANT_KNOWN))
        return true;
    if (!known_bound(tre, l, &bound, m) || *m == WEFT_TRE_LEVELS_MAX || tre->level[*m].index != 1)
        return false;
    return !__builtin_sub_overflow(*value, bound, value) && *value == (int16_t)*value;
}

static bool may_end(const weft_tre *tre, unsigned l)
{
    unsigned m;
    int32_t value;
    if (!is_open(tre, l))
        return tre->level[l].index == tre->level[l].upper;
    return lesson(tre, l, &m, &value);
}

static void learn(weft_tre *tre, unsigned l)
{
    unsigned m;
    int32_t value;
    if (!is_open(tre, l) || !lesson(tre, l, &m, &value))
        return;
    if (m == WEFT_TRE_LEVELS_MAX) {
        tre->level[l].constant = value;
        tre->known[l] |= CONSTANT_KNOWN;
    } else {
        tre->slope[row_of(l) + m] = (int16_t)value;
        tre->known[l] |= (uint8_t)(1u << m);
    }
}

/* Levels from l on start at 0. False: a bound below 0 (the indices are then those of no point). */
static bool restart(weft_tre *tre, unsigned l)
{
    for (; l < tre->levels; l++) {
        tre->level[l].index = 0;
        if (!bind(tre, l))
            return false;
    }
    expect(tre);
    return true;
}

/* Level l moves on by one, the inner ones end and start at 0. False: a bound below 0; nothing changed. */
static bool advance(weft_tre *tre, unsigned l)
{
    weft_tre before = *tre;
    weft_tre_level kept[WEFT_TRE_LEVELS_MAX];
    memcpy(kept, tre->level, tre->levels * sizeof *kept);
    for (unsigned r = l + 1; r < tre->levels; r++)
        learn(tre, r);
    tre->level[l].index++;
    if (restart(tre, l + 1))
        return true;
    *tre = before;
    memcpy(tre->level, kept, tre->levels * sizeof *kept);
    return false;
}

/* As advance, where no inner level is open: what the rows of a known nest come to. */
static bool advance_known(weft_tre *tre, unsigned l)
{
    tre->level[l].index++;
    for (unsigned r = l + 1; r < tre->levels; r++) {
        tre->level[r].index = 0;
        if (!bind(tre, r)) {
            /* All inner levels had ended: their indices were their bounds. */
            tre->level[l].index--;
            for (r = l + 1; r < tre->levels; r++) {
                bind(tre, r);
                tre->level[r].index = tre->level[r].upper;
            }
            return false;
        }
    }
    expect(tre);
    return true;
}

/* Step 1. */
static bool move(weft_tre *tre, uint32_t stride)
{
    uint32_t inner = 0; /* what the inner levels take back by starting anew */
    bool open = false;
    for (unsigned l = tre->levels; l-- > 0;) {
        weft_tre_level *level = &tre->level[l];
        if ((uint32_t)level->coefficient - inner == stride && level->index < level->upper &&
            (open ? advance(tre, l) : advance_known(tre, l)))
            return true;
        if (!may_end(tre, l))
            return false;
        open = open || is_open(tre, l);
        inner += (uint32_t)level->coefficient * (uint32_t)level->index;
    }
    return false;
}

/* Makes room for a level outside all others, to which no slope is known. */
static void insert_outermost(weft_tre *tre)
{
    memmove(tre->level + 1, tre->level, tre->levels * sizeof *tre->level);
    for (unsigned l = tre->levels; l > 0; l--) {
        memmove(tre->slope + row_of(l) + 1, tre->slope + row_of(l - 1), (l - 1) * sizeof *tre->slope);
        tre->slope[row_of(l)] = 0;
        tre->known[l] = (uint8_t)((tre->known[l - 1] & CONSTANT_KNOWN) | (tre->known[l - 1] << 1 & 0x3eu));
    }
    tre->known[0] = 0;
    tre->levels++;
}

/* Step 2, further: after put_inside(to) did not help, level `to` becomes the innermost. The levels it passes had just
 * started anew under level to - 1, so whatever was learned from their ends there was no end. */
static bool put_innermost(weft_tre *tre, unsigned to)
{
    unsigned last = tre->levels - 1u;
    weft_tre_level moved = tre->level[to];
    if (!tre->fresh)
        return false;
    tre->fresh = false;
    for (unsigned l = to + 1; l <= last; l++)
        if (tre->level[l].index)
            return false;
    for (unsigned l = to; l < last; l++) {
        int16_t *row = tre->slope + row_of(l), *from = tre->slope + row_of(l + 1);
        unsigned known = tre->known[l + 1], low = (1u << to) - 1u;
        tre->level[l] = tre->level[l + 1];
        memmove(row, from, to * sizeof *row);
        memmove(row + to, from + to + 1, (l - to) * sizeof *row);
        known = (known & CONSTANT_KNOWN) | (known & low) | ((known & 0x3fu) >> (to + 1) << to);
        tre->known[l] = (uint8_t)(known & ~(1u << (to - 1)));
        row[to - 1] = 0;
        bind(tre, l);
    }
    tre->level[last] = moved;
    memset(tre->slope + row_of(last), 0, last * sizeof *tre->slope);
    tre->known[last] = (uint8_t)((CONSTANT_KNOWN | ((1u << last) - 1u)) & ~(1u << (to - 1)));
    bind(tre, last);
    expect(tre);
    return true;
}

/* Whether level l has just become 1 for the first time: under all outer indices but the present ones it was 0. */
static bool is_first(const weft_tre *tre, unsigned l)
{
    if (tre->level[l].index != 1 || !is_open(tre, l))
        return false;
    if (!l)
        return true;
    for (unsigned m = 0; m < l; m++)
        if ((tre->known[l] >> m & 1u) != (m + 1 < l) || tre->slope[row_of(l) + m])
            return false;
    return (tre->known[l] & CONSTANT_KNOWN) && tre->level[l].constant == 0;
}

/* Step 3. */
static bool grow(weft_tre *tre, uint32_t stride)
{
    unsigned inside = 0;
    uint32_t coefficient = stride;
    if (tre->levels == tre->levels_max)
        return false;
    for (unsigned l = 0; l < tre->levels; l++) {
        if (!may_end(tre, l))
            return false;
        coefficient += (uint32_t)tre->level[l].coefficient * (uint32_t)tre->level[l].index;
        inside += inside == l && is_first(tre, l);
    }
    tre->fresh = inside > 0 && inside < tre->levels;
    for (unsigned l = 0; l < tre->levels; l++) {
        tre->fresh = tre->fresh && (l < inside || !tre->level[l].index);
        learn(tre, l);
    }
    insert_outermost(tre);
    tre->level[0] = (weft_tre_level){.coefficient = (int32_t)coefficient, .index = 1};
    bind(tre, 0);
    restart(tre, 1);
    tre->inside = (uint8_t)inside;
    return true;
}

/* The slope of an inner level to level 0, which goes inside the next `to` levels, each at 1. If it is known, what it
 * was is now its own part and theirs. */
static void move_slope(weft_tre *tre, unsigned l, unsigned to)
{
    int16_t *row = tre->slope + row_of(l);
    unsigned known = tre->known[l], low = (1u << (to + 1)) - 1u;
    int32_t slope = row[0];
    memmove(row, row + 1, to * sizeof *row);
    for (unsigned m = 0; m < to; m++)
        slope -= row[m];
    bool whole = (known & low) == low && slope == (int16_t)slope;
    row[to] = whole ? (int16_t)slope : 0;
    tre->known[l] = (uint8_t)((known & ~low) | ((known & low) >> 1) | (whole ? 1u << to : 0));
    bind(tre, l);
}

/* Step 2: level 0 goes inside the next `inside` levels. They had reached 1 each, one after the other, when it came. */
static bool put_inside(weft_tre *tre)
{
    unsigned to = tre->inside;
    weft_tre_level moved = tre->level[0];
    tre->inside = 0;
    if (!to || tre->level[0].index != 1)
        return false;
    for (unsigned l = 1; l <= to; l++)
        if (tre->level[l].index)
            return false;
    for (unsigned l = 0; l < to; l++) {
        tre->level[l] = tre->level[l + 1];
        moved.coefficient = (int32_t)((uint32_t)moved.coefficient - (uint32_t)tre->level[l].coefficient);
    }
    tre->level[to] = moved;
    /* A level began with 0 iterations more under each index of 0; under the first 1 just outside it is open. */
    for (unsigned l = 0; l <= to; l++) {
        tre->level[l].index = 1;
        tre->level[l].constant = 0;
        tre->known[l] = l ? (uint8_t)(CONSTANT_KNOWN | ((1u << (l - 1)) - 1u)) : 0;
        memset(tre->slope + row_of(l), 0, l * sizeof *tre->slope);
        bind(tre, l);
    }
    for (unsigned l = to + 1; l < tre->levels; l++)
        move_slope(tre, l, to);
    expect(tre);
    return true;
}

/* ---- records ---- */

/* The bound as it is written: an end that was not seen lies at the last point. */
static void write_bound(const weft_tre *tre, unsigned l, weft_writer *out)
{
    int32_t constant = tre->level[l].constant, value = 0;
    unsigned m = WEFT_TRE_LEVELS_MAX;
    bool open = is_open(tre, l) && lesson(tre, l, &m, &value);
    if (open && m == WEFT_TRE_LEVELS_MAX)
        constant = value;
    weft_write_varint(out, weft_zigzag(constant));
    for (unsigned k = 0; k < l; k++) {
        int32_t slope = tre->slope[row_of(l) + k];
        weft_write_varint(out, weft_zigzag(open && k == m ? value : tre->known[l] >> k & 1u ? slope : 0));
    }
}

static void write_nest(const weft_tre *tre, weft_writer *out)
{
    weft_write_varint(out, tre->levels);
    weft_write_varint(out, tre->count);
    weft_write_varint(out, tre->base);
    for (unsigned l = 0; l < tre->levels; l++) {
        weft_write_varint(out, weft_zigzag(tre->level[l].coefficient));
        write_bound(tre, l, out);
    }
}

/* Walks the nest from its first point again, all bounds being known now: `index` moves on to the next point. */
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

/* Ends open bounds at the last point, as write_bound would say it. */
static void close_bounds(weft_tre *tre)
{
    for (unsigned l = 0; l < tre->levels; l++)
        learn(tre, l);
}

static void write_plain(const weft_tre *tre, weft_writer *out)
{
    int32_t index[WEFT_TRE_LEVELS_MAX] = {0};
    weft_write_varint(out, 0);
    weft_write_varint(out, tre->count);
    weft_write_varint(out, tre->base);
    for (uint32_t i = 1; i < tre->count; i++)
        weft_write_varint(out, weft_zigzag((int32_t)walk(tre, index)));
}

/* Appends the shorter record. WEFT_FULL: nothing written. The bounds may be closed meanwhile: those that are open end at the
 * last point, which a further point would contradict; so they are put back. */
static weft_status write_record(weft_tre *tre, weft_writer *out)
{
    size_t before = out->size;
    weft_writer nest, plain;
    weft_writer_init(&nest, NULL, 0);
    weft_writer_init(&plain, NULL, 0);
    write_nest(tre, &nest);
    if (out->status != WEFT_OK)
        return WEFT_FULL;
    if (tre->count <= WEFT_TRE_PLAIN_MAX) {
        uint8_t known[WEFT_TRE_LEVELS_MAX];
        int16_t slope[WEFT_TRE_SLOPES];
        memcpy(known, tre->known, sizeof known);
        memcpy(slope, tre->slope, sizeof slope);
        close_bounds(tre);
        write_plain(tre, &plain);
        bool shorter = plain.size < nest.size;
        if (shorter)
            write_plain(tre, out);
        memcpy(tre->known, known, sizeof known);
        memcpy(tre->slope, slope, sizeof slope);
        if (!shorter)
            write_nest(tre, out);
    } else {
        write_nest(tre, out);
    }
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
        tre->count = tre->left = tre->levels = 0; /* nothing is predicted any more */
    return status;
}

/* Step 4. */
static weft_status end_nest(weft_tre *tre, uint32_t address, weft_writer *out)
{
    weft_status status = write_record(tre, out);
    if (status == WEFT_OK)
        start(tre, address);
    return status;
}

/* Everything but the innermost loop's own prediction. */
static __attribute__((noinline)) weft_status push_slow(weft_tre *tre, uint32_t address, weft_writer *out)
{
    uint32_t stride = address - tre->last;
    if (!tre->count) {
        start(tre, address);
        return WEFT_OK;
    }
    settle(tre);
    if (tre->count == UINT32_MAX)
        return end_nest(tre, address, out);
    unsigned inside = tre->inside;
    if (!move(tre, stride) &&
        !(put_inside(tre) && (move(tre, stride) || (put_innermost(tre, inside) && move(tre, stride)))) &&
        !grow(tre, stride))
        return end_nest(tre, address, out);
    tre->last = address;
    tre->count++;
    return WEFT_OK;
}

/* The end of a row, the common case of step 1: the level next to the innermost moves on, and the innermost one's bound
 * with it by one slope. False: anything else; nothing changed. */
static inline bool turn(weft_tre *tre, uint32_t address)
{
    if (tre->levels < 2 || tre->left)
        return false;
    unsigned l = tre->levels - 1u;
    weft_tre_level *inner = tre->level + l, *outer = inner - 1;
    int32_t upper;
    if ((tre->known[l] & (OPEN | 1u << (l - 1u))) != 1u << (l - 1u) ||
        outer->index >= outer->upper || tre->count == UINT32_MAX)
        return false;
    uint32_t back = (uint32_t)inner->coefficient * (uint32_t)inner->upper;
    if (address != tre->last + (uint32_t)outer->coefficient - back ||
        __builtin_add_overflow(inner->upper, (int32_t)tre->slope[row_of(l) + l - 1u], &upper) || upper < 0)
        return false;
    outer->index++;
    inner->upper = upper;
    tre->left = (uint32_t)upper;
    tre->last = address;
    tre->count++;
    return true;
}

weft_status weft_tre_push(weft_tre *tre, uint32_t address, weft_writer *out)
{
    if (tre->count != UINT32_MAX && weft_tre_predicted(tre, address))
        return WEFT_OK;
    return turn(tre, address) ? WEFT_OK : push_slow(tre, address, out);
}
