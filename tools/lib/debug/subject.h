/* SPDX-License-Identifier: MIT */
/* What is debugged: a run of the past, whichever kind of file tells of it. The servers (server.h for gdb, dap.h) know
 * no more of it than this. A whole execution trace knows each register and each byte that was used; a recording of
 * probes knows which instructions ran, who called whom, and the memory that the probes announced. What is not known is
 * reported as unknown, never made up.
 *
 *     debug_subject *s = debug_subject_wet("x.wet", "app.elf", message, sizeof message);      NULL: print the message
 *     debug_instant at = s->first(s->own);
 *     while (s->next(s->own, &at)) ...
 *     debug_subject_close(s); */
#ifndef WEFT_TOOLS_LIB_DEBUG_SUBJECT_H
#define WEFT_TOOLS_LIB_DEBUG_SUBJECT_H

#include <stdio.h>

#include "tools/lib/image/image.h"

#define DEBUG_HANDLER_ID 0x1000u /* id of a handler: this and its exception number. Of a thread: 1, 2, 3... */

/* An instant: before an instruction that executed. What the numbers mean is the subject's affair; later instants
 * compare greater, by `window` first. */
typedef struct debug_instant {
    uint32_t window, step;
} debug_instant;

int debug_instant_compare(debug_instant a, debug_instant b);

typedef struct debug_watch {
    uint32_t address, size;
    bool writes, reads; /* what it stops at */
} debug_watch;

/* Where a search stops. */
typedef struct debug_points {
    const uint32_t *breaks; /* addresses of instructions */
    uint32_t break_count;
    const debug_watch *watches;
    uint32_t watch_count;
    bool (*interrupted)(void *context); /* asked from time to time; NULL: never */
    void *context;
    const debug_instant *until; /* goes no farther: DEBUG_LIMIT there, whatever else is; NULL: to the run's end */
} debug_points;

typedef enum debug_end { DEBUG_LIMIT, DEBUG_BREAK, DEBUG_WATCH, DEBUG_INTERRUPTED } debug_end;

typedef struct debug_hit {
    debug_end end;  /* DEBUG_LIMIT: the first or the last instant, or `until` */
    uint32_t watch; /* its number, and the address in it that was accessed */
    uint32_t address;
} debug_hit;

/* Who runs at an instant, or waits. */
typedef struct debug_context {
    uint32_t id;
    debug_instant at; /* its registers are those before this step; the current context: the instant itself */
    bool has_pc;
    uint32_t pc, xpsr_it; /* where it goes on */
    uint32_t exception;   /* of one that waits: what interrupted it */
} debug_context;

typedef struct debug_contexts {
    debug_context *all; /* the current one first */
    uint32_t count;
} debug_contexts;

void debug_contexts_free(debug_contexts *c);

/* Registers by their place in gdb's packet `g`: r0..r15, xPSR, d0..d15, FPSCR, MSP, PSP. */
enum { DEBUG_PC = 15, DEBUG_XPSR = 16, DEBUG_D0 = 17, DEBUG_FPSCR = 33, DEBUG_MSP, DEBUG_PSP, DEBUG_REGISTERS };

/* Names of device registers, fit for a terminal. */
typedef struct debug_devices {
    const char *(*name)(void *own, uint32_t address); /* until the next call; NULL: there is none */
    void (*close)(void *own);
    void *own;
} debug_devices;

typedef struct debug_subject {
    void *own; /* first argument of all */
    const image *im;
    bool floats; /* the program uses floating point registers */
    bool stacks; /* MSP and PSP are known apart, and the program uses both */
    bool lost;   /* events are missing: which was printed to standard error */
    bool spoils; /* after damage() no answer holds; else those up to it do */

    debug_instant (*first)(void *own);
    debug_instant (*last)(void *own);
    /* False: there is none. */
    bool (*next)(void *own, debug_instant *at);
    bool (*previous)(void *own, debug_instant *at);
    uint32_t (*pc)(void *own, debug_instant at);

    debug_contexts (*contexts)(void *own, debug_instant at);
    void (*context_name)(void *own, uint32_t id, char *name, size_t size);
    /* The nearest instant after `at` (backwards: before it) that is a context's, and not the one it is in at `at`.
     * False: there is none. */
    bool (*runs_again)(void *own, debug_instant at, uint32_t id, bool backward, debug_instant *found);
    /* A register of a context that runs or waits at an instant. False: not known. */
    bool (*get)(void *own, debug_instant at, const debug_context *c, unsigned i, uint64_t *value);
    /* Memory from `address` on; how many bytes are known in a row, up to `size`. */
    size_t (*memory)(void *own, debug_instant at, uint32_t address, uint8_t *bytes, size_t size);
    /* Where each function of a context goes on, innermost first, as far as it is recorded: up to `max`. NULL: frames
     * are to be found by registers and memory. */
    size_t (*calls)(void *own, debug_instant at, const debug_context *c, uint32_t *pcs, size_t max);

    /* Goes on to the next stop. A breakpoint stops before its instruction. A watchpoint stops where the next step in
     * the direction of the search is the access: before its instruction, or backwards after it; it does so again if the
     * search begins there. That is what gdb expects of this architecture: it takes the step itself. */
    debug_hit (*search)(void *own, debug_instant *at, const debug_points *points, bool backward);
    /* Whether the next step accesses a watchpoint. */
    bool (*watched)(void *own, debug_instant at, const debug_points *points, bool backward, debug_hit *hit);

    /* A question in words, as `why set_point`, from a context that runs or waits; it may go elsewhere. The answer is a
     * text for people. */
    void (*monitor)(void *own, debug_instant *at, const debug_context *c, const char *command, FILE *out);
    /* What the answers call devices by; the subject closes them. NULL: it has no use for them. */
    void (*name_devices)(void *own, debug_devices devices);
    /* NULL: all of the file could be read; else what is wrong with it. */
    const char *(*damage)(void *own);
    void (*close)(void *own);
} debug_subject;

/* A whole execution trace. NULL and a message: a file cannot be read, has no snapshots, or the program is another one
 * than was recorded. */
debug_subject *debug_subject_wet(const char *wet, const char *elf, char *message, size_t message_size);
/* A recording of probes. NULL and a message: as above. */
debug_subject *debug_subject_probes(const char *weft, const char *elf, char *message, size_t message_size);
void debug_subject_close(debug_subject *s);

/* Why answers hold no longer, the one that was made last included; NULL: they hold. */
const char *debug_subject_spoilt(const debug_subject *s);
/* Who runs at an instant. */
debug_context debug_subject_runs(const debug_subject *s, debug_instant at);
/* Whether a context waits for others at an instant. One that is over, or did not begin yet, does not. */
bool debug_subject_waits(const debug_subject *s, debug_instant at, uint32_t id);

#endif
