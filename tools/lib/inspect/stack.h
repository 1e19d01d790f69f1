/* SPDX-License-Identifier: MIT */
/* The deepest stack of each context, and the chain of calls and interrupts that made it.
 *
 * From a full recording the stack pointer is known at each instruction: the figures are exact. From a recording with
 * probes the chain is that of the functions with probes; their frames are what the image's call frame information says
 * at most, so a sum is an estimate: functions without probes are not in it.
 *
 *     main          24 bytes      the thread: 64 bytes in use, all its own
 *     parse         40
 *     Timer_Handler 48            the handler: 112 in use, of which 48 are its own (32 of them stored by the core) */
#ifndef WEFT_TOOLS_LIB_INSPECT_STACK_H
#define WEFT_TOOLS_LIB_INSPECT_STACK_H

#include "tools/lib/image/program.h"
#include "tools/lib/image/unwind.h"
#include "tools/lib/inspect/processor.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/recording/container.h"

#define STACK_UNKNOWN UNWIND_UNKNOWN

/* One activation. */
typedef struct stack_link {
    const char *function, *file; /* of the image; NULL: not known */
    uint32_t line;               /* where it calls the next, or is interrupted, or stands */
    uint32_t context;            /* its number */
    uint32_t bytes;              /* that it holds; of a handler's first one, with what the core stored. STACK_UNKNOWN */
} stack_link;

typedef struct stack_use {
    uint32_t context; /* number */
    char name[96];
    bool process;        /* it runs on a process stack */
    uint64_t bytes;      /* of the stack in use, from its top, when it was deepest while this context ran */
    uint64_t own;        /* the most that was its own */
    uint64_t at;         /* instructions of the run before that */
    uint32_t top, least; /* addresses, from full recordings */
    stack_link *link;    /* outermost first */
    size_t link_count;
} stack_use;

typedef struct stacks {
    stack_use *all; /* by context number */
    size_t count, max;
    uint64_t unknown; /* activations in the chains whose frame is not known */
} stacks;

/* NULL, or where the recording is damaged: the stacks up to there are in *out. */
const char *stacks_full(stacks *out, full_reader *reader, const image *im);
/* NULL, or what does not fit. */
const char *stacks_probes(stacks *out, const container *file, program *app, functions_seen *seen);
void stacks_free(stacks *out);

#endif
