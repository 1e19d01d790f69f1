/* SPDX-License-Identifier: MIT */
/* The search of the Trace Reconstruction Engine (Rodriguez et al., sections 3 and 4).
 *
 * A node is a nest that explains the first `known` values, the index of the last of them, and for each side of each level the
 * examples its faces were made from. Steps of expanding a node, whose prediction the next value contradicts:
 *   1. increments (section 3.1): a level that, moved on by one with the inner ones reset, gives the next value;
 *   2. new lower bounds (4.3): the same, with one or two inner levels starting off their known bound;
 *   3. growth (3.2): a new level at each place, whose coefficient is what the next value asks for;
 *   4. growth at an earlier place, where a loop ended although its prediction went on to hold.
 * Inner levels that had not ended get an example there, a level that goes beyond its end one that lifts it, and their faces
 * are fitted anew (model_fit.h). New faces must agree with the old ones at all points seen so far: where they do not,
 * the point seen becomes one more example. Each child then runs on as far as it predicts (its stint), row by row.
 *
 * Increments and lower bounds are tried when the node is best, growth when it still is at the price of half a level, and an earlier
 * end at the price of another half.
 *
 * A search may begin anywhere. Where the stream ends, the nest turns round: its last value becomes its first, upper bounds become
 * lower ones, and it goes on towards the stream's begin. So it can start in the middle, where tiles are full, and meets the cut
 * ones with all its loops known. */
#include "tools/lib/affine/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/lib/affine/start.h"
#include "tools/lib/base/memory.h"

enum { UPPER, LOWER };

/* Stages of expanding a node: steps 1 and 2, 3, 4. */
enum { MOVES, GROWTH, EARLIER, LAST_STAGE = EARLIER };

static const int64_t zeros[AFFINE_DEPTH];

/* Bounds of the search. */
enum {
    REFITS = 60,     /* examples from the past that one new face may need */
    OFF_ONE = 40,    /* M of section 4.3 where one level starts off its bound (K = 1) */
    OFF_TWO = 3,     /* and where two do (K = 2) */
    PATIENCE = 256,  /* empty inner loops in a row */
    SHORT_ROWS = 32, /* lengths of the first row to try */
    FARTHER = 64,    /* steps beyond the first difference, at least */
    VISITS = 256,    /* slots for counting visits */
    STALLED = 1500,  /* expansions without progress */
    HOPELESS = 200,  /* expansions after which a quarter as many values must be explained */
    REWIND = 20000,  /* rows to go back for an earlier end */
    WORK_FIT = 200,  /* work of fitting faces, in rows looked at */
};

/* Fitness lost for each node expanded at the same place and depth. */
#define DEFERRED 0.25

typedef struct examples {
    fit_point *point;
    unsigned count;
} examples;

typedef struct node {
    unsigned depth;
    uint64_t origin; /* where its first value stands */
    bool back;       /* it goes on towards the stream's begin */
    bool open;       /* what is before the origin is not known: at indices 0, loops may have begun earlier */
    uint64_t known;
    double fitness;
    unsigned stage;  /* of its expansion */
    unsigned waited; /* visits that the fitness has been lowered for */
    int64_t index[AFFINE_DEPTH];
    affine_level *level;
    examples side[AFFINE_DEPTH][2];
} node;

typedef struct search {
    const int64_t *values;
    uint64_t count;
    const search_options *options;
    node **heap;
    unsigned nodes;
    struct visit { /* how often nodes of one depth and progress were expanded */
        uint64_t known;
        unsigned depth, stage, times;
    } visit[VISITS];
    uint64_t *seen; /* hashes of nodes met, open addressing */
    unsigned seen_size, seen_count;
    uint64_t reached; /* most values that a node explains */
    uint64_t work;    /* done so far, see model_search.h */
    node *best;       /* explains most from the first value on */
    bool best_whole, best_checked;
} search;

double search_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *copy_of(const void *from, size_t size)
{
    void *to = memory_grow(NULL, size, 1);
    if (size)
        memcpy(to, from, size);
    return to;
}

static void node_free(node *n)
{
    if (!n)
        return;
    for (unsigned l = 0; l < n->depth; l++) {
        free(n->side[l][UPPER].point);
        free(n->side[l][LOWER].point);
    }
    free(n->level);
    free(n);
}

/* Of a level's many faces, only those it has: copies are what the search does most. */
static void copy_level(affine_level *to, const affine_level *from)
{
    to->coefficient = from->coefficient;
    to->lowers = from->lowers;
    to->uppers = from->uppers;
    memcpy(to->lower, from->lower, from->lowers * sizeof *to->lower);
    memcpy(to->upper, from->upper, from->uppers * sizeof *to->upper);
}

static node *node_copy(const node *from)
{
    node *n = copy_of(from, sizeof *from);
    n->level = memory_grow(NULL, from->depth, sizeof *n->level);
    for (unsigned l = 0; l < n->depth; l++)
        copy_level(&n->level[l], &from->level[l]);
    for (unsigned l = 0; l < n->depth; l++)
        for (unsigned s = 0; s < 2; s++)
            n->side[l][s].point = copy_of(from->side[l][s].point, from->side[l][s].count * sizeof(fit_point));
    return n;
}

/* The values that lie in the direction of n, and the k-th of them. */
static uint64_t reach(const search *x, const node *n)
{
    return n->back ? n->origin + 1 : x->count - n->origin;
}

static int64_t value_at(const search *x, const node *n, uint64_t k)
{
    return x->values[n->back ? n->origin - k : n->origin + k];
}

/* How many values from the k-th on are start, start + stride, ... */
static uint64_t match(const search *x, const node *n, uint64_t k, uint64_t most, int64_t start, int64_t stride)
{
    return n->back ? affine_match_back(x->values + n->origin - k, most, start, stride)
                   : affine_match_run(x->values + n->origin + k, most, start, stride);
}

