/* SPDX-License-Identifier: MIT */
/* A recording of probes as a debugger needs it: read once, then each instant is found at once. Memory: 16 bytes for
 * each path, 16 for each call, 12 for each word of an access. Private to the room.
 *
 * The run is a list of *pieces*: a path, or as much of it as ran before something else did. A path that begins with a
 * call has a piece of its own for what comes before that call: the callee's pieces stand after it. An instant
 * (debug_instant) is a piece and a step of it. */
#ifndef WEFT_TOOLS_LIB_DEBUG_PROBES_DATA_H
#define WEFT_TOOLS_LIB_DEBUG_PROBES_DATA_H

#include "tools/lib/base/numbering.h"
#include "tools/lib/debug/probes_plan.h"
#include "tools/lib/debug/subject.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/script.h"

#define PROBES_NONE UINT32_MAX

typedef struct probes_piece {
    uint32_t plan, from, count; /* steps of the plan; count 0: it is not known how the path went on */
    uint32_t activation;
} probes_piece;

typedef struct probes_activation {
    uint32_t function; /* among the descriptors */
    uint32_t caller;   /* its activation; PROBES_NONE: not known, or the context began with it */
    uint32_t call;     /* the piece that ends with the call; PROBES_NONE: not known */
    uint32_t context;  /* its place in the list */
} probes_activation;

/* Where a context ran: pieces first .. last. */
typedef struct probes_stretch {
    uint32_t first, last;
} probes_stretch;

typedef struct probes_context {
    uint32_t number; /* first: by_context */
    char *name;      /* NULL: the recording gives none */
    probes_stretch *stretches;
    uint32_t stretch_count;
    size_t stretch_max;
} probes_context;

/* What a step announced of a word of memory, and what is known of the word after it. */
typedef struct probes_entry {
    uint32_t piece, value;
    /* masks of bytes; stale: the next access found another value, so code without probes stored one in between */
    uint32_t step : 19, store : 1, touched : 4, known : 4, stale : 4;
} probes_entry;

#define PROBES_STEPS_MAX (1u << 19) /* of a path; what comes after them stands at the last */

typedef struct probes_word {
    uint32_t number; /* address / 4 */
    uint32_t count;
    size_t max;
    probes_entry *entries; /* in the order of time */
} probes_word;

typedef struct probes_run {
    container *file;
    program *app;
    scripts *scripts;
    tracks *code;
    probes_plan **plans;
    uint32_t plan_count;
    size_t plan_max;
    probes_piece *pieces;
    uint32_t piece_count;
    size_t piece_max;
    probes_activation *activations;
    uint32_t activation_count;
    size_t activation_max;
    probes_context *contexts;
    size_t context_count, context_max;
    probes_word *words;
    numbering word_numbers; /* of the words' numbers: their indices */
    size_t word_count, word_max;
    debug_instant *forgets; /* after each of them no memory is known that was announced before */
    uint32_t forget_count;
    size_t forget_max;
    uint64_t exact; /* steps whose instruction is certain */
    uint64_t steps;
    bool lost;
    char damage[400]; /* "": none */
} probes_run;

#endif
