/* SPDX-License-Identifier: MIT */
/* What the program comes to, executed tentatively: then all is as it was. */
#ifndef WEFT_TOOLS_LIB_RERUN_SEARCH_H
#define WEFT_TOOLS_LIB_RERUN_SEARCH_H

#include "tools/lib/rerun/run_parts.h"

static inline uint32_t rerun_place_size(const rerun_place *place)
{
    return place->floats ? RERUN_FRAME_FLOATS : RERUN_FRAME;
}

/* Calls of Weft's that may have been interrupted at a place. */
typedef struct rerun_calls {
    uint32_t count;
    uint64_t first; /* steps to it */
} rerun_calls;

/* The moment of a place: from now to the next event, or as long as the program has counted no further. */
typedef struct rerun_search {
    bool found, also;  /* also: another moment fits too */
    rerun_calls calls; /* of what records nothing here */
    bool visited;      /* an instruction of the same function was executed */
    bool cut;          /* the next event was not come to */
    bool comes;        /* it was, and is a probe's */
    bool own;          /* one of the program's own handlers comes first */
    uint64_t steps;    /* to the moment that was found */
} rerun_search;

rerun_search rerun_look_ahead(rerun *r, const rerun_place *place);

/* A debugger had the program leave (port/cortex-m/program/runtime.h), which nothing in it calls. */
bool rerun_is_leaving(const rerun *r, uint32_t pc);
/* Whether a debugger has ended the recording, anywhere between two counts: here, where it
 * stands at `laps`. */
bool rerun_ended_outside(rerun *r, uint32_t laps);

#endif
