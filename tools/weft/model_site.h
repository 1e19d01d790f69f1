/* SPDX-License-Identifier: MIT */
/* A memory site of a recording and the model of its addresses, as they are printed. */
#ifndef WEFT_TOOLS_WEFT_MODEL_SITE_H
#define WEFT_TOOLS_WEFT_MODEL_SITE_H

#include "tools/lib/affine/binary.h"
#include "tools/lib/image/image.h"

/* Where a site stands; NULL, line 0: not known. */
typedef struct model_place {
    const char *function, *file, *text; /* text: the expression that is accessed */
    uint32_t line;
} model_place;

/* An access, without its address. */
typedef struct model_access {
    uint32_t site, size;
    bool store;
} model_access;

typedef struct model_site {
    model_access is;
    model_place place;
    const char *object;       /* of the first access, or NULL */
    int64_t first, low, high; /* addresses: of the first access, the lowest, the highest */
    uint64_t accesses, affine, nests, bytes;
    bool exact;
    affine_nest longest, loops; /* of the nests, and of those with loops; without values and with levels of their own */
    bool irregular;             /* the longest nest is a run of values */
    affine_bytes coded;         /* the nests, where they are printed */
} model_site;

/* Where the sites of a recording stand, by their numbers. */
typedef struct model_places {
    const image *im;
    model_place (*at)(const void *own, uint32_t site);
    const void *own;
    bool addresses; /* the numbers are addresses of instructions */
} model_places;

/* A site at its first access. */
model_site model_site_begin(model_access is, int64_t address);
/* Counts an access. */
void model_site_access(model_site *s, model_access is, int64_t address);
/* Counts a nest; `keep` its bytes. */
void model_site_nest(model_site *s, const affine_nest *nest, bool keep);
/* Its place, and the object that it accessed first. */
void model_site_describe(model_site *s, const model_places *places);
void model_site_free(model_site *s);

/* What the loops of a nest walk over, by its bounds: plain, linear, rectangular, triangular, piecewise. */
const char *model_site_shape(const affine_nest *nest);

/* The step of the innermost loop; 0 without loops. */
int64_t model_site_stride(const affine_nest *nest);

#endif
