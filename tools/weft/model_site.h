/* SPDX-License-Identifier: MIT */
/* A memory site of a recording and the model of its addresses, as they are printed. */
#ifndef WEFT_TOOLS_WEFT_MODEL_SITE_H
#define WEFT_TOOLS_WEFT_MODEL_SITE_H

#include "tools/lib/affine/model.h"
#include "tools/lib/image/program.h"
#include "tools/lib/recording/streams.h"

typedef struct model_site {
    const site_stream *stream;
    const descriptor_site *site;         /* or NULL */
    const descriptor_function *function; /* or NULL */
    const char *object;                  /* of the first access, or NULL */
    const affine_nest *longest;          /* of the nests */
    model model;
} model_site;

/* What the program says of a stream, and what the model does. The model stays the caller's. */
void model_site_describe(model_site *s, const program *app);

/* What the loops of a nest walk over, by its bounds: plain, linear, rectangular, triangular, piecewise; irregular: no
 * loops. */
const char *model_site_shape(const affine_nest *nest);

/* The step of the innermost loop; 0 without loops. */
int64_t model_site_stride(const affine_nest *nest);

#endif
