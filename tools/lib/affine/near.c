/* SPDX-License-Identifier: MIT */
/* A far number is q * SEARCH_FAR_BEYOND + r, r small: all of a face are brought to q * m + r with one m, the least
 * power of two with which the nest still generates its values. Too small an m fails at the first row that it cuts. */
#include "tools/lib/affine/near.h"

#include <string.h>

#include "tools/lib/affine/search_limits.h"

#define SMALL (SEARCH_FAR_BEYOND / 8) /* r : below half : takes more numbers for far ones, each checked */

/* How often a number holds SEARCH_FAR_BEYOND; 0: it is not a far one. */
static int64_t far_times(int64_t number)
{
    int64_t half = number < 0 ? -SEARCH_FAR_BEYOND / 2 : SEARCH_FAR_BEYOND / 2;
    if (number > INT64_MAX / 2 || number < INT64_MIN / 2)
        return 0;
    int64_t times = (number + half) / SEARCH_FAR_BEYOND, rest = number - times * SEARCH_FAR_BEYOND;
    return rest < SMALL && rest > -SMALL ? times : 0;
}

static int64_t nearer(int64_t number, int64_t unit)
{
    return number - far_times(number) * (SEARCH_FAR_BEYOND - unit);
}

static bool is_far(const affine_face *face, unsigned outer)
{
    bool far = far_times(face->constant) != 0;
    for (unsigned l = 0; l < outer; l++)
        far = far || far_times(face->slope[l]);
    return far;
}

/* Whether the nest has no points after its accesses. */
static bool ends(const affine_nest *nest)
{
    affine_cursor c;
    affine_wide points = 0;
    unsigned inner = nest->depth - 1;
    bool more = affine_first(&c, nest->level, nest->depth, nest->base, AFFINE_PATIENCE);
    for (; more && points <= nest->accesses; more = affine_next_row(&c))
        points += (affine_wide)c.upper[inner] - c.index[inner] + 1;
    return !more && !c.spun && points == nest->accesses;
}

static bool holds(const affine_nest *nest, const int64_t *values)
{
    return affine_match(nest, values, nest->accesses, AFFINE_PATIENCE) == nest->accesses &&
           (!nest->whole || ends(nest));
}

static bool bring_face(affine_nest *nest, affine_face *face, unsigned outer, const int64_t *values)
{
    const affine_face before = *face;
    for (int64_t unit = 1; unit < SEARCH_FAR_BEYOND; unit *= 2) {
        for (unsigned l = 0; l < outer; l++)
            face->slope[l] = nearer(before.slope[l], unit);
        face->constant = nearer(before.constant, unit);
        if (holds(nest, values))
            return true;
    }
    *face = before;
    return false;
}

void affine_bring_near(affine_nest *nest, const int64_t *values)
{
    bool any = false;
    for (unsigned l = 0; l < nest->depth; l++) {
        affine_level *level = &nest->level[l];
        for (unsigned f = 0; f < level->uppers; f++)
            any |= is_far(&level->upper[f], l) && bring_face(nest, &level->upper[f], l, values);
        for (unsigned f = 0; f < level->lowers; f++)
            any |= is_far(&level->lower[f], l) && bring_face(nest, &level->lower[f], l, values);
    }
    if (any && !nest->whole)
        nest->whole = ends(nest);
}
