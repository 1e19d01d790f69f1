/* SPDX-License-Identifier: MIT */
/* The Trace Reconstruction Engine, host form: a stream of integers as one affine loop nest, or a sequence of them
 * (Rodriguez et al., sections 3 and 4). Whatever the stream, the nests generate it exactly.
 *
 * Many nests generate one stream. Of those that the searches find:
 *   1. one with fewer loops is better. But one with rational slopes must also weigh no more than one with integer slopes: rounding
 *      folds two loops of many a rectangle into one, which says less;
 *   2. with as many loops, the one that weighs less: so with few faces, and integer slopes where they do.
 * The weight is how many numbers a nest consists of, and one more for each loop; a divisor counts as many as the bits that its
 * remainders take. So `j <= i / 2` is two loops, not three, and rows of 80 around a triangle stay a loop. */
#ifndef WEFT_TOOLS_LIB_AFFINE_MODEL_H
#define WEFT_TOOLS_LIB_AFFINE_MODEL_H

#include "tools/lib/affine/nest.h"

typedef struct model_options {
    bool single;        /* single-domain nests only: lower bounds 0, one upper face, integer slopes */
    unsigned depth_max; /* 1..AFFINE_DEPTH */
    double
        time_limit; /* seconds for the search; after that, what remains is written plainly. By default none: see rounds */
    unsigned
        rounds; /* of the piecewise search, 1..3, each with 5 times the work of the one before: bounds time by steps, not by
                         * the clock, so that the result is the same everywhere */
    unsigned threads;   /* parameter sets tried at once, 1..4; the result does not depend on it */
    unsigned nodes_max; /* search nodes held at once: bounds memory (about 30 KB each) */
    void (*progress)(uint64_t done, uint64_t count); /* or NULL */
} model_options;

void model_defaults(model_options *options);

typedef struct model {
    affine_nest *nest; /* malloc; in order */
    size_t nests;
    uint64_t accesses;
    bool exact; /* checked: the nests generate the stream */
} model;

/* Models values[0..count-1]. Memory: the result, plus the bound on nodes; values are only read. */
void model_find(model *out, const int64_t *values, uint64_t count, const model_options *options);
void model_free(model *m);

/* Accesses that nests of depth 1 and more explain. */
uint64_t model_affine(const model *m);

#endif
