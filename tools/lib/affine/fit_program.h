/* SPDX-License-Identifier: MIT */
/* Linear programs over the slopes of a face, in floating point. Rounding may make them choose badly, never wrongly:
 * what they choose is checked in integers. */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_PROGRAM_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_PROGRAM_H

#include "tools/lib/affine/fit_equations.h"

enum { FIT_ROWS = 3 * FIT_POINTS + 2 * FIT_VARS };

/* Minimise cost . x where row[i] . x >= right[i]; x is free. */
typedef struct fit_program {
    unsigned vars, rows;
    double row[FIT_ROWS][FIT_VARS], right[FIT_ROWS], cost[FIT_VARS];
    bool tight[FIT_ROWS]; /* out: the rows that fix the optimum */
    double best;          /* out */
} fit_program;

typedef enum fit_verdict { OPTIMAL, INFEASIBLE, UNBOUNDED } fit_verdict;

/* By the simplex method on the dual. */
fit_verdict fit_program_solve(fit_program *p);

/* The least and the greatest value of unknown l; -1e9 and 1e9 stand for no end. False: no x satisfies all rows. */
bool fit_program_range(fit_program *p, unsigned l, double *low, double *high);

/* Adds rows that fix unknown l at `value`. */
void fit_program_fix(fit_program *p, unsigned l, double value);

#endif
