/* SPDX-License-Identifier: MIT */
/* Evaluation of piecewise-affine nests. Linear runs of the innermost loop are generated and compared in blocks. */
#include "tools/lib/affine/nest.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 4096, /* values : 1 to 2^20 : fewer calls; more stack */
    BACK = 64,    /* values : 2 to 4096 : compared at once from the end, so a difference is found later */
};

void affine_nest_free(affine_nest *nest)
{
    free(nest->raw);
    free(nest->level);
    nest->raw = NULL;
    nest->level = NULL;
}

/* Most slopes are 0. */
static inline affine_wide numerator(const affine_face *face, const int64_t *index, unsigned outer)
{
    affine_wide sum = face->constant;
    for (unsigned l = 0; l < outer; l++)
        if (face->slope[l])
            sum += (affine_wide)face->slope[l] * index[l];
    return sum;
}

static inline int64_t clamp(affine_wide value)
{
    if (value > AFFINE_ENDLESS)
        return AFFINE_ENDLESS;
    return value < -AFFINE_ENDLESS ? -AFFINE_ENDLESS : (int64_t)value;
}

static affine_wide floor_divide(affine_wide a, int64_t b)
{
    if (a == (int64_t)a) {
        int64_t small = (int64_t)a;
        return small / b - (small % b < 0);
    }
    return a / b - (a % b < 0);
}

static inline int64_t floor_of(const affine_face *face, const int64_t *index, unsigned outer)
{
    affine_wide sum = numerator(face, index, outer);
    return clamp(face->divisor == 1 ? sum : floor_divide(sum, face->divisor));
}

static inline int64_t ceil_of(const affine_face *face, const int64_t *index, unsigned outer)
{
    affine_wide sum = numerator(face, index, outer);
    return clamp(face->divisor == 1 ? sum : -floor_divide(-sum, face->divisor));
}

int64_t affine_floor(const affine_face *face, const int64_t *index, unsigned outer)
{
    return floor_of(face, index, outer);
}

int64_t affine_ceil(const affine_face *face, const int64_t *index, unsigned outer)
{
    return ceil_of(face, index, outer);
}

int64_t affine_upper(const affine_level *level, const int64_t *index, unsigned outer)
{
    int64_t least = AFFINE_ENDLESS;
    for (unsigned f = 0; f < level->uppers; f++) {
        int64_t value = floor_of(&level->upper[f], index, outer);
        least = value < least ? value : least;
    }
    return least;
}

int64_t affine_lower(const affine_level *level, const int64_t *index, unsigned outer)
{
    if (!level->lowers)
        return 0;
    int64_t greatest = -AFFINE_ENDLESS;
    for (unsigned f = 0; f < level->lowers; f++) {
        int64_t value = ceil_of(&level->lower[f], index, outer);
        greatest = value > greatest ? value : greatest;
    }
    return greatest;
}

static void set(affine_cursor *c, unsigned l, int64_t value)
{
    c->index[l] = value;
    c->sum[l + 1] = c->sum[l] + (affine_wide)c->level[l].coefficient * value;
}

/* The innermost level outside l that has not ended, moved on by one; l itself if there is none. */
static unsigned step_outside(affine_cursor *c, unsigned l)
{
    for (unsigned r = l; r-- > 0;)
        if (c->index[r] < c->upper[r]) {
            set(c, r, c->index[r] + 1);
            return r;
        }
    return l;
}

/* Starts levels l and inner ones at their lower bounds; empty ones are passed over. */
static bool descend(affine_cursor *c, unsigned l)
{
    for (unsigned empty = 0; l < c->depth;) {
        c->upper[l] = affine_upper(&c->level[l], c->index, l);
        int64_t lower = affine_lower(&c->level[l], c->index, l);
        if (lower <= c->upper[l]) {
            set(c, l++, lower);
            continue;
        }
        unsigned stepped = step_outside(c, l);
        c->spun = ++empty > c->patience;
        if (stepped == l || c->spun)
            return false;
        l = stepped + 1;
    }
    return true;
}

bool affine_first(affine_cursor *c, const affine_level *level, unsigned depth, int64_t base, unsigned patience)
{
    c->level = level;
    c->depth = depth;
    c->patience = patience;
    c->spun = false;
    c->sum[0] = base;
    return descend(c, 0);
}

void affine_seek(affine_cursor *c, const affine_level *level, unsigned depth, int64_t base, const int64_t *index)
{
    c->level = level;
    c->depth = depth;
    c->patience = AFFINE_PATIENCE;
    c->spun = false;
    c->sum[0] = base;
    for (unsigned l = 0; l < depth; l++) {
        c->upper[l] = affine_upper(&level[l], index, l);
        set(c, l, index[l]);
    }
}

bool affine_next_row(affine_cursor *c)
{
    unsigned inner = c->depth - 1;
    unsigned stepped = step_outside(c, inner);
    return stepped != inner && descend(c, stepped + 1);
}

typedef uint64_t lanes __attribute__((vector_size(64), aligned(8), may_alias));

/* At most how many terms of start, start + stride, ... have 64 bits: `count` if all do. */
static uint64_t terms_in_range(uint64_t count, int64_t start, int64_t stride)
{
    int64_t last;
    if (!count || (count - 1 <= INT64_MAX && !__builtin_mul_overflow(stride, (int64_t)(count - 1), &last) &&
                   !__builtin_add_overflow(start, last, &last)))
        return count;
    affine_wide left = stride > 0 ? (affine_wide)INT64_MAX - start : start - (affine_wide)INT64_MIN;
    affine_wide size = stride > 0 ? stride : -(affine_wide)stride;
    return size ? (uint64_t)(left / size) + 1 : count;
}