static bool late(const search *x)
{
    return x->work > x->options->work_max || search_clock() > x->options->deadline ||
           (x->options->stop && atomic_load(x->options->stop));
}

/* ---- examples and faces ---- */

/* False: another value is known there, or no room. Lower bounds are kept negated. */
static bool example_add(examples *e, const int64_t *at, unsigned outer, int64_t value)
{
    for (unsigned i = 0; i < e->count; i++)
        if (!memcmp(e->point[i].at, at, outer * sizeof *at))
            return e->point[i].value == value;
    if (e->count == FIT_POINTS - 1)
        return false;
    e->point = memory_grow(e->point, e->count + 1, sizeof *e->point);
    fit_point *p = &e->point[e->count++];
    memset(p, 0, sizeof *p);
    memcpy(p->at, at, outer * sizeof *at);
    p->value = value;
    return true;
}

static void negate_faces(affine_face *to, const affine_face *from, unsigned count, unsigned outer)
{
    for (unsigned f = 0; f < count; f++) {
        to[f] = from[f];
        to[f].constant = -from[f].constant;
        for (unsigned l = 0; l < outer; l++)
            to[f].slope[l] = -from[f].slope[l];
    }
}

static int64_t spread(const fit_point *point, unsigned points)
{
    int64_t low = point[0].value, high = low;
    for (unsigned i = 1; i < points; i++) {
        low = point[i].value < low ? point[i].value : low;
        high = point[i].value > high ? point[i].value : high;
    }
    return high - low;
}

/* Fits one side of level r of n to its examples and, above, to the present index. */
static bool fit_side(search *x, node *n, unsigned r, unsigned side, bool lift, int64_t margin)
{
    fit_point point[FIT_POINTS];
    affine_face face[AFFINE_FACES];
    affine_level *level = &n->level[r];
    examples *e = &n->side[r][side];
    unsigned count = e->count, faces = side == UPPER ? level->uppers : level->lowers;
    memcpy(point, e->point, count * sizeof *point);
    bool closed = side == LOWER;
    if (side == LOWER && n->open) {
        memset(&point[count], 0, sizeof *point);
        point[count++].at_least = true;
    }
    for (unsigned i = 0; i < count && !closed; i++)
        closed = !memcmp(point[i].at, n->index, r * sizeof *n->index);
    if (!closed) {
        memset(&point[count], 0, sizeof *point);
        memcpy(point[count].at, n->index, r * sizeof *n->index);
        point[count].value = n->index[r];
        point[count++].at_least = true;
    }
    fit_options o = {.slopes = x->options->slopes,
                     .faces_max = x->options->single ? 1 : AFFINE_FACES,
                     .focus = lift       ? count - 1
                              : e->count ? e->count - 1
                                         : 0,
                     .margin = margin};
    if (!lift && margin)
        o.margin = 4 * (spread(point, count) + 1);
    if (side == UPPER)
        memcpy(face, level->upper, faces * sizeof *face);
    else
        negate_faces(face, level->lower, faces, r);
    x->work += WORK_FIT + 4 * (uint64_t)count * r;
    if (!fit_upper(face, &faces, point, count, r, &o))
        return false;
    if (side == UPPER) {
        memcpy(level->upper, face, faces * sizeof *face);
        level->uppers = faces;
    } else {
        negate_faces(level->lower, face, faces, r);
        level->lowers = faces;
    }
    return true;
}

static int64_t bound(const affine_level *level, const int64_t *index, unsigned r, unsigned side)
{
    return side == UPPER ? affine_upper(level, index, r) : affine_lower(level, index, r);
}

/* Whether index[0..r-1] is that of the last point of `old`, or behind it. */
static int compare_last(const node *old, const int64_t *index, unsigned r)
{
    for (unsigned l = 0; l < r; l++)
        if (index[l] != old->index[l])
            return index[l] < old->index[l] ? -1 : 1;
    return 0;
}

static int64_t value_of(const affine_face *face, const int64_t *index, unsigned r, unsigned side)
{
    return side == UPPER ? affine_floor(face, index, r) : affine_ceil(face, index, r);
}

/* True if one face with integer slopes gives the bounds `near` of level r at `index` and `far` at `last`, which differ in
 * index[r - 1] only. A bound that no face exceeds in between (above: concave) then lies on that face all the way. */
static bool straight(const affine_level *level, const int64_t *index, const int64_t *last, unsigned r, unsigned side,
                     int64_t near, int64_t far)
{
    const affine_face *face = side == UPPER ? level->upper : level->lower;
    unsigned faces = side == UPPER ? level->uppers : level->lowers;
    for (unsigned f = 0; f < faces; f++)
        if ((face[f].divisor == 1 || !face[f].slope[r - 1]) &&
            (faces == 1 || (value_of(&face[f], index, r, side) == near && value_of(&face[f], last, r, side) == far)))
            return true;
    return !faces;
}

/* True if the bounds of level r are sure to be the same from index[r - 1] to `end`. */
static bool same_between(const affine_level *was, const affine_level *is, const int64_t *index, unsigned r,
                         unsigned side, int64_t end)
{
    int64_t last[AFFINE_DEPTH], near = bound(was, index, r, side);
    if (near != bound(is, index, r, side))
        return false;
    memcpy(last, index, r * sizeof *last);
    last[r - 1] = end;
    int64_t far = bound(was, last, r, side);
    return far == bound(is, last, r, side) && straight(was, index, last, r, side, near, far) &&
           straight(is, index, last, r, side, near, far);
}

typedef enum past { AGREES, DIFFERS, TOO_LONG } past;

/* Finds a place among those seen by `old` where the bound of `now` is far from its own: farthest among those passed in about
 * twice the steps that lead to the first. */
