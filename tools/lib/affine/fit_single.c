/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/fit_single.h"

#include <stdlib.h>

#include "tools/lib/affine/fit_equations.h"

/* Adds `times` the direction to the face. False: not with divisors, and not beyond 62 bits. */
static bool shift(affine_face *face, const affine_face *by, int64_t times, unsigned n)
{
    if (by->divisor != 1 || face->divisor != 1) /* the direction is scaled to integers by the caller */
        return false;
    for (unsigned c = 0; c <= n; c++) {
        int64_t *to = c == n ? &face->constant : &face->slope[c];
        affine_wide sum = *to + (affine_wide)times * (c == n ? by->constant : by->slope[c]);
        if (fit_wide_abs(sum) > AFFINE_ENDLESS)
            return false;
        *to = (int64_t)sum;
    }
    return true;
}

/* Tilts the face until the examples that are only bounded lie below. Along the direction, the exact examples stay on
 * the face. */
static bool tilt(const fit *f, affine_face *face, const affine_face *direction, int64_t margin)
{
    affine_face step = *direction;
    step.divisor = 1;
    for (unsigned i = 0; i < f->points; i++) {
        int64_t lack = fit_wanted(f, i, margin) - fit_value(f, face, i);
        if (lack <= 0)
            continue;
        int64_t gain = affine_floor(&step, f->point[i].at, f->n);
        if (!gain)
            return false;
        int64_t times = (lack + llabs(gain) - 1) / llabs(gain);
        if (!shift(face, &step, gain > 0 ? times : -times, f->n))
            return false;
    }
    return fit_valid(f, face, margin);
}

/* The face as it is, or tilted along one of the directions that the exact examples leave free. */
static bool tilted(const fit *f, const fit_equations *e, affine_face *face, int64_t margin)
{
    if (fit_valid(f, face, margin))
        return true;
    for (unsigned c = f->n; c-- > 0;) {
        affine_face direction, tried = *face;
        if (fit_equations_free(e, c) && fit_equations_direction(e, &direction, c) &&
            tilt(f, &tried, &direction, margin)) {
            *face = tried;
            return true;
        }
    }
    return false;
}

bool fit_single(const fit *f, affine_face *face)
{
    fit_equations e = {.n = f->n};
    for (unsigned i = 0; i < f->points; i++)
        if (fit_exact(&f->point[i]) && !fit_equations_add(&e, &f->point[i]))
            return false;
    if (!fit_equations_solve(&e, face) || (face->divisor != 1 && f->options->slopes == FIT_INTEGER))
        return false;
    int64_t margin = fit_exact(&f->point[f->options->focus]) ? 0 : f->options->margin;
    return tilted(f, &e, face, margin) || (margin && tilted(f, &e, face, 0));
}
