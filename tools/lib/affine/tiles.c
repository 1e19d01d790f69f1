/* SPDX-License-Identifier: MIT */
/* Steps of tiles_nest:
 *   1. blocks of the stream that a plain nest explains, taken for full tiles (tiles_blocks.h);
 *   2. shapes: each kind of block with each order of loops over its tiles (tiles_trials.h);
 *   3. in rounds, each shape is read from its block to one end of the stream and then to the other (tiles_repair.h),
 *      as far as its share of the work allows;
 *   4. the domain of the first that reaches both ends becomes a nest (tiles_build.h);
 *   5. others may have fewer loops: they get as much work as it took. */
#include "tools/lib/affine/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/affine/tiles_build.h"
#include "tools/lib/affine/tiles_repair.h"
#include "tools/lib/affine/tiles_trials.h"
#include "tools/lib/base/clock.h"
#include "tools/lib/base/memory.h"

enum { VALUES_MIN = 8 }; /* values : 1 to 1000 : shorter streams are not searched for tiles */

/* Bound on values, so that strides do not overflow. */
#define VALUE_MAX ((int64_t)1 << 61)

/* What all trials share. */
typedef struct task {
    const int64_t *values;
    uint64_t count;
    const tiles_options *options;
    tiles_trials *trials;
    uint64_t work; /* of all trials so far */
} task;

static bool late(const task *t)
{
    return t->work >= t->options->work_max || clock_seconds() > t->options->deadline;
}

/* ---- one shape ---- */

/* Reads to one end, then to the other. */
static bool try_from(task *t, tiles_trial *trial, unsigned from, uint64_t work_max, affine_nest *nest)
{
    tiles_reading r = {.values = t->values,
                       .count = t->count,
                       .origin = trial->origin[from],
                       .shape = &trial->shape,
                       .fork = t->trials->fork,
                       .work_max = work_max};
    int first = from == FROM_LAST ? -1 : 1;
    int64_t zero[TILES_POINTS] = {0};
    affine_level level[TILES_LEVELS];
    memset(level, 0, sizeof level);
    *nest = (affine_nest){.depth = trial->shape.levels, .level = level, .whole = true};
    hull_init(&r.hull, trial->shape.points);
    bool right =
        hull_include(&r.hull, zero) && tiles_read(&r, first) && tiles_read(&r, -first) && tiles_build(&r, nest);
    uint64_t reached = r.reached[0] + r.reached[1];
    trial->dead[from] = !right && r.work <= work_max;
    trial->reached = reached > trial->reached ? reached : trial->reached;
    trial->spent = r.work;
    t->work += r.work + r.read / 4;
    hull_free(&r.hull);
    if (!right)
        return false;
    nest->level = memory_grow(NULL, nest->depth, sizeof *level);
    memcpy(nest->level, level, nest->depth * sizeof *level);
    return true;
}

/* Loops that move nothing show at one of their ends only where they start again. So it matters which way is read
 * first. */
static bool try_shape(task *t, tiles_trial *trial, uint64_t work_max, affine_nest *nest)
{
    trial->reached = 0;
    trial->tried = work_max;
    for (unsigned from = 0; from < FROMS; from++)
        if (!trial->dead[from] && try_from(t, trial, from, work_max, nest))
            return true;
    return false;
}

/* ---- the rounds ---- */

/* True if sums of strides times indices fit, and so do those of the domain. */
static bool moderate(const int64_t *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (values[i] > VALUE_MAX || values[i] < -VALUE_MAX)
            return false;
    return true;
}

/* The most values read first, then the fewest loops. */
static int by_promise(const void *a, const void *b)
{
    const tiles_trial *left = a, *right = b;
    if (left->reached != right->reached)
        return left->reached > right->reached ? -1 : 1;
    if (left->shape.levels != right->shape.levels)
        return left->shape.levels < right->shape.levels ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

static bool all_dead(const tiles_trial *t)
{
    bool dead = true;
    for (unsigned from = 0; from < FROMS; from++)
        dead = dead && t->dead[from];
    return dead;
}

/* One round, in which the trial of this rank may do so much work. Returns the one that found a nest. NULL: none did. */
static const tiles_trial *try_round(task *t, uint64_t share, affine_nest *nest)
{
    tiles_trials *all = t->trials;
    unsigned left = 0, rank[TILES_POINTS + 1] = {0};
    qsort(all->trial, all->count, sizeof *all->trial, by_promise);
    for (unsigned i = 0; i < all->count && !late(t); i++) {
        tiles_trial *trial = &all->trial[i];
        uint64_t most = share;
        if (share != TILES_SHARE)
            most = share * TILES_FAVOURED / (TILES_FAVOURED + rank[trial->shape.points]++);
        if (most >= 2 * trial->tried && try_shape(t, trial, most, nest))
            return trial;
        if (!all_dead(trial))
            all->trial[left++] = *trial;
    }
    all->count = left;
    return NULL;
}

/* In each round every trial not refuted may do more: most, those that came farthest so far, of each number of loops
 * over points. */
static const tiles_trial *try_all(task *t, affine_nest *nest)
{
    const tiles_trial *found = NULL;
    for (uint64_t share = TILES_SHARE; !found && t->trials->count && !late(t); share *= TILES_MORE)
        found = try_round(t, share, nest);
    return found;
}

/* Looks for a nest of fewer loops than the one found. */
static void try_flatter(task *t, const tiles_trial *found, affine_nest *nest)
{
    uint64_t most = found->spent > TILES_LEAST / TILES_FLATTER ? TILES_FLATTER * found->spent : TILES_LEAST;
    uint64_t enough = t->work + t->work / 16 + TILES_TRIALS * TILES_LEAST / 4;
    for (unsigned i = 0; i < t->trials->count && !late(t) && t->work < enough; i++) {
        tiles_trial *trial = &t->trials->trial[i];
        affine_nest flat;
        if (trial->shape.levels < nest->depth && trial->tried < most && try_shape(t, trial, most, &flat)) {
            affine_nest_free(nest);
            *nest = flat;
        }
    }
}

bool tiles_nest(affine_nest *nest, const int64_t *values, uint64_t count, const tiles_options *options, uint64_t *work)
{
    tiles_trials *all = memory_grow(NULL, 1, sizeof *all);
    task t = {.values = values, .count = count, .options = options, .trials = all};
    all->count = 0;
    if (count >= VALUES_MIN && moderate(values, count))
        tiles_trials_find(all, values, count, options->depth_max);
    const tiles_trial *found = try_all(&t, nest);
    if (found)
        try_flatter(&t, found, nest);
    *work = t.work;
    free(all);
    return found;
}