static past past_differs(search *x, const node *old, const node *now, unsigned r, unsigned side, int64_t *at,
                         int64_t *value)
{
    affine_cursor c;
    const affine_level *was = &old->level[r], *is = &now->level[r];
    uint64_t steps = 0, enough = UINT64_MAX;
    int64_t farthest = 0;
    if (!r)
        return AGREES;
    affine_seek(&c, old->level, r, 0, zeros);
    c.patience = PATIENCE;
    do {
        if (c.upper[r - 1] > c.index[r - 1] + 1 && c.upper[r - 1] < AFFINE_ENDLESS &&
            compare_last(old, c.index, r - 1) < 0 && same_between(was, is, c.index, r, side, c.upper[r - 1]))
            c.index[r - 1] = c.upper[r - 1];
        for (; c.index[r - 1] <= c.upper[r - 1]; c.index[r - 1]++) {
            int order = compare_last(old, c.index, r);
            /* Entries without a point are few, or the nest is not worth having. */
            x->work++;
            if (++steps > 2 * old->known + PATIENCE || (!(steps & 0x3fff) && late(x)))
                return TOO_LONG;
            if (order > 0 || (order == 0 && side == UPPER) || steps > enough)
                return farthest ? DIFFERS : AGREES;
            int64_t before = bound(was, c.index, r, side), off = before - bound(is, c.index, r, side);
            off = off < 0 ? -off : off;
            if (off <= farthest || affine_lower(was, c.index, r) > affine_upper(was, c.index, r) ||
                (old->open && side == LOWER && !memcmp(c.index, zeros, r * sizeof *zeros)))
                continue;
            enough = farthest ? enough : 2 * steps + FARTHER;
            farthest = off;
            *value = before;
            memcpy(at, c.index, r * sizeof *at);
        }
        c.index[r - 1] = c.upper[r - 1];
    } while (affine_next_row(&c));
    return farthest ? DIFFERS : AGREES;
}

/* Fits, and takes in examples from the past until it agrees. */
static bool refit(search *x, node *n, const node *old, unsigned r, unsigned side, bool lift, int64_t margin)
{
    for (unsigned round = 0; round < REFITS; round++) {
        int64_t at[AFFINE_DEPTH], value = 0;
        if (!fit_side(x, n, r, side, lift, margin))
            return false;
        past verdict = past_differs(x, old, n, r, side, at, &value);
        if (verdict == AGREES)
            return true;
        if (verdict == TOO_LONG || !example_add(&n->side[r][side], at, r, side == UPPER ? value : -value))
            return false;
        /* The example that began this stays the last: it is the focus. */
        examples *e = &n->side[r][side];
        if (e->count >= 2 && !lift) {
            fit_point last = e->point[e->count - 1];
            e->point[e->count - 1] = e->point[e->count - 2];
            e->point[e->count - 2] = last;
        }
    }
    return false;
}

/* ---- moves ---- */

/* Level l ends here, if it has not. */
static bool close_level(search *x, node *n, const node *old, unsigned l)
{
    return n->index[l] >= affine_upper(&n->level[l], n->index, l) ||
           (example_add(&n->side[l][UPPER], n->index, l, n->index[l]) && refit(x, n, old, l, UPPER, false, 1));
}

/* A node, and what it becomes when the levels from l on end at its last point: made once for all its children. */
typedef struct family {
    const node *parent;
    node *closed[AFFINE_DEPTH];
    bool known[AFFINE_DEPTH]; /* whether closed[l] was made; it is NULL where no faces do that */
} family;

static const node *closed_from(search *x, family *f, unsigned l)
{
    if (l == f->parent->depth)
        return f->parent;
    const node *inner = closed_from(x, f, l + 1);
    if (!f->known[l] && inner) {
        f->closed[l] = node_copy(inner);
        if (!close_level(x, f->closed[l], f->parent, l)) {
            node_free(f->closed[l]);
            f->closed[l] = NULL;
        }
    }
    f->known[l] = true;
    return f->closed[l];
}

static void family_end(family *f)
{
    for (unsigned l = 0; l < f->parent->depth; l++)
        node_free(f->closed[l]);
}

static bool lift_level(search *x, node *n, const node *old, unsigned l, bool loose)
{
    if (n->index[l] <= affine_upper(&n->level[l], n->index, l))
        return true;
    for (unsigned i = 0; i < n->side[l][UPPER].count; i++) /* it ended here before */
        if (!memcmp(n->side[l][UPPER].point[i].at, n->index, l * sizeof *n->index))
            return false;
    return (loose && refit(x, n, old, l, UPPER, true, (int64_t)1 << 30)) || refit(x, n, old, l, UPPER, true, 0);
}

/* Sets the indices from level l on to their lower bounds plus off[]. */
static void reset(const affine_level *level, unsigned depth, int64_t *index, unsigned l, const int64_t *off)
{
    for (; l < depth; l++)
        index[l] = affine_lower(&level[l], index, l) + (off ? off[l] : 0);
}

static affine_wide address_of(const node *n, int64_t base, const int64_t *index)
{
    affine_wide sum = base;
    for (unsigned l = 0; l < n->depth; l++)
        sum += (affine_wide)n->level[l].coefficient * index[l];
    return sum;
}

/* Levels l.. of n start anew at their lower bounds, plus off[]; upper bounds give way. */
static bool start_levels(search *x, node *n, const node *old, unsigned l, const int64_t *off, bool loose)
{
    for (; l < n->depth; l++) {
        int64_t lower = affine_lower(&n->level[l], n->index, l);
        if (off && off[l]) {
            lower += off[l];
            examples *e = &n->side[l][LOWER];
            if ((!e->count && !n->open && !example_add(e, zeros, l, 0)) || !example_add(e, n->index, l, -lower))
                return false;
            n->index[l] = lower;
            if (!refit(x, n, old, l, LOWER, false, 1))
                return false;
        }
        n->index[l] = lower;
        if (!lift_level(x, n, old, l, loose))
            return false;
    }
    return true;
}

