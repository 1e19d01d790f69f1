/* SPDX-License-Identifier: MIT */
/* Steps of fit_upper:
 *   1. one integer face through all exact examples (fit_single.h);
 *   2. with rational slopes: one face with a divisor, whose value rounds down to every example (fit_strip.h);
 *   3. several faces: keep the old ones that are still valid. For each example that no face reaches, latest first,
 *      find the face through it that all examples lie on or below and that lies closest to those nearby
 *      (fit_through.h, fit_strip.h);
 *   4. drop faces that others make needless. */
#include "tools/lib/affine/fit.h"

#include <string.h>

#include "tools/lib/affine/fit_check.h"
#include "tools/lib/affine/fit_single.h"
#include "tools/lib/affine/fit_strip.h"
#include "tools/lib/affine/fit_through.h"

/* ---- step 3 ---- */

static void mark(const fit *f, const affine_face *face, bool *reached)
{
    for (unsigned i = 0; i < f->points; i++)
        reached[i] = reached[i] || fit_reaches(f, face, i);
}

static bool new_face(const fit *f, unsigned q, const bool *reached, affine_face *face)
{
    int64_t margin = q == f->options->focus ? 0 : f->options->margin;
    return (margin && fit_through(f, q, margin, face)) || fit_through(f, q, 0, face) ||
           (f->options->slopes == FIT_INTEGER ? fit_flat_through(f, q, face) : fit_strip_through(f, q, reached, face));
}

/* Keeps the valid ones of the old faces. Returns how many, and which examples they reach. */
static unsigned keep_valid(const fit *f, affine_face *face, unsigned count, bool *reached)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < f->points; i++)
        reached[i] = !fit_exact(&f->point[i]);
    for (unsigned k = 0; k < count; k++)
        if (fit_valid(f, &face[k], 0)) {
            face[kept] = face[k];
            mark(f, &face[kept++], reached);
        }
    return kept;
}

/* The focus first, then the latest examples. False: an example stays unreached; the faces are not to be used. */
static bool several(const fit *f, affine_face *face, unsigned *count)
{
    bool reached[FIT_POINTS];
    unsigned kept = keep_valid(f, face, *count, reached);
    for (unsigned step = 0; step <= f->points; step++) {
        unsigned q = step ? f->points - step : f->options->focus;
        if (reached[q])
            continue;
        if (kept == f->options->faces_max || !new_face(f, q, reached, &face[kept]))
            return false;
        mark(f, &face[kept++], reached);
    }
    *count = kept;
    return true;
}

/* ---- step 4 ---- */

static bool needless(const fit *f, const affine_face *face, unsigned count, unsigned k)
{
    for (unsigned i = 0; i < f->points; i++) {
        bool reached = !fit_exact(&f->point[i]);
        for (unsigned other = 0; other < count && !reached; other++)
            reached = other != k && fit_reaches(f, &face[other], i);
        if (!reached)
            return false;
    }
    return true;
}

static void prune(const fit *f, affine_face *face, unsigned *count)
{
    for (unsigned k = 0; k<*count && * count> 1;)
        if (needless(f, face, *count, k)) {
            --*count;
            memmove(face + k, face + k + 1, (*count - k) * sizeof *face);
        } else {
            k++;
        }
}

/* ---- the steps ---- */

static bool one_face(affine_face *face, unsigned *count, const affine_face *single)
{
    face[0] = *single;
    *count = 1;
    return true;
}

static bool any_exact(const fit *f)
{
    for (unsigned i = 0; i < f->points; i++)
        if (fit_exact(&f->point[i]))
            return true;
    return false;
}

bool fit_upper(affine_face *face, unsigned *count, const fit_points *points, const fit_options *options)
{
    fit f = {.point = points->point, .points = points->count, .n = points->outer, .options = options};
    affine_face single;
    if (!any_exact(&f)) {
        *count = 0;
        return true;
    }
    if (fit_single(&f, &single) || (options->slopes == FIT_RATIONAL && fit_strip_all(&f, &single)))
        return one_face(face, count, &single);
    bool done = options->faces_max > 1 && several(&f, face, count);
    if (!done && *count && options->faces_max > 1) {
        *count = 0; /* without the old faces */
        done = several(&f, face, count);
    }
    if (!done && options->slopes != FIT_INTEGER && fit_strip_all(&f, &single))
        return one_face(face, count, &single);
    if (done)
        prune(&f, face, count);
    return done;
}
