/* SPDX-License-Identifier: MIT */
/* A core, its memory, the instructions that it has met, and what comes to it from outside. */
#ifndef WEFT_TOOLS_LIB_RERUN_MACHINE_H
#define WEFT_TOOLS_LIB_RERUN_MACHINE_H

#include "tools/lib/rerun/code.h"
#include "tools/lib/rerun/core.h"
#include "tools/lib/rerun/space.h"

/* Why it cannot go on. */
typedef enum rerun_status {
    RERUN_DONE,
    RERUN_ENDED,          /* the program left by a request */
    RERUN_NO_CODE,        /* the image has no instruction there */
    RERUN_NO_INSTRUCTION, /* one that is not known here */
    RERUN_WAY_UNKNOWN,    /* where it goes depends on something unknown */
    RERUN_PLACE_UNKNOWN,  /* the address of an access does */
    RERUN_NO_REQUEST,     /* a semihosting request that is not known here */
    RERUN_STATUSES
} rerun_status;
const char *rerun_status_text(rerun_status status);

/* What comes from outside. Each says false where it does not know. */
typedef struct rerun_outside {
    void *own;
    bool (*load)(void *own, uint32_t address, unsigned size, uint64_t *value); /* what is not known */
    bool (*result)(void *own, uint32_t request, uint32_t *value);              /* r0 after a semihosting request */
} rerun_outside;

enum { RERUN_EXCEPTIONS = 256 }; /* whose priorities are known */

typedef struct rerun_machine {
    rerun_core core;
    rerun_outside from;
    rerun_space *space;
    const image *im;
    struct rerun_codes *codes;
    const char *command_line; /* what a request for it gives; NULL: it is not known */
    uint32_t vectors;         /* address of the vector table, if the program has set it; else 0 */
    bool vectors_known;       /* VTOR is that */
    uint32_t coprocessors;    /* CPACR, unless it is unknown */
    bool coprocessors_unknown;
    uint32_t own; /* bits: exceptions that come by themselves, where the program asks for them (pending.h) */
    bool calls;   /* SVCall comes before the next instruction */
    bool pends;   /* PendSV is pending */
    uint8_t priority[RERUN_EXCEPTIONS];
    bool enabled;        /* interrupts: SysTick's, or some of the NVIC */
    uint64_t unanswered; /* answers of devices and requests so far that are unknown */
    uint64_t handles;    /* bits: of files that are open */
    uint64_t stores;     /* accesses that stored */
    uint64_t granted;    /* requests that were taken to succeed */
} rerun_machine;

/* At the image's reset. `zero`: RAM and registers are 0 there, as in the emulator. False: the image has no vector
 * table. */
bool rerun_machine_open(rerun_machine *m, const image *im, bool zero);
void rerun_machine_close(rerun_machine *m);

/* The next instruction, decoded. NULL: there is none. */
const rerun_code *rerun_next(rerun_machine *m);

#endif