/* Goes on while the nest predicts the stream; sets the index of the last value predicted. */
static void run_on(search *x, node *n)
{
    affine_cursor c;
    unsigned inner = n->depth - 1;
    affine_seek(&c, n->level, n->depth, value_at(x, n, 0), n->index);
    c.patience = PATIENCE;
    uint64_t end = reach(x, n);
    int64_t stride = n->level[inner].coefficient;
    c.index[inner]++; /* the first of the row to check */
    c.sum[n->depth] += stride;
    for (unsigned rows = 1;; rows++) {
        x->work++;
        uint64_t left = end - n->known, want = 0;
        if (c.index[inner] <= c.upper[inner])
            want = (uint64_t)(c.upper[inner] - c.index[inner]) + 1;
        want = want < left ? want : left;
        affine_wide start = affine_address(&c);
        uint64_t same = 0;
        if (want && start == (int64_t)start)
            same = match(x, n, n->known, want, (int64_t)start, stride);
        if (same) {
            c.index[inner] += (int64_t)same - 1;
            memcpy(n->index, c.index, n->depth * sizeof *c.index);
            n->known += same;
        }
        if (same < want || n->known == end || (!(rows & 0xffff) && late(x)))
            return;
        if (!affine_next_row(&c))
            return;
        if (value_at(x, n, n->known) != affine_address(&c))
            return;
    }
}

/* ---- the heap ---- */

static unsigned face_count(const node *n)
{
    unsigned faces = 0;
    for (unsigned l = 0; l < n->depth; l++) {
        faces += n->level[l].lowers > 1 ? n->level[l].lowers - 1 : 0;
        faces += n->level[l].uppers > 1 ? n->level[l].uppers - 1 : 0;
    }
    return faces;
}

static void rate(const search *x, node *n)
{
    double size = n->depth + x->options->face_cost * face_count(n);
    n->waited = 0;
    n->stage = MOVES;
    n->fitness = log((double)n->known) - size * log(x->options->growth);
    if (x->options->single)
        n->fitness = -100.0 * n->depth + log((double)n->known);
}

static bool before(const node *a, const node *b)
{
    return a->fitness > b->fitness;
}

