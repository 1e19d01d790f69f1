/* SPDX-License-Identifier: MIT */
/* Compares the target's address engine with the host's: its records as a model, and whether two nests are the same
 * loops. Host only. */
#ifndef WEFT_TESTS_LIB_TARGET_MODEL_H
#define WEFT_TESTS_LIB_TARGET_MODEL_H

#include "tools/lib/affine/model.h"

/* Fills `out` with the nests that an engine of `levels` levels writes for the values modulo 2^32, with `exact` set
 * if they generate the values. Returns the bytes of its records. */
size_t target_model_find(model *out, const int64_t *values, size_t count, unsigned levels);

/* True if both have the same number of levels, the same coefficients, base modulo 2^32, and indices at every access
 * (bounds may be written in more than one way), or both are one address. */
bool same_loops(const affine_nest *a, const affine_nest *b);

/* Whether the target's engine of the most levels finds what the host's single-domain search finds. */
typedef struct target_tally {
    unsigned streams;
    unsigned one;  /* of them, the host has one nest */
    unsigned same; /* and the target the same */
    unsigned lossy;
    uint64_t bytes, accesses; /* the target's */
} target_tally;

/* Compares the two on one stream, and adds it up. True if the target does as well: the same nest, or the host has
 * none. */
bool target_compare(target_tally *tally, const int64_t *values, size_t count);

#endif
