/* SPDX-License-Identifier: MIT */
/* What a feeder of recordings with probes (functions_probes.h) is asked for, and what it finds besides the tables. */
#ifndef WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_CHOICE_H
#define WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct functions_choice {
    bool one_context; /* only what happened in `context` */
    uint32_t context;
    bool with_probes; /* also the instructions that serve only the probes, as far as the machine code is understood */
    bool clocked;     /* costs are nanoseconds by the recording's clock, with those of the probes (timeline.h) */
} functions_choice;

typedef struct functions_seen {
    uint64_t unresolved, unknown; /* replay_unresolved, replay_unknown */
    uint64_t gaps;                /* places where events are missing */
    uint64_t lost;                /* paths that are missing there, as far as they are counted */
    uint64_t estimated; /* costs of paths whose machine code was not found (machine/costs.h); by a clock, those
                                     that began or ended at a moment that is estimated (timeline_shared) */
} functions_seen;

#endif
