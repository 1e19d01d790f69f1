/* SPDX-License-Identifier: MIT */
/* Bounds from examples (Rodriguez et al., sections 3.4, 4.2, 4.5): the fewest faces we can find whose least value is as
 * seen at every example. Linear programs in floating point choose which examples a face goes through; the face itself is then
 * solved, and checked at every example, in exact integers. Only upper bounds: for lower ones negate the values. */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_H

#include "tools/lib/affine/nest.h"

enum { FIT_POINTS = 120 }; /* most examples */

typedef struct fit_point {
    int64_t at[AFFINE_DEPTH]; /* the outer indices */
    int64_t value;            /* the bound there */
    bool at_least;            /* the bound is this or more */
} fit_point;

typedef enum fit_slopes {
    FIT_INTEGER,       /* divisor 1 only */
    FIT_RATIONAL_LAST, /* other divisors where integers fail */
    FIT_RATIONAL,      /* other divisors before a second face */
} fit_slopes;

typedef struct fit_options {
    fit_slopes slopes;
    unsigned faces_max;
    unsigned focus; /* the example that made the old faces wrong */
    int64_t margin; /* how far, if possible, faces that do not go through the focus should keep beyond it */
} fit_options;

/* In: the old faces (*count of them), to be kept where they still serve; out: the new ones. False: none found. No example
 * of an exact value: no faces. */
bool fit_upper(affine_face *face, unsigned *count, const fit_point *point, unsigned points, unsigned outer,
               const fit_options *options);

#endif
