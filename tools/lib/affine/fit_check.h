/* SPDX-License-Identifier: MIT */
/* Whether a face suits the examples, in exact integers. */
#ifndef WEFT_TOOLS_LIB_AFFINE_FIT_CHECK_H
#define WEFT_TOOLS_LIB_AFFINE_FIT_CHECK_H

#include "tools/lib/affine/fit_points.h"

typedef struct fit {
    const fit_point *point;
    unsigned points, n; /* how many points, of how many outer indices */
    const fit_options *options;
} fit;

static inline bool fit_exact(const fit_point *p)
{
    return !p->at_least;
}

static inline int64_t fit_value(const fit *f, const affine_face *face, unsigned i)
{
    return affine_floor(face, f->point[i].at, f->n);
}

/* The face is the bound at example i. */
static inline bool fit_reaches(const fit *f, const affine_face *face, unsigned i)
{
    return fit_exact(&f->point[i]) && fit_value(f, face, i) == f->point[i].value;
}

/* The least value that the face may have at example i. */
static inline int64_t fit_wanted(const fit *f, unsigned i, int64_t margin)
{
    int64_t value = f->point[i].value;
    return i == f->options->focus ? value + margin : value;
}

/* All examples lie on or below the face, the focus `margin` below. */
static inline bool fit_valid(const fit *f, const affine_face *face, int64_t margin)
{
    for (unsigned i = 0; i < f->points; i++)
        if (fit_value(f, face, i) < fit_wanted(f, i, margin))
            return false;
    return true;
}

#endif
