/* SPDX-License-Identifier: MIT */
/* One nest for as long a prefix of a stream as a best-first search finds. Used by tools/lib/model.c. */
#ifndef WEFT_TOOLS_LIB_MODEL_SEARCH_H
#define WEFT_TOOLS_LIB_MODEL_SEARCH_H

#include <stdatomic.h>

#include "tools/lib/affine.h"
#include "tools/lib/model_fit.h"

typedef struct search_options {
    bool single;         /* single-domain, breadth first: all of one depth before the next */
    unsigned depth_max;
    double growth;       /* C of the fitness k / C^D */
    double face_cost;    /* each face beyond two a level counts as this many levels */
    fit_slopes slopes;
    unsigned expand_max; /* nodes to expand before giving up */
    unsigned nodes_max;  /* nodes held at once */
    double deadline;     /* on search_clock, seconds */
    const atomic_bool *stop; /* or NULL: another search has finished */
} search_options;

double search_clock(void);

/* values[0..count-1], count >= 2. The nest explains the first nest->accesses values (checked); nest->whole when it
 * ends there by itself. False: not even two. `expanded`: nodes spent. */
bool search_nest(affine_nest *nest, const int64_t *values, uint64_t count, const search_options *options,
                 unsigned *expanded);

#endif
