/* SPDX-License-Identifier: MIT */
/* Unprotected sharing: memory that two contexts use so that one may come between two accesses of
 * the other that belong together.
 *
 *   lost update   A loads, B stores, A stores what follows from its load: B's store is lost
 *   torn read     A loads a part of an object, B stores all of it, A loads the rest
 *   torn write    A stores a part, B loads or stores all of it, A stores the rest
 *   taken and     A loads, B adds to it, A stores what does not follow from any load of it, and keeps what it loaded:
 *   cleared       what B added is lost
 *
 * B is an exception that could have come between the two accesses, or a thread, where an exception that switches
 * threads could. It could come if it was enabled and urgent enough at any instruction between: PRIMASK, BASEPRI,
 * FAULTMASK, the priority of A, the NVIC's and SysTick's enable bits protect. A lock that both hold protects, too:
 * functions that take and give one are known by name. Exclusive stores do not count as a second access: they fail. A
 * word by which A and B hand memory over protects it (race_handover.c): a mailbox is full or empty.
 *
 * What follows from a load is found by following the value through registers, flags and the stack, and through
 * conditional branches until the function returns. Where A only ever stores after it loaded the very value that B
 * stores (a flag that B sets and A clears), nothing is lost. An access of an aligned word or less is never torn. An
 * object is a typed one where the image has types, else eight aligned bytes or a symbol.
 *
 * Memory: 11 KB for each context, 132 bytes for each shared word that it uses, up to 180 for each pair of instructions
 * of it that another context could come between, and up to 200 for each race. That is one of a pair of contexts: 300
 * threads with a counter that nothing protects give 89,700.
 *
 * Not looked at: memory on stacks; consistency between several objects; device registers. Pairs that no run executed
 * are unknown. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_H

#include "tools/lib/image/image.h"
#include "tools/lib/image/program.h"
#include "tools/lib/inspect/race_limits.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/recording/container.h"

typedef enum race_kind { RACE_LOST_UPDATE, RACE_TORN_READ, RACE_TORN_WRITE, RACE_TAKEN } race_kind;

/* One access, by the instruction that makes it. */
typedef struct race_step {
    uint32_t context, pc; /* number of the context */
    bool store;
} race_step;

typedef struct race {
    race_kind kind;
    uint32_t address, size;
    const char *object;
    const char *over, *by; /* names of A and B */
    race_step step[3];     /* A, B, A: one interleaving */
    uint64_t windows;      /* times A was open to it */
    uint64_t seen;         /* times it happened in this run */
} race;

typedef enum race_result { RACE_ANY, RACE_ZERO, RACE_NOT_ZERO } race_result;

/* A function that takes a lock, and the one that gives it back; the lock is what r0 points to, or `global` of all
 * threads. It is held from where `take` returned `taken`. One that two threads held at once is not a lock (a semaphore
 * that only signals). */
typedef struct race_lock {
    const char *take, *give;
    bool global;
    race_result taken;
} race_lock;

/* What a recording with probes does not say, counted. */
typedef struct race_doubts {
    uint64_t masks;    /* values that were written to PRIMASK, BASEPRI or FAULTMASK */
    uint64_t settings; /* values that were written to priorities, enables and the like */
    uint64_t paths;    /* whose instructions are not known, or whose order among calls is not (MODE=span) */
    uint64_t accesses; /* that were announced, but whose instruction was not found */
} race_doubts;

typedef struct races {
    race *all; /* by object and kind */
    size_t count, max;
    char **name; /* of objects and contexts, each once; races point to them */
    size_t name_count, name_max;
    uint64_t shared;   /* bytes of the words that two contexts used, one of them by stores */
    uint32_t contexts; /* that ran; of one alone nothing can race, whatever it did */
    bool many;         /* more exceptions than RACE_EXCEPTIONS_MAX: the others were not looked at */
    bool many_locks;   /* more locks than the search tells apart: the others were ignored */
} races;

/* Reads the recording twice. `locks`: besides those of known RTOSes, ended by one with take NULL; may be NULL. False
 * and a message: it cannot be read. *gap is NULL, or where it is damaged (valid until the next call): the races up to
 * there are in *out. */
bool races_full(races *out, const char *path, const image *im, const race_lock *locks, const char **gap, char *message,
                size_t message_size);
/* The same of a recording with probes. NULL, or what does not fit: the races up to there are in *out. What interrupted
 * a path comes before it, so of what happened (`seen`) only the part is known that lies between paths. */
const char *races_probes(races *out, const container *file, program *app, const race_lock *locks, functions_seen *seen,
                         race_doubts *doubts);
void races_free(races *out);

#endif