static void heap_up(search *x, unsigned at)
{
    for (; at && before(x->heap[at], x->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        node *n = x->heap[at];
        x->heap[at] = x->heap[(at - 1) / 2];
        x->heap[(at - 1) / 2] = n;
    }
}

static node *heap_pop(search *x)
{
    node *top = x->heap[0];
    node *last = x->heap[--x->nodes];
    unsigned at = 0;
    for (;;) {
        unsigned child = 2 * at + 1;
        if (child >= x->nodes)
            break;
        if (child + 1 < x->nodes && before(x->heap[child + 1], x->heap[child]))
            child++;
        if (!before(x->heap[child], last))
            break;
        x->heap[at] = x->heap[child];
        at = child;
    }
    x->heap[at] = last;
    return top;
}

static int by_fitness(const void *a, const void *b)
{
    const node *left = *(node *const *)a, *right = *(node *const *)b;
    return left->fitness > right->fitness ? -1 : left->fitness < right->fitness;
}

static void heap_push(search *x, node *n)
{
    if (x->nodes == x->options->nodes_max) { /* the worse half goes; a sorted array is a heap */
        qsort(x->heap, x->nodes, sizeof *x->heap, by_fitness);
        while (x->nodes > x->options->nodes_max / 2)
            node_free(x->heap[--x->nodes]);
    }
    x->heap[x->nodes++] = n;
    heap_up(x, x->nodes - 1);
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const int64_t *word = bytes;
    for (; size >= 8; size -= 8, word++) {
        hash = (hash ^ (uint64_t)*word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static uint64_t hash_node(const node *n)
{
    uint64_t hash = (n->origin * 2 + n->back) * 0x9e3779b97f4a7c15u + n->known * 31 + n->depth;
    hash = hash_bytes(hash, n->index, n->depth * sizeof *n->index);
    for (unsigned l = 0; l < n->depth; l++) {
        const affine_level *level = &n->level[l];
        hash = hash_bytes(hash, &level->coefficient, sizeof level->coefficient);
        hash = hash * 31 + level->uppers * 16 + level->lowers;
        hash = hash_bytes(hash, level->upper, level->uppers * sizeof *level->upper);
        hash = hash_bytes(hash, level->lower, level->lowers * sizeof *level->lower);
    }
    return hash ? hash : 1;
}

/* Notes the node; false: it was met before. */
static bool is_new(search *x, const node *n)
{
    uint64_t hash = hash_node(n);
    if (2 * x->seen_count >= x->seen_size) {
        uint64_t *old = x->seen;
        unsigned size = x->seen_size;
        x->seen_size = size ? 2 * size : 256;
        x->seen = memory_zero(x->seen_size, sizeof *x->seen);
        for (unsigned i = 0; i < size; i++) {
            unsigned slot = old[i] & (x->seen_size - 1);
            while (old[i] && x->seen[slot])
                slot = (slot + 1) & (x->seen_size - 1);
            if (old[i])
                x->seen[slot] = old[i];
        }
        free(old);
    }
    unsigned slot = hash & (x->seen_size - 1);
    for (; x->seen[slot]; slot = (slot + 1) & (x->seen_size - 1))
        if (x->seen[slot] == hash)
            return false;
    x->seen[slot] = hash;
    x->seen_count++;
    return true;
}

/* ---- solutions ---- */

/* Ends every level at the last point known. False: no faces do that. */
static bool finish(search *x, node *n)
{
    node *old = node_copy(n);
    bool done = true;
    for (unsigned l = n->depth; l-- > 0 && done;)
        done = close_level(x, n, old, l);
    node_free(old);
    return done;
}

static affine_nest nest_of(const search *x, const node *n, bool whole)
{
    return (affine_nest){
        .depth = n->depth, .base = value_at(x, n, 0), .accesses = n->known, .whole = whole, .level = n->level};
}

/* True if the nest generates the known values and, if whole, no more. */
static bool verified(const search *x, const node *n, bool whole)
{
    affine_nest nest = nest_of(x, n, whole);
    affine_cursor c;
    if (affine_match(&nest, x->values, n->known, PATIENCE) != n->known)
        return false;
    affine_seek(&c, n->level, n->depth, nest.base, n->index);
    c.patience = PATIENCE;
    return !whole || (c.index[n->depth - 1] == c.upper[n->depth - 1] && !affine_next_row(&c));
}

/* Face f of level r, index[l] = last[l] - new index[l]: an upper bound becomes a lower one and the other way round. */
static bool flip_face(affine_face *f, const int64_t *last, unsigned r)
{
    affine_wide constant = (affine_wide)last[r] * f->divisor - f->constant;
    for (unsigned l = 0; l < r; l++)
        constant -= (affine_wide)f->slope[l] * last[l];
    f->constant = (int64_t)constant;
    return constant == (int64_t)constant;
}

static void flip_examples(examples *e, const int64_t *last, unsigned r, int64_t shift)
{
    for (unsigned i = 0; i < e->count; i++) {
        for (unsigned l = 0; l < r; l++)
            e->point[i].at[l] = last[l] - e->point[i].at[l];
        e->point[i].value += shift;
    }
}

static bool flip_level(node *n, unsigned r)
{
    affine_level *level = &n->level[r], was = *level;
    examples *upper = &n->side[r][LOWER], *lower = &n->side[r][UPPER], swap;
    if (__builtin_sub_overflow(0, was.coefficient, &level->coefficient))
        return false;
    if (!was.lowers) { /* none: 0 */
        memset(was.lower, 0, sizeof *was.lower);
        was.lower[0].divisor = 1;
        was.lowers = 1;
    }
    memcpy(level->upper, was.lower, sizeof level->upper);
    memcpy(level->lower, was.upper, sizeof level->lower);
    level->uppers = was.lowers;
    level->lowers = was.uppers;
    for (unsigned f = 0; f < level->uppers; f++)
        if (!flip_face(&level->upper[f], n->index, r))
            return false;
    for (unsigned f = 0; f < level->lowers; f++)
        if (!flip_face(&level->lower[f], n->index, r))
            return false;
    flip_examples(upper, n->index, r, n->index[r]);
    flip_examples(lower, n->index, r, -n->index[r]);
    swap = *upper;
    *upper = *lower;
    *lower = swap;
    return true;
}

/* Turns n, whose levels have all ended, round: its last value becomes the first. */
static bool flip(node *n)
{
    for (unsigned l = 0; l < n->depth; l++)
        if (!flip_level(n, l))
            return false;
    n->origin = n->back ? n->origin - (n->known - 1) : n->origin + (n->known - 1);
    n->back = !n->back;
    n->open = false;
    return true;
}

/* Refits all faces without the margins that helped to find them. */
static void polish(search *x, node *n)
{
    for (unsigned l = 1; l < n->depth; l++)
        for (unsigned s = 0; s < 2; s++) {
            unsigned faces = s == UPPER ? n->level[l].uppers : n->level[l].lowers;
            if (faces < 2)
                continue;
            node *tried = node_copy(n);
            if (s == UPPER)
                tried->level[l].uppers = 0;
            else
                tried->level[l].lowers = 0;
            bool better = refit(x, tried, n, l, s, false, 0) &&
                          (s == UPPER ? tried->level[l].uppers : tried->level[l].lowers) <= faces &&
                          verified(x, tried, true);
            if (better) {
                node swap = *n;
                *n = *tried;
                *tried = swap;
            }
            node_free(tried);
        }
}

/* n, which explains the whole stream, as a nest that ends by itself and begins with the first value. NULL: it cannot. */
static node *ended(search *x, const node *n)
{
    node *done = node_copy(n);
    if (finish(x, done) && (!done->back || flip(done)) && verified(x, done, true))
        return done;
    node_free(done);
    return NULL;
}

/* Keeps n if it explains the most from the first value on so far. Takes over n. True: it explains the whole stream. */
static bool keep_best(search *x, node *n)
{
    bool all = n->known == x->count;
    if (x->best && (x->best->known > n->known || (x->best->known == n->known && !all))) {
        node_free(n);
        return false;
    }
    bool whole = false;
    if (all) {
        node *done = ended(x, n);
        whole = done;
        /* Cannot be wrong, by construction; but then it is no solution. */
        if (!whole && (n->back || !verified(x, n, false))) {
            node_free(n);
            return false;
        }
        if (whole) {
            node_free(n);
            n = done;
        }
    }
    if (x->best && x->best->known == n->known && (x->best_whole || !whole)) {
        node_free(n);
        return false;
    }
    node_free(x->best);
    x->best = n;
    x->best_whole = whole;
    x->best_checked = all;
    return all;
}

/* ---- expansion ---- */

/* Hands over a child whose index is that of the next value. True: it solves the stream. */
static bool offer(search *x, node *n)
{
    n->known++;
    run_on(x, n);
    if (!is_new(x, n)) {
        node_free(n);
        return false;
    }
    if (n->known == reach(x, n) && n->known < x->count) {
        if (!finish(x, n) || !flip(n)) {
            node_free(n);
            return false;
        }
        run_on(x, n);
    }
    x->reached = n->known > x->reached ? n->known : x->reached;
    if (n->known == x->count)
        return keep_best(x, n);
    if (!n->back && n->origin == 0 && (!x->best || n->known > x->best->known))
        keep_best(x, node_copy(n));
    rate(x, n);
    heap_push(x, n);
    return false;
}

/* Level l moves on, inner ones start at their bounds plus off[]. */
static bool try_move(search *x, family *f, unsigned l, const int64_t *off)
{
    const node *closed = closed_from(x, f, l + 1);
    if (!closed)
        return false;
    node *n = node_copy(closed);
    n->index[l]++;
    if (!lift_level(x, n, f->parent, l, true) || !start_levels(x, n, f->parent, l + 1, off, true) ||
        address_of(n, value_at(x, n, 0), n->index) != value_at(x, n, n->known)) {
        node_free(n);
        return false;
    }
    return offer(x, n);
}

/* What the value would be if level l moved on with inner ones off their bounds, less the value. */
static affine_wide miss(const search *x, const node *n, unsigned l, const int64_t *off)
{
    int64_t index[AFFINE_DEPTH];
    memcpy(index, n->index, sizeof index);
    index[l]++;
    reset(n->level, n->depth, index, l + 1, off);
    return address_of(n, value_at(x, n, 0), index) - value_at(x, n, n->known);
}

/* Finds off[r] so that the value comes out. */
static bool solve_off(const search *x, const node *n, unsigned l, int64_t *off, unsigned r, int64_t most)
{
    off[r] = 0;
    affine_wide zero = miss(x, n, l, off);
    off[r] = 1;
    affine_wide step = miss(x, n, l, off) - zero;
    off[r] = 0;
    if (!zero || !step || zero % step || -zero / step > most || -zero / step < -most)
        return false;
    off[r] = (int64_t)(-zero / step);
    if (miss(x, n, l, off) == 0)
        return true;
    off[r] = 0;
    return false;
}

static bool try_lower_bounds(search *x, family *f, unsigned l)
{
    const node *n = f->parent;
    for (unsigned r = l + 1; r < n->depth; r++) {
        int64_t off[AFFINE_DEPTH] = {0};
        if (solve_off(x, n, l, off, r, OFF_ONE) && try_move(x, f, l, off))
            return true;
        for (off[r] = -OFF_TWO; off[r] <= OFF_TWO; off[r]++)
            for (unsigned q = r + 1; q < n->depth && off[r]; q++) {
                off[q] = 0;
                if (solve_off(x, n, l, off, q, OFF_TWO) && try_move(x, f, l, off))
                    return true;
                off[q] = 0;
            }
    }
    return false;
}

static void insert_level(node *n, unsigned p)
{
    n->level = memory_grow(n->level, n->depth + 1, sizeof *n->level);
    memmove(n->level + p + 1, n->level + p, (n->depth - p) * sizeof *n->level);
    memmove(n->side + p + 1, n->side + p, (n->depth - p) * sizeof *n->side);
    memmove(n->index + p + 1, n->index + p, (n->depth - p) * sizeof *n->index);
    n->depth++;
    memset(&n->level[p], 0, sizeof n->level[p]);
    memset(n->side[p], 0, sizeof n->side[p]);
    n->index[p] = 0;
    for (unsigned l = p + 1; l < n->depth; l++) {
        size_t moved = (l - p - 1) * sizeof(int64_t);
        for (unsigned f = 0; f < AFFINE_FACES; f++)
            for (unsigned s = 0; s < 2; s++) {
                int64_t *slope = s ? n->level[l].lower[f].slope : n->level[l].upper[f].slope;
                memmove(slope + p + 1, slope + p, moved);
                slope[p] = 0;
            }
        for (unsigned s = 0; s < 2; s++)
            for (unsigned i = 0; i < n->side[l][s].count; i++) {
                int64_t *at = n->side[l][s].point[i].at;
                memmove(at + p + 1, at + p, moved);
                at[p] = 0;
            }
    }
}

/* The new level is 0 at every point seen, and 1 now. */
static bool bound_new_level(search *x, node *n, const node *old, unsigned p)
{
    n->index[p] = 1;
    if (!memcmp(n->index, zeros, p * sizeof *zeros))
        return true; /* nothing came before this entry: no end is known */
    return example_add(&n->side[p][UPPER], zeros, p, 0) &&
           (refit(x, n, old, p, UPPER, true, (int64_t)1 << 30) || refit(x, n, old, p, UPPER, true, 0));
}

static bool grow_child(search *x, node *n, node *old, unsigned p)
{
    insert_level(n, p);
    insert_level(old, p);
    old->level[p].uppers = 1; /* constant 0 */
    old->level[p].upper[0].divisor = 1;
    if (!bound_new_level(x, n, old, p) || !start_levels(x, n, old, p + 1, NULL, true))
        return false;
    affine_wide coefficient = value_at(x, n, n->known) - address_of(n, value_at(x, n, 0), n->index);
    n->level[p].coefficient = (int64_t)coefficient;
    return coefficient == (int64_t)coefficient;
}

static bool try_growth(search *x, family *f, unsigned p)
{
    const node *closed = f->parent->depth < x->options->depth_max ? closed_from(x, f, p) : NULL;
    if (!closed)
        return false;
    node *n = node_copy(closed), *old = node_copy(f->parent);
    bool grown = grow_child(x, n, old, p);
    node_free(old);
    if (grown)
        return offer(x, n);
    node_free(n);
    return false;
}

/* ---- step 4: an earlier end ---- */

/* Examples of what came after n->index go. True: some did. */
static bool forget(node *n, unsigned l, unsigned r, unsigned side)
{
    examples *e = &n->side[r][side];
    unsigned kept = 0, before = e->count;
    for (unsigned i = 0; i < before; i++) {
        int order = compare_last(n, e->point[i].at, r);
        if (order < 0 || (order == 0 && (side == LOWER || r > l)))
            e->point[kept++] = e->point[i];
    }
    e->count = kept;
    return kept < before;
}

/* Points of n after `index`. */
static uint64_t points_after(search *x, const node *n, const int64_t *index)
{
    affine_cursor c;
    unsigned inner = n->depth - 1;
    uint64_t points = 0;
    affine_seek(&c, n->level, n->depth, 0, index);
    c.patience = PATIENCE;
    for (unsigned rows = 1; memcmp(c.index, n->index, inner * sizeof *c.index); rows++) {
        points += (uint64_t)(c.upper[inner] - c.index[inner]);
        points++;
        x->work++;
        if (points > n->known || rows > REWIND || (!(rows & 0xfff) && late(x)) || !affine_next_row(&c))
            return UINT64_MAX;
    }
    return points + (uint64_t)(n->index[inner] - c.index[inner]);
}

/* n as it was when level l had just ended its iteration m - 1, its present outer indices being the same. NULL: none. */
static node *rewound(search *x, const node *n, unsigned l, int64_t m)
{
    int64_t index[AFFINE_DEPTH];
    memcpy(index, n->index, sizeof index);
    index[l] = m - 1;
    for (unsigned r = l + 1; r < n->depth; r++) {
        index[r] = affine_upper(&n->level[r], index, r);
        if (index[r] < affine_lower(&n->level[r], index, r) || index[r] >= AFFINE_ENDLESS)
            return NULL;
    }
    uint64_t after = points_after(x, n, index);
    if (after >= n->known)
        return NULL;
    node *back = node_copy(n);
    memcpy(back->index, index, sizeof index);
    back->known -= after;
    node *old = node_copy(back);
    bool right = true;
    for (unsigned r = 0; r < back->depth && right; r++)
        for (unsigned s = 0; s < 2 && right; s++)
            if (forget(back, l, r, s))
                right = refit(x, back, old, r, s, false, 0);
    node_free(old);
    if (right)
        return back;
    node_free(back);
    return NULL;
}

static bool try_earlier_at(search *x, const node *n, unsigned l, int64_t m)
{
    node *back = rewound(x, n, l, m);
    if (!back)
        return false;
    family f = {.parent = back};
    bool solved = try_growth(x, &f, l);
    family_end(&f);
    node_free(back);
    return solved;
}

/* The iteration of level l that the next value would belong to, if inner levels were at their lower bounds. */
static int64_t target_of(const search *x, const node *n, unsigned l)
{
    int64_t index[AFFINE_DEPTH], c = n->level[l].coefficient;
    memcpy(index, n->index, sizeof index);
    index[l] = 0;
    reset(n->level, n->depth, index, l + 1, NULL);
    affine_wide off = value_at(x, n, n->known) - address_of(n, value_at(x, n, 0), index);
    affine_wide m = c ? off / c : -1;
    return m < 0 || m > n->index[l] ? -1 : (int64_t)m;
}

static unsigned face_at(const affine_level *level, const int64_t *index, unsigned r)
{
    int64_t upper = affine_upper(level, index, r), lower = affine_lower(level, index, r);
    unsigned f = 0, g = 0;
    while (f < level->uppers && affine_floor(&level->upper[f], index, r) > upper)
        f++;
    while (g < level->lowers && affine_ceil(&level->lower[g], index, r) < lower)
        g++;
    return f * AFFINE_FACES + g;
}

/* The first iteration of level l in which another face bounds level r. */
static int64_t kink_of(const node *n, unsigned l, unsigned r)
{
    int64_t index[AFFINE_DEPTH];
    unsigned first = 0;
    memcpy(index, n->index, sizeof index);
    for (int64_t m = 0; m <= n->index[l] && m < 4096; m++) {
        index[l] = m;
        reset(n->level, r, index, l + 1, NULL);
        unsigned face = face_at(&n->level[r], index, r);
        if (m && face != first)
            return m;
        first = face;
    }
    return -1;
}

/* The present iterations of level l may have been two runs, which by chance met: tries a new level outside it that began
 * with an iteration to which the next value points back, where bounds change, or with the present one. */
static bool try_earlier(search *x, const node *n, unsigned l)
{
    int64_t tried[16];
    unsigned count = 0;
    tried[count++] = n->index[l];
    int64_t target = target_of(x, n, l);
    for (int64_t d = -1; d <= 1; d++)
        tried[count++] = target < 0 ? -1 : target + d;
    for (unsigned r = l + 1; r < n->depth && count < 13 && !x->options->single; r++) {
        int64_t kink = kink_of(n, l, r);
        for (int64_t d = -1; d <= 1; d++)
            tried[count++] = kink < 0 ? -1 : kink + d;
    }
    for (unsigned i = 0; i < count; i++) {
        bool again = tried[i] < 1 || tried[i] > n->index[l];
        for (unsigned j = 0; j < i; j++)
            again = again || tried[j] == tried[i];
        if (!again && try_earlier_at(x, n, l, tried[i]))
            return true;
    }
    return false;
}

/* One stage of a node's expansion. True: the stream is solved. */
static bool expand(search *x, const node *n)
{
    family f = {.parent = n};
    bool solved = false;
    switch (n->stage) {
    case MOVES:
        for (unsigned l = n->depth; l-- > 0 && !solved;)
            solved = miss(x, n, l, NULL) == 0 && try_move(x, &f, l, NULL);
        for (unsigned l = n->depth; l-- > 0 && !x->options->single && !solved;)
            solved = try_lower_bounds(x, &f, l);
        break;
    case GROWTH:
        for (unsigned p = 0; p <= n->depth && !solved; p++)
            solved = try_growth(x, &f, p);
        break;
    default:
        for (unsigned l = 0; l < n->depth && !solved; l++)
            solved = n->index[l] > 0 && try_earlier(x, n, l);
        break;
    }
    family_end(&f);
    return solved;
}

/* Takes over a node whose stage is done: the next one has to wait until nothing better is left. */
static void defer(search *x, node *n)
{
    double cost = x->options->single ? 100 : log(x->options->growth);
    if (n->stage == LAST_STAGE || n->depth == x->options->depth_max) {
        node_free(n);
        return;
    }
    n->fitness += DEFERRED * n->waited - cost / 2;
    n->waited = 0;
    n->stage++;
    heap_push(x, n);
}

/* ---- the start ---- */

/* The nest that goes on from one value in one direction. NULL: it leaves 64 bits. */
static node *root(const search *x, uint64_t origin, bool back)
{
    node *n = memory_zero(1, sizeof *n);
    n->origin = origin;
    n->back = back;
    n->open = origin && !back;
    n->depth = 1;
    n->known = 1;
    n->level = memory_zero(1, sizeof *n->level);
    if (reach(x, n) > 1 && !__builtin_sub_overflow(value_at(x, n, 1), value_at(x, n, 0), &n->level[0].coefficient))
        return n;
    node_free(n);
    return NULL;
}

/* Tries a first row of `length` values of the first run. */
static bool try_short_row(search *x, const node *first, uint64_t length, uint64_t *tried, unsigned *count)
{
    bool again = length < 2 || length >= first->known || *count == SHORT_ROWS;
    for (unsigned i = 0; i < *count && !again; i++)
        again = tried[i] == length;
    if (again)
        return false;
    tried[(*count)++] = length;
    node *n = node_copy(first);
    n->known = length;
    n->index[0] = (int64_t)length - 1;
    family f = {.parent = n};
    bool solved = try_growth(x, &f, 0) || try_growth(x, &f, 1);
    family_end(&f);
    node_free(n);
    return solved;
}

/* The first run may be longer than the first row, where the next row happens to go on with the same stride: tries the
 * lengths that runs soon after it have, what is left when one is taken off, and where the first two lead, two rows earlier. */
static bool try_short_rows(search *x, const node *first)
{
    uint64_t tried[SHORT_ROWS], at = first->known, end = reach(x, first), before = 0;
    unsigned count = 0;
    int64_t stride = first->level[0].coefficient;
    bool solved = false;
    for (unsigned run = 0; run < 2 * SHORT_ROWS && at < end && !solved; run++) {
        uint64_t same =
            match(x, first, at, end - at < first->known ? end - at : first->known, value_at(x, first, at), stride);
        at += same;
        solved = try_short_row(x, first, same, tried, &count) ||
                 try_short_row(x, first, first->known - same, tried, &count) ||
                 (run == 1 && try_short_row(x, first, 3 * before - 2 * same, tried, &count));
        before = same;
    }
    return solved;
}

static bool start_at(search *x, uint64_t origin, bool back)
{
    node *first = root(x, origin, back);
    if (!first)
        return false;
    node *start = node_copy(first);
    first->known = 0;
    bool solved = offer(x, first);
    run_on(x, start);
    solved = solved || try_short_rows(x, start);
    node_free(start);
    return solved;
}

/* From the inside out: what begins with the larger part of the nest is tried first. */
static bool start_in_the_middle(search *x)
{
    uint64_t at[MODEL_STARTS];
    unsigned starts = model_starts(at, x->values, x->count);
    bool solved = false;
    while (starts-- > 0 && !solved) {
        solved = start_at(x, at[starts], false);
    }
    return solved;
}

static bool start(search *x)
{
    switch (x->options->start) {
    case SEARCH_FORWARD:
        return start_at(x, 0, false);
    case SEARCH_BACKWARD:
        return start_at(x, x->count - 1, true);
    default:
        return start_in_the_middle(x);
    }
}

/* The visits of nodes like n. */
static unsigned *visits_of(search *x, const node *n)
{
    struct visit *v = &x->visit[((n->known * 31 + n->depth) * 3 + n->stage) % VISITS];
    if (v->known != n->known || v->depth != n->depth || v->stage != n->stage)
        *v = (struct visit){.known = n->known, .depth = n->depth, .stage = n->stage};
    return &v->times;
}

/* The best node. Those that stand where many were expanded already are deferred. */
static node *next_node(search *x)
{
    for (;;) {
        node *n = heap_pop(x);
        unsigned *times = visits_of(x, n);
        if (*times <= n->waited || x->options->single) {
            ++*times;
            return n;
        }
        n->fitness -= DEFERRED * (*times - n->waited);
        n->waited = *times;
        x->heap[x->nodes++] = n;
        heap_up(x, x->nodes - 1);
    }
}

static bool search_loop(search *x)
{
    bool solved = start(x);
    uint64_t reached = 0;
    unsigned since = 0, expanded = 0;
    for (; !solved && x->nodes && expanded < x->options->expand_max && !late(x); expanded++) {
        node *n = next_node(x);
        solved = expand(x, n);
        defer(x, n);
        since = x->reached > reached ? 0 : since + 1;
        reached = x->reached;
        /* Where so little is explained after so many trials, there is nothing to find. */
        if (since > STALLED || (expanded > HOPELESS && 4 * reached < expanded))
            return solved;
    }
    return solved;
}

/* Levels whose end was never seen end at the last point. */
static void end_levels(node *n)
{
    for (unsigned l = 0; l < n->depth; l++)
        if (!n->level[l].uppers) {
            memset(&n->level[l].upper[0], 0, sizeof n->level[l].upper[0]);
            n->level[l].upper[0].divisor = 1;
            n->level[l].upper[0].constant = n->index[l];
            n->level[l].uppers = 1;
        }
}

bool search_nest(affine_nest *nest, const int64_t *values, uint64_t count, const search_options *options,
                 search_spent *spent)
{
    search x = {.values = values, .count = count, .options = options};
    x.heap = memory_grow(NULL, options->nodes_max, sizeof *x.heap);
    search_loop(&x);
    *spent = (search_spent){.work = x.work, .reached = x.reached};
    while (x.nodes)
        node_free(x.heap[--x.nodes]);
    free(x.heap);
    free(x.seen);
    if (!x.best)
        return false;
    if (x.best_whole)
        polish(&x, x.best);
    else if (x.best->known < count) {
        node *ended = node_copy(x.best);
        x.best_whole = finish(&x, ended) && verified(&x, ended, true);
        x.best_checked = false;
        if (x.best_whole) {
            node_free(x.best);
            x.best = ended;
        } else {
            node_free(ended);
        }
    }
    end_levels(x.best);
    bool right = x.best_checked || verified(&x, x.best, x.best_whole);
    *nest = nest_of(&x, x.best, x.best_whole);
    if (right)
        x.best->level = NULL;
    node_free(x.best);
    return right;
}
