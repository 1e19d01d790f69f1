/* SPDX-License-Identifier: MIT */
/* Parameters of a search, each as unit : range : what a larger value does; and what a search reports about itself. */
#ifndef WEFT_TOOLS_LIB_AFFINE_SEARCH_OPTIONS_H
#define WEFT_TOOLS_LIB_AFFINE_SEARCH_OPTIONS_H

#include <stdatomic.h>

#include "tools/lib/affine/fit_points.h"
#include "tools/lib/affine/memo.h"

typedef enum search_start {
    SEARCH_FORWARD,  /* from the first value on: explains a prefix if not all */
    SEARCH_BACKWARD, /* from the last value back: all or nothing */
    SEARCH_MIDDLE,   /* from places in the middle on, then back: all or nothing */
} search_start;

typedef struct search_options {
    search_start start;
    bool single;         /* single-domain, breadth first: all nests of one depth before the next */
    unsigned depth_max;  /* levels : 1 to AFFINE_DEPTH : finds deeper nests; more children per node */
    double growth;       /* C of the fitness k / C^D : above 1 to 10 : prefers fewer levels to more values explained */
    double face_cost;    /* levels per face beyond two a level : 0 to 2 : prefers more levels to more faces */
    fit_slopes slopes;   /* which divisors faces may have, and when they are tried */
    unsigned expand_max; /* nodes : 1 to UINT32_MAX : expands more before giving up */
    unsigned nodes_max;  /* nodes : 2 to 10^6 : forgets fewer nodes; more memory, about 30 KB each */
    uint64_t work_max;   /* rows, see search_spent : any : goes on longer; the same on every machine */
    double deadline;     /* seconds on clock_seconds : any : goes on longer; HUGE_VAL: no limit */
    const atomic_bool *stop; /* set when another search has finished; NULL: there is none */
    memo *memory;            /* or NULL: of this thread */
} search_options;

typedef struct search_spent {
    uint64_t work;    /* rows passed, and what takes as long as a row */
    uint64_t reached; /* most values that a nest explained, wherever it began */
    bool cut;         /* by expand_max: with more of it, the search would have gone on */
} search_spent;

#endif
