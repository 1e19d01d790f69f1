/* SPDX-License-Identifier: MIT */
/* What a face is fitted to: examples of a bound, and what kinds of faces are wanted. */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_POINTS_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_POINTS_H

#include "tools/lib/affine/nest.h"

enum { FIT_POINTS = 120 }; /* examples : 2 to 1000 : takes in more of the past; each linear program takes longer */

typedef struct fit_point {
    int64_t at[AFFINE_DEPTH]; /* the outer indices */
    int64_t value;            /* the bound there */
    bool at_least;            /* the bound is this or more */
} fit_point;

typedef struct fit_points {
    const fit_point *point;
    unsigned count; /* at most FIT_POINTS */
    unsigned outer; /* how many indices */
} fit_points;

typedef enum fit_slopes {
    FIT_INTEGER,       /* divisor 1 only */
    FIT_RATIONAL_LAST, /* other divisors where integers fail */
    FIT_RATIONAL,      /* other divisors before a second face */
} fit_slopes;

typedef struct fit_options {
    fit_slopes slopes;
    unsigned faces_max; /* faces : 1 to AFFINE_FACES : fits more shapes; more that mean nothing */
    unsigned focus;     /* the example that made the old faces wrong */
    int64_t margin;     /* indices : 0 to 2^30 : faces that miss the focus keep farther beyond it, if possible */
} fit_options;

#endif