/* Eight values at a time: the differences from what is expected, or-ed together. */
size_t affine_match_run(const int64_t *values, size_t count, int64_t start, int64_t stride)
{
    size_t at = 0;
    count = terms_in_range(count, start, stride);
    uint64_t step = (uint64_t)stride;
    lanes expected, forward;
    for (unsigned i = 0; i < 8; i++)
        expected[i] = (uint64_t)start + i * step;
    for (unsigned i = 0; i < 8; i++)
        forward[i] = 8 * step;
    for (; at + 32 <= count; at += 32) {
        const lanes *v = (const lanes *)(values + at);
        lanes second = expected + forward, third = second + forward, fourth = third + forward;
        lanes wrong = (v[0] ^ expected) | (v[1] ^ second) | (v[2] ^ third) | (v[3] ^ fourth);
        uint64_t any = wrong[0] | wrong[1] | wrong[2] | wrong[3] | wrong[4] | wrong[5] | wrong[6] | wrong[7];
        if (any)
            break;
        expected = fourth + forward;
    }
    uint64_t next = (uint64_t)start + at * step;
    while (at < count && (uint64_t)values[at] == next) {
        next += step;
        at++;
    }
    return at;
}

size_t affine_match_back(const int64_t *values, size_t count, int64_t start, int64_t stride)
{
    size_t at = 0;
    count = terms_in_range(count, start, stride);
    uint64_t step = (uint64_t)stride, last = (uint64_t)start + (BACK - 1) * step;
    for (; at + BACK <= count && stride != INT64_MIN; at += BACK, last += BACK * step)
        if (affine_match_run(values - at - (BACK - 1), BACK, (int64_t)last, -stride) < BACK)
            break;
    uint64_t next = (uint64_t)start + at * step;
    for (; at < count && (uint64_t)values[-(ptrdiff_t)at] == next; at++)
        next += step;
    return at;
}

uint64_t affine_row_length(const affine_cursor *c, uint64_t max)
{
    unsigned inner = c->depth - 1;
    uint64_t count = affine_left(c, inner) + 1;
    if (count > max)
        count = max;
    affine_wide start = affine_address(c);
    return start == (int64_t)start ? terms_in_range(count, (int64_t)start, c->level[inner].coefficient) : 0;
}

static uint64_t match_raw(const affine_nest *nest, const int64_t *values, uint64_t count)
{
    uint64_t at = 0;
    count = count < nest->accesses ? count : nest->accesses;
    if (!nest->raw)
        return count && values[0] == nest->base;
    while (at < count && values[at] == nest->raw[at])
        at++;
    return at;
}

uint64_t affine_match(const affine_nest *nest, const int64_t *values, uint64_t count, unsigned patience)
{
    affine_cursor c;
    uint64_t done = 0;
    if (!nest->depth)
        return match_raw(nest, values, count);
    count = count < nest->accesses ? count : nest->accesses;
    if (!count || !affine_first(&c, nest->level, nest->depth, nest->base, patience))
        return 0;
    do {
        uint64_t length = affine_row_length(&c, count - done);
        uint64_t same = length ? affine_match_run(values + done, length, (int64_t)affine_address(&c),
                                                  nest->level[nest->depth - 1].coefficient)
                               : 0;
        done += same;
        if (!length || same < length)
            return done;
    } while (done < count && affine_next_row(&c));
    return done;
}

typedef struct block {
    affine_take *take;
    void *context;
    size_t count;
    int64_t values[BLOCK];
} block;

static bool block_flush(block *b)
{
    size_t count = b->count;
    b->count = 0;
    return !count || b->take(b->context, b->values, count);
}

static bool generate_row(block *b, int64_t start, int64_t stride, uint64_t count)
{
    uint64_t value = (uint64_t)start;
    while (count) {
        if (b->count == BLOCK && !block_flush(b))
            return false;
        uint64_t part = BLOCK - b->count < count ? BLOCK - b->count : count;
        for (uint64_t i = 0; i < part; i++, value += (uint64_t)stride)
            b->values[b->count + i] = (int64_t)value;
        b->count += part;
        count -= part;
    }
    return true;
}

static bool generate_loops(const affine_nest *nest, block *b)
{
    affine_cursor c;
    uint64_t left = nest->accesses;
    if (!left)
        return true;
    if (!affine_first(&c, nest->level, nest->depth, nest->base, AFFINE_PATIENCE))
        return nest->accesses == UINT64_MAX && !c.spun;
    do {
        uint64_t wanted = affine_left(&c, c.depth - 1) + 1;
        wanted = wanted < left ? wanted : left;
        uint64_t length = affine_row_length(&c, left);
        if (!generate_row(b, (int64_t)affine_address(&c), nest->level[nest->depth - 1].coefficient, length) ||
            length < wanted)
            return false;
        left -= length;
    } while (left && affine_next_row(&c));
    return left == 0 || (nest->accesses == UINT64_MAX && !c.spun);
}

bool affine_generate(const affine_nest *nest, affine_take *take, void *context)
{
    if (!nest->depth)
        return !nest->accesses || take(context, nest->raw ? nest->raw : &nest->base, nest->raw ? nest->accesses : 1);
    block *b = malloc(sizeof *b);
    if (!b)
        return false;
    b->take = take;
    b->context = context;
    b->count = 0;
    bool done = generate_loops(nest, b) && block_flush(b);
    free(b);
    return done;
}
