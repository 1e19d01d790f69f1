/* SPDX-License-Identifier: MIT */
/* Bounds from examples (Rodriguez et al., sections 3.4, 4.2, 4.5): the fewest faces found whose least value is as
 * seen at every example. Linear programs in floating point choose which examples a face goes through. The face itself
 * is then solved, and checked at every example, in exact integers. Only upper bounds: for lower ones negate the
 * values.
 *
 * Example: ends 0, 1, 2, 3, 3, 3 of an inner loop at indices 0..5 of the outer one give the two faces i and 3. */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_H

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
    int64_t
        margin; /* indices : 0 to 2^30 : faces that do not go through the focus keep farther beyond it, if possible */
} fit_options;

/* In: the old faces (*count of them), kept where they still serve. Out: the new ones. Without an example of an exact
 * value there are no faces. False: none were found. */
bool fit_upper(affine_face *face, unsigned *count, const fit_points *points, const fit_options *options);

#endif
