/* SPDX-License-Identifier: MIT */
/* Linear equations for the slopes and the constant of one face, solved in exact integers. */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_EQUATIONS_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_EQUATIONS_H

#include "tools/lib/affine/fit_points.h"

enum { FIT_VARS = AFFINE_DEPTH + 1 }; /* unknowns: the slopes and the constant */

/* Rows in echelon form over the unknowns slope[0..n-1], constant (column n) and the right side (column n + 1). */
typedef struct fit_equations {
    unsigned n; /* slopes; set by the caller, all else 0 */
    unsigned rows;
    affine_wide row[FIT_VARS][FIT_VARS + 1];
    unsigned pivot[FIT_VARS];
} fit_equations;

/* Adds face(p->at) = p->value. False: it contradicts the rows there, or a number leaves 128 bits. */
bool fit_equations_add(fit_equations *e, const fit_point *p);

/* The solution whose free unknowns are 0. False: it leaves 62 bits. */
bool fit_equations_solve(const fit_equations *e, affine_face *face);

/* The direction in which the solution moves when the unknown `column`, which is free, grows. False: it leaves 62
 * bits. */
bool fit_equations_direction(const fit_equations *e, affine_face *direction, unsigned column);

/* True if no row fixes the unknown. */
bool fit_equations_free(const fit_equations *e, unsigned column);

/* The greatest common divisor, 0 or more. */
affine_wide fit_gcd(affine_wide a, affine_wide b);

static inline affine_wide fit_wide_abs(affine_wide a)
{
    return a < 0 ? -a : a;
}

#endif
