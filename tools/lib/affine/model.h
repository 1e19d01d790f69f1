/* SPDX-License-Identifier: MIT */
/* The Trace Reconstruction Engine, host form: a stream of integers as one affine loop nest, or a sequence of them
 * (Rodriguez et al., sections 3 and 4). Whatever the stream, the nests generate it exactly. Many nests generate one
 * stream: model_weight.h says which of those that the searches find is taken.
 *
 *     0 4 8 12 16 20 24 28 100 104 108 112 200 204 300
 *
 *     depth 1, 8 accesses     for (i1 = 0; i1 <= 7; i1++) access(4*i1)        0 to 28, as one nest
 *     depth 0, 7 accesses     access(100, 104, 108, 112, 200, 204, 300)       a raw run: no nest for these pays */
#ifndef WEFT_TOOLS_LIB_AFFINE_MODEL_H
#define WEFT_TOOLS_LIB_AFFINE_MODEL_H

#include "tools/lib/affine/model_options.h"
#include "tools/lib/affine/nest.h"

typedef struct model {
    affine_nest *nest; /* malloc; in order */
    size_t nests, nests_max;
    uint64_t accesses;
    bool exact;   /* checked: the nests generate the stream */
    bool movable; /* the same search finds the same nests, with their base moved, for the values plus a constant */
} model;

/* Models values[0..count-1], which are only read. Memory: the result, and the search nodes that the options allow. */
void model_find(model *out, const int64_t *values, uint64_t count, const model_options *options);
void model_free(model *m);

/* How many accesses are in nests of depth 1 and more. */
uint64_t model_affine(const model *m);

#endif
