/* SPDX-License-Identifier: MIT */
/* The chain of calls of each thread and of the handlers above it, along a full recording. A call is an executed bl or
 * blx; it ends where its return address is reached with the stack pointer that it had, or where the stack pointer is
 * above that (longjmp, an exception's landing). A tail call takes its caller's place.
 *
 *     executed             sp after it      the chain, as site -> back at sp
 *     100: bl 200          1000             100 -> 104 at 1000
 *     200: push {r4, lr}   ff8              the same
 *     240: bl 300          ff8              100 -> 104 at 1000, 240 -> 244 at ff8
 *     300: bx lr           ff8
 *     244: pop {r4, pc}    1000             100 -> 104 at 1000: 244 was reached with ff8
 *     104: ...                              none: 104 was reached with 1000 */
#ifndef WEFT_TOOLS_LIB_INSPECT_CALLS_H
#define WEFT_TOOLS_LIB_INSPECT_CALLS_H

#include "tools/lib/inspect/processor.h"

typedef struct call {
    uint32_t site, back, sp; /* address of the call, where it returns to, the stack pointer there */
    uint32_t context;        /* index, of the processor */
} call;

typedef struct calls {
    call *all; /* outermost first */
    size_t depth, max;
} calls;

typedef struct call_chains {
    calls *thread; /* by index of the context */
    size_t thread_count, thread_max;
    calls handlers;                    /* of all handlers that are active */
    uint32_t sp;                       /* after the last instruction */
    size_t base[PROCESSOR_NESTED + 1]; /* calls in `handlers` when the n-th active one began */
} call_chains;

/* After processor_feed of the same event. */
void calls_feed(call_chains *c, processor *p, const full_event *event);
/* The calls of the context that runs, without those that it interrupted. */
const call *calls_own(call_chains *c, const processor *p, size_t *count);
void calls_free(call_chains *c);

#endif
