/* SPDX-License-Identifier: MIT */
/* One nest for as long a prefix of a stream as a best-first search finds. Used by tools/lib/affine/model.c. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_H

#include <stdatomic.h>

#include "tools/lib/affine/fit.h"
#include "tools/lib/affine/nest.h"

typedef enum search_start {
    SEARCH_FORWARD,  /* from the first value on: explains a prefix if not all */
    SEARCH_BACKWARD, /* from the last value back: all or nothing */
    SEARCH_MIDDLE,   /* from places in the middle on, then back: all or nothing */
} search_start;

typedef struct search_options {
    search_start start;
    bool single; /* single-domain, breadth first: all of one depth before the next */
    unsigned depth_max;
    double growth;    /* C of the fitness k / C^D */
    double face_cost; /* each face beyond two a level counts as this many levels */
    fit_slopes slopes;
    unsigned expand_max; /* nodes to expand before giving up */
    unsigned nodes_max;  /* nodes held at once */
    uint64_t work_max;   /* steps before giving up: rows passed, and what takes as long; never depends on the machine */
    double deadline;     /* on search_clock, seconds */
    const atomic_bool *stop; /* or NULL: another search has finished */
} search_options;

typedef struct search_spent {
    uint64_t work;    /* steps done */
    uint64_t reached; /* most values that a nest explained, wherever it began */
} search_spent;

double search_clock(void);

/* values[0..count-1], count >= 2. The nest explains the first nest->accesses values (checked); nest->whole when it
 * ends there by itself. False: none. */
bool search_nest(affine_nest *nest, const int64_t *values, uint64_t count, const search_options *options,
                 search_spent *spent);

#endif
