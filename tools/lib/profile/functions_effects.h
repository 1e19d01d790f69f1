/* SPDX-License-Identifier: MIT */
/* A first pass over the control streams of ranges of frames, on all cores: which functions ran, and what a range does
 * to the stacks of calls. That is kept as the few paths that do the same: nothing of an activation that began and ended
 * within the range, and of the others the first path and the last one.
 *
 *     main calls a, which returns; main calls b, and the range ends in it:    main's last path, b's first, b's last
 *     the range begins in a, called by main; a returns, main goes on:         a's last path, main's last
 *
 * What a path of a function does that the range did not enter depends on the calls that were open before. It is taken
 * to be one of them. Where it is not (the entry was not recorded), the effect is wrong, so what follows from it has to
 * be checked. */
#ifndef WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_EFFECTS_H
#define WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_EFFECTS_H

#include "tools/lib/profile/functions_feeder.h"

/* Paths of an activation. */
typedef struct effect_call {
    uint32_t function;
    uint32_t first;  /* its first path; FUNCTIONS_NONE: it began before the range */
    uint32_t last;   /* likewise, perhaps the same */
    uint32_t caught; /* of its last path: replay_script */
    bool ended;      /* and yet of effect: it began before the range, or its call does not return */
} effect_call;

typedef struct effect_context {
    uint32_t context; /* first: by_context */
    effect_call *calls;
    size_t count, max;
} effect_context;

typedef struct effect_path {
    const replay_script *script;
    bool stays, noted;
} effect_path;

typedef struct functions_effect {
    size_t first, end; /* frames; TRACE frame `first` is the first one but in the first range */
    bool reset;        /* there is a gap; what is below is of what follows the last one */
    effect_context *all;
    size_t count, max, at;
    /* Distinct paths, and those of them that the tables are to have, in order. */
    numbering paths;
    effect_path *path; /* by number */
    uint32_t *noted;
    size_t path_count, path_max, noted_count, noted_max;
    bool *ran;  /* by function */
    bool wrong; /* a path that no function has; or more calls than a stack holds */
} functions_effect;

typedef struct functions_effects {
    functions_effect *all;
    size_t count;
} functions_effects;

/* Also understands the machine code of the functions that ran (costs_prepare). NULL: there is one thread. */
functions_effects *functions_effects_of(const feeder *f);
void functions_effects_free(functions_effects *effects);

#endif
