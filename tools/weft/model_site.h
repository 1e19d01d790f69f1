/* SPDX-License-Identifier: MIT */
/* A memory site of a recording and the model of its addresses, as they are printed. */
#ifndef WEFT_TOOLS_WEFT_MODEL_SITE_H
#define WEFT_TOOLS_WEFT_MODEL_SITE_H

#include "tools/lib/affine/model.h"
#include "tools/lib/image/image.h"
#include "tools/lib/recording/streams.h"

/* Where a site stands; NULL, line 0: not known. */
typedef struct model_place {
    const char *function, *file, *text; /* text: the expression that is accessed */
    uint32_t line;
} model_place;

typedef struct model_site {
    const site_stream *stream;
    model_place place;
    const char *object;         /* of the first access, or NULL */
    const affine_nest *longest; /* of the nests */
    model model;
} model_site;

/* Where the sites of a recording stand, by their numbers in its streams. */
typedef struct model_places {
    const image *im;
    model_place (*at)(const void *own, uint32_t site);
    const void *own;
    bool addresses; /* the numbers are addresses of instructions */
} model_places;

/* What is known of a stream, and what the model says. The model stays the caller's. */
void model_site_describe(model_site *s, const model_places *places);

/* What the loops of a nest walk over, by its bounds: plain, linear, rectangular, triangular, piecewise; irregular: no
 * loops. */
const char *model_site_shape(const affine_nest *nest);

/* The step of the innermost loop; 0 without loops. */
int64_t model_site_stride(const affine_nest *nest);

#endif
