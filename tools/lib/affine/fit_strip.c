/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/fit_strip.h"

#include <math.h>
#include <string.h>

#include "tools/lib/affine/fit_program.h"

/* Largest denominator of a slope, and of a face. */
enum { SLOPE_DENOMINATOR = 1 << 20, DIVISOR = 1 << 30 };

/* The fraction of least denominator, then of least size, in [low, high] (Stern and Brocot). */
static void simplest(double low, double high, int64_t *above, int64_t *below, unsigned deep)
{
    if (low <= 0 && high >= 0) {
        *above = 0;
        *below = 1;
        return;
    }
    if (high < 0) {
        simplest(-high, -low, above, below, deep);
        *above = -*above;
        return;
    }
    double whole = ceil(low);
    if (whole <= high || deep > 20) {
        *above = (int64_t)whole;
        *below = 1;
        return;
    }
    int64_t a, b;
    double under = floor(low);
    simplest(1 / (high - under), 1 / (low - under), &a, &b, deep + 1);
    *above = (int64_t)under * a + b;
    *below = a;
}

static void add_row(fit_program *p, const fit_point *point, unsigned n, double sign, double right)
{
    for (unsigned l = 0; l < n; l++)
        p->row[p->rows][l] = sign * (double)point->at[l];
    p->row[p->rows][n] = sign;
    p->right[p->rows++] = sign * right;
}

/* Unknowns: slopes and constant, all real. Rows: the face is at least at each example, and less than 1 above those of
 * `group`. */
static void program_strip(const fit *f, fit_program *p, const bool *group)
{
    p->vars = f->n + 1;
    p->rows = 0;
    memset(p->cost, 0, sizeof p->cost);
    for (unsigned i = 0; i < f->points; i++) {
        add_row(p, &f->point[i], f->n, 1, (double)f->point[i].value);
        if (group[i])
            add_row(p, &f->point[i], f->n, -1, (double)f->point[i].value + 1 - 1.0 / 128);
    }
}

/* Given the slopes over a common divisor: the least constant that leaves all examples below. True if the group is
 * reached. */
static bool strip_constant(const fit *f, affine_face *face, const bool *group)
{
    affine_wide most = -((affine_wide)1 << 100);
    for (unsigned i = 0; i < f->points; i++) {
        affine_wide sum = (affine_wide)face->divisor * f->point[i].value;
        for (unsigned l = 0; l < f->n; l++)
            sum -= (affine_wide)face->slope[l] * f->point[i].at[l];
        most = sum > most ? sum : most;
    }
    if (fit_wide_abs(most) > AFFINE_ENDLESS)
        return false;
    face->constant = (int64_t)most;
    for (unsigned i = 0; i < f->points; i++)
        if (group[i] && !fit_reaches(f, face, i))
            return false;
    return fit_valid(f, face, 0);
}

/* A face with the simplest slopes that rounds down to every example of the group. */
static bool strip(const fit *f, const bool *group, affine_face *face)
{
    static _Thread_local fit_program p;
    int64_t above[FIT_VARS], below[FIT_VARS], divisor = 1;
    program_strip(f, &p, group);
    for (unsigned l = f->n; l-- > 0;) {
        double low, high;
        if (!fit_program_range(&p, l, &low, &high) || low > high + 1e-7)
            return false;
        high = high < low ? low : high; /* except for rounding */
        simplest(low - 1e-9, high + 1e-9, &above[l], &below[l], 0);
        if (below[l] < 1 || below[l] > SLOPE_DENOMINATOR)
            return false;
        fit_program_fix(&p, l, (double)above[l] / (double)below[l]);
        divisor = divisor / (int64_t)fit_gcd(divisor, below[l]) * below[l];
        if (divisor > DIVISOR)
            return false;
    }
    memset(face, 0, sizeof *face);
    face->divisor = divisor;
    for (unsigned l = 0; l < f->n; l++)
        if (__builtin_mul_overflow(above[l], divisor / below[l], &face->slope[l]))
            return false;
    return strip_constant(f, face, group);
}

bool fit_strip_all(const fit *f, affine_face *face)
{
    bool group[FIT_POINTS];
    for (unsigned i = 0; i < f->points; i++)
        group[i] = fit_exact(&f->point[i]);
    return f->n && strip(f, group, face);
}

bool fit_strip_through(const fit *f, unsigned q, const bool *reached, affine_face *face)
{
    bool group[FIT_POINTS] = {false};
    affine_face tried;
    group[q] = true;
    if (!f->n || !strip(f, group, face))
        return false;
    for (unsigned i = f->points; i-- > 0;) {
        if (reached[i] || i == q || !fit_exact(&f->point[i]))
            continue;
        group[i] = true;
        if (fit_reaches(f, face, i))
            continue;
        if (strip(f, group, &tried))
            *face = tried;
        else
            group[i] = false;
    }
    return true;
}
