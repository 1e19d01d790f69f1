/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/fit_through.h"

#include <math.h>
#include <string.h>

#include "tools/lib/affine/fit_program.h"

/* Examples near q weigh most: those that share its outer indices. */
static double nearness(const fit *f, unsigned q, unsigned i)
{
    double weight = 1;
    for (unsigned l = 0; l < f->n && f->point[i].at[l] == f->point[q].at[l]; l++)
        weight *= 16;
    return weight;
}

/* The program for a face through q: the unknowns are its slopes, and its constant follows. */
static void program_through(const fit *f, fit_program *p, unsigned q, int64_t margin)
{
    p->vars = f->n;
    p->rows = 0;
    memset(p->cost, 0, sizeof p->cost);
    for (unsigned i = 0; i < f->points; i++) {
        double weight = fit_exact(&f->point[i]) ? nearness(f, q, i) : 0;
        bool same = true;
        for (unsigned l = 0; l < f->n; l++) {
            double delta = (double)(f->point[i].at[l] - f->point[q].at[l]);
            same = same && delta == 0;
            p->row[p->rows][l] = delta;
            p->cost[l] += weight * delta;
        }
        p->right[p->rows] = (double)(fit_wanted(f, i, margin) - f->point[q].value);
        p->rows += !same;
    }
}

/* The face in exact integers, through the examples whose rows are tight. The rows of program_through are those
 * examples that differ from q, in order. */
static bool through_exactly(const fit *f, const fit_program *p, unsigned q, int64_t margin, affine_face *face)
{
    fit_equations e = {.n = f->n};
    if (!fit_equations_add(&e, &f->point[q]))
        return false;
    for (unsigned i = 0, row = 0; i < f->points; i++) {
        if (!memcmp(f->point[i].at, f->point[q].at, f->n * sizeof *f->point[i].at))
            continue;
        fit_point on = f->point[i];
        on.value = fit_wanted(f, i, margin);
        if (p->tight[row++] && !fit_equations_add(&e, &on))
            return false;
    }
    return fit_equations_solve(&e, face) && (face->divisor == 1 || f->options->slopes != FIT_INTEGER) &&
           fit_valid(f, face, margin) && fit_reaches(f, face, q);
}

bool fit_through(const fit *f, unsigned q, int64_t margin, affine_face *face)
{
    static _Thread_local fit_program p;
    if (!f->n) {
        memset(face, 0, sizeof *face);
        face->divisor = 1;
        face->constant = f->point[q].value;
        return fit_valid(f, face, 0);
    }
    program_through(f, &p, q, margin);
    return fit_program_solve(&p) == OPTIMAL && through_exactly(f, &p, q, margin, face);
}

bool fit_flat_through(const fit *f, unsigned q, affine_face *face)
{
    static _Thread_local fit_program p;
    if (!f->n)
        return false;
    program_through(f, &p, q, 0);
    memset(face, 0, sizeof *face);
    face->divisor = 1;
    affine_wide constant = f->point[q].value;
    for (unsigned l = f->n; l-- > 0;) {
        double low, high;
        if (!fit_program_range(&p, l, &low, &high))
            return false;
        low = ceil(low - 1e-6);
        high = floor(high + 1e-6);
        double slope = low > 0 ? low : high < 0 ? high : 0;
        if (low > high || fabs(slope) > 1 << 30)
            return false;
        fit_program_fix(&p, l, slope);
        face->slope[l] = (int64_t)slope;
        constant -= (affine_wide)face->slope[l] * f->point[q].at[l];
    }
    face->constant = (int64_t)constant;
    return constant == (int64_t)constant && fit_valid(f, face, 0);
}
