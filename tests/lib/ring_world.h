/* SPDX-License-Identifier: MIT */
/* The world of tests/prop/prop_event_ring.c, and the steps of port/cortex-m/exclusive.h that change it. The event ring
 * is compiled with these. */
#ifndef WEFT_TESTS_LIB_RING_WORLD_H
#define WEFT_TESTS_LIB_RING_WORLD_H

#define WEFT_PORT_EXCLUSIVE_H
#define WEFT_PORT_CORTEXM_H
#ifndef WEFT_MAINLINE
#define WEFT_MAINLINE 0
#endif
#define WEFT_EVENT_RING_NMI_SLOTS 2
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static inline uint32_t weft_shared_get(const uint32_t *word);
static inline void weft_shared_set(uint32_t *word, uint32_t value);
static inline uint32_t weft_exclusive_load(uint32_t *word, uint32_t *state);
static inline bool weft_exclusive_store(uint32_t *word, uint32_t value, uint32_t state);
static inline void weft_exclusive_leave(uint32_t state);
static inline uint32_t weft_ipsr(void);

#include "port/cortex-m/event_ring.c"

#include "tests/lib/check.h"

enum { SLOTS = 2, EVENTS = 2, ROUNDS = 1, ACTORS = 3, DRAIN = 2, NOBODY = ACTORS, STACK = 4096 };
/* Who makes events: actors 0 and 1, and NMI, of which the tags are those of paths, accesses and values. */
enum { SOURCES = 3, IN_NMI = NOBODY + 1, NMI_EVENTS = 3 };

typedef struct actor {
    uint64_t history; /* what it has read since its operation began */
    uint64_t loaded;  /* history at the last exclusive load, with what was stored since */
    uint32_t step;    /* operations done */
    bool crowded;     /* of one that appends: the ring was full at some time since its operation began */
    bool done;
} actor;

/* All that a step may change. */
typedef struct world {
    weft_event_ring ring;
    weft_event_slot slots[SLOTS];
    weft_nmi_events nmi;
    actor actors[ACTORS];
    uint32_t made[SOURCES];                           /* appends that have returned */
    uint32_t next[SOURCES];                           /* the event that the drain expects */
    uint32_t told[SOURCES];                           /* events reported as lost since then */
    uint8_t before[SOURCES][NMI_EVENTS + 1][SOURCES]; /* appends that had returned when this event's began */
    uint32_t abandoned;
    uint32_t monitor, masked, now; /* an actor, or NOBODY; or IN_NMI */
    uint32_t nmi_left;             /* events that NMI makes from now on, at most */
    bool wrong;
} world;

static world w;
static ucontext_t first[ACTORS], searcher;
static jmp_buf contexts[ACTORS], search_goes_on; /* further switches: without a system call each */
static _Alignas(16) uint8_t stacks[ACTORS][STACK];
static bool may_die;
static uint32_t made_by[ACTORS - 1]; /* events that actors 0 and 1 make */

static inline uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* ---- steps ---- */

static inline void yield(void)
{
    uint32_t self = w.now;
    if (self == IN_NMI)
        return;
    if (!_setjmp(contexts[self]))
        _longjmp(search_goes_on, 1);
}

static inline uint32_t heard(uint32_t value)
{
    if (w.now != IN_NMI)
        w.actors[w.now].history = mix(w.actors[w.now].history, value + 1ull);
    return value;
}

static inline uint32_t weft_shared_get(const uint32_t *word)
{
    yield();
    return heard(*word);
}

static inline bool is_full(void)
{
    return w.ring.full || w.nmi.full != w.nmi.opened || w.ring.head - w.ring.tail > w.ring.mask;
}

static inline void note_crowded(void)
{
    for (uint32_t i = 0; i < DRAIN; i++)
        w.actors[i].crowded |= i != w.now && is_full();
}

static inline void set(uint32_t *word, uint32_t value)
{
    *word = value;
    if (w.now != IN_NMI)
        w.actors[w.now].loaded = mix(w.actors[w.now].loaded, value);
    note_crowded();
}

static inline void weft_shared_set(uint32_t *word, uint32_t value)
{
    yield();
    set(word, value);
    heard(0);
}

static inline uint32_t weft_ipsr(void)
{
    return w.now == IN_NMI ? 2 : 0;
}

static inline uint32_t weft_exclusive_load(uint32_t *word, uint32_t *state)
{
    if (w.now != IN_NMI)
        w.actors[w.now].loaded = w.actors[w.now].history;
    yield();
    *state = w.masked;
    if (WEFT_MAINLINE)
        w.monitor = w.now;
    else
        w.masked = w.now;
    return heard(*word);
}

static inline void know_what_was_stored(uint64_t more)
{
    if (w.now != IN_NMI)
        w.actors[w.now].history = mix(mix(w.actors[w.now].loaded, UINT64_MAX), more);
}

static inline bool weft_exclusive_store(uint32_t *word, uint32_t value, uint32_t state)
{
    yield();
    w.masked = state;
    if (WEFT_MAINLINE && w.monitor != w.now) {
        if (w.now == DRAIN) /* not in a loop */
            know_what_was_stored(2);
        else
            w.actors[w.now].history = w.actors[w.now].loaded;
        return false;
    }
    set(word, value);
    know_what_was_stored(1);
    return true;
}

static inline void weft_exclusive_leave(uint32_t state)
{
    yield();
    w.masked = state;
    know_what_was_stored(2);
}

/* Of this operation, nothing else. */
static inline void know(uint32_t number)
{
    w.actors[w.now].history = mix(mix(w.actors[w.now].step, UINT64_MAX), number);
}

static inline void operation_done(void)
{
    actor *self = &w.actors[w.now];
    self->step++;
    self->history = self->step;
}

#endif
