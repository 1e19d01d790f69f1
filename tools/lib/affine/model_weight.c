/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/model_weight.h"

#include <string.h>

#include "tools/lib/affine/model_limits.h"

/* Face f of a level, upper ones first. */
static const affine_face *face_of(const affine_level *level, unsigned f)
{
    return f < level->uppers ? &level->upper[f] : &level->lower[f - level->uppers];
}

/* ---- the order ---- */

bool model_rational(const affine_nest *nest)
{
    for (unsigned l = 0; l < nest->depth; l++)
        for (unsigned f = 0; f < nest->level[l].uppers + nest->level[l].lowers; f++)
            if (face_of(&nest->level[l], f)->divisor != 1)
                return true;
    return false;
}

static unsigned slopes_of(const affine_face *face, unsigned outer)
{
    unsigned slopes = 0;
    for (unsigned m = 0; m < outer; m++)
        slopes += face->slope[m] != 0;
    return slopes;
}

uint64_t model_parameters(const affine_nest *nest)
{
    uint64_t sum = 1; /* the base */
    for (unsigned l = 0; l < nest->depth; l++) {
        const affine_level *level = &nest->level[l];
        sum++;
        for (unsigned f = 0; f < level->uppers + level->lowers; f++) {
            const affine_face *face = face_of(level, f);
            unsigned slopes = slopes_of(face, l);
            sum += slopes + (face->divisor != 1) + (slopes || face->constant || f < level->uppers || level->lowers > 1);
        }
    }
    return sum;
}

static uint64_t weight(const affine_nest *nest)
{
    uint64_t sum = model_parameters(nest) + nest->depth;
    for (unsigned l = 0; l < nest->depth; l++)
        for (unsigned f = 0; f < nest->level[l].uppers + nest->level[l].lowers; f++)
            for (int64_t rest = (face_of(&nest->level[l], f)->divisor - 1) / 2; rest; rest /= 2)
                sum++;
    return sum;
}

bool model_better(const affine_nest *a, const affine_nest *b)
{
    uint64_t ours = weight(a), theirs = weight(b);
    if (a->depth < b->depth)
        return !model_rational(a) || model_rational(b) || ours <= theirs;
    return ours < theirs && (a->depth == b->depth || (model_rational(b) && !model_rational(a)));
}

/* ---- loops that a divisor may stand for ---- */

/* True if a bound depends on an index. */
static bool sloped(const affine_nest *nest)
{
    bool slope = false;
    for (unsigned l = 0; l < nest->depth; l++)
        for (unsigned f = 0; f < nest->level[l].uppers + nest->level[l].lowers; f++)
            for (unsigned m = 0; m < l; m++)
                slope = slope || face_of(&nest->level[l], f)->slope[m];
    return slope;
}

/* Two faces that bound one tile of `size` indices. */
static bool bound_tile(const affine_face *upper, const affine_face *lower, uint64_t size)
{
    return !memcmp(upper->slope, lower->slope, sizeof upper->slope) && upper->divisor == 1 && lower->divisor == 1 &&
           (uint64_t)upper->constant - (uint64_t)lower->constant == size - 1;
}

/* True if loop l goes over tiles of the level: the level has as many indices as its bounds move by when l does. */
static bool over_tiles(const affine_level *level, unsigned l)
{
    static const affine_face zero = {.divisor = 1};
    uint64_t size = 0;
    for (unsigned f = 0; f < level->uppers + level->lowers; f++) {
        int64_t slope = face_of(level, f)->slope[l];
        uint64_t steep = slope < 0 ? -(uint64_t)slope : (uint64_t)slope;
        size = steep > size ? steep : size;
    }
    for (unsigned u = 0; u < level->uppers && size > 1; u++)
        for (unsigned f = 0; f < level->lowers + !level->lowers; f++)
            if (bound_tile(&level->upper[u], level->lowers ? &level->lower[f] : &zero, size))
                return true;
    return false;
}

/* True if a loop between others, but not one over tiles, is at most MODEL_FOLD long in its first runs. */
static bool folded(const affine_nest *nest)
{
    for (unsigned l = 1; l + 1 < nest->depth; l++) {
        affine_cursor c;
        bool brief = affine_first(&c, nest->level, l + 1, 0, MODEL_FOLD_RUNS);
        for (unsigned m = l + 1; m < nest->depth; m++)
            brief = brief && !over_tiles(&nest->level[m], l);
        for (unsigned run = 0; brief && run < MODEL_FOLD_RUNS && (!run || affine_next_row(&c)); run++)
            brief = affine_left(&c, l) < MODEL_FOLD;
        if (brief)
            return true;
    }
    return false;
}

bool model_foldable(const affine_nest *nest)
{
    return sloped(nest) && (model_rational(nest) || folded(nest));
}
