/* SPDX-License-Identifier: MIT */
/* The state of a Cortex-M core along a full recording: who runs, which interrupts could come, which stack is in use.
 *
 * Contexts are thread mode (0), exception numbers, and threads from VECTORS_THREAD on
 * (tools/lib/machine/who_runs.h). Masks and priorities come from the instructions and stores that set them (cpsid, msr,
 * NVIC, SHPR, AIRCR, SysTick).
 *
 *     processor *p = processor_new(im);
 *     while (full_next(reader, &event) > 0)
 *         processor_feed(p, &event);           now p->context is who runs next
 *     processor_free(p); */
#ifndef WEFT_TOOLS_LIB_INSPECT_PROCESSOR_H
#define WEFT_TOOLS_LIB_INSPECT_PROCESSOR_H

#include "tools/lib/image/image.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/machine/decode.h"
#include "tools/lib/machine/who_runs.h"

enum {
    PROCESSOR_EXCEPTIONS = 512,
    PROCESSOR_NESTED = WHO_NESTED_MAX,
    PROCESSOR_IDLE = 256, /* level of thread mode without masks: each priority is more urgent */
    PROCESSOR_SYSTICK = 15,
    PROCESSOR_PENDSV = 14,
};
#define PROCESSOR_NEVER UINT64_MAX

/* A context that runs, or has run. */
typedef struct processor_context {
    uint32_t number;
    uint32_t entry; /* address where it first began; 0: thread mode from reset */
    bool process;   /* a thread that uses the process stack */
    uint32_t sp;    /* of a thread that does not run */
} processor_context;

typedef struct processor_active {
    uint32_t number, context; /* of the handler; context: index */
    uint32_t below;           /* stack pointer of the interrupted code before that */
    uint32_t at;              /* the last instruction of the interrupted code */
    uint32_t begin;           /* stack pointer when the handler began */
    bool process;             /* the interrupted code used the process stack */
} processor_active;

/* What the last event changed. */
typedef enum processor_change {
    PROCESSOR_SAME,
    PROCESSOR_ENTERED,  /* a handler began above what ran */
    PROCESSOR_CHAINED,  /* a handler ended and another began in its place */
    PROCESSOR_RETURNED, /* a handler ended; `context` is the interrupted one, or another thread */
} processor_change;

typedef struct processor {
    const image *im;
    processor_context *contexts; /* by index; 0 is thread mode from reset */
    uint32_t context_count;
    uint32_t context, thread; /* indices: who runs; the thread that runs or is interrupted */
    processor_active active[PROCESSOR_NESTED];
    uint32_t depth;
    processor_change change;
    bool switched;          /* the last event was an exception, and another thread than before it goes on */
    uint32_t registers[16]; /* r0..r14 */
    uint32_t pc;            /* of the last instruction; after an exception: of the next */
    bool process;           /* the stack pointer is that of the process stack */
    bool primask, faultmask;
    uint8_t basepri, group; /* group: lowest bit number of the priority that decides about pre-emption */
    uint8_t priority[PROCESSOR_EXCEPTIONS];
    bool enabled[PROCESSOR_EXCEPTIONS];
    bool enabled_once[PROCESSOR_EXCEPTIONS]; /* a store enabled it */
    uint64_t pended[PROCESSOR_EXCEPTIONS];   /* when software asked for it; PROCESSOR_NEVER: it did not */
    int level;                               /* an exception comes if its priority is below this; -1: only NMI */
    uint32_t version;                        /* grows with each change of level, priorities or enables */
    struct processor_own *own;
} processor;

processor *processor_new(const image *im);
void processor_free(processor *p);
/* Takes an event: the state after it. */
void processor_feed(processor *p, const full_event *event);
/* The decoded form of an executed instruction; valid until processor_free. */
const thumb_insn *processor_insn(processor *p, const full_instruction *instruction);
/* A store there says which exceptions are enabled, or how urgent they are. One that requests them does not. */
bool processor_decides(uint32_t address);
/* Whether an exception that the core raises by itself could come now. */
bool processor_open(const processor *p, uint32_t exception);
/* The value that the event gave a register. False: it wrote none. */
bool processor_written(const full_event *event, unsigned r, uint32_t *value);

#endif
