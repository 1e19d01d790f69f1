/* SPDX-License-Identifier: MIT */
/* A model check of the event ring: two contexts append, a third one drains, and every interleaving of their steps is
 * tried. The code is that of the target; the functions of port/cortex-m/exclusive.h are the steps, each of which first
 * gives the others their turn. Contexts take turns in any order, as threads do, of which interrupts are a part.
 *
 * States are kept by a hash of the shared memory and of what each context has read since its last loop began, so the
 * search ends. A hash of 64 bits may take two states for one, with a probability of about 10^-8 for a million. */
#define WEFT_PORT_EXCLUSIVE_H
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static uint32_t weft_shared_get(const uint32_t *word);
static void weft_shared_set(uint32_t *word, uint32_t value);
static uint32_t weft_exclusive_load(uint32_t *word, uint32_t *state);
static bool weft_exclusive_store(uint32_t *word, uint32_t value, uint32_t state);
static void weft_exclusive_leave(uint32_t state);

#include "port/cortex-m/event_ring.c"

#include "tests/lib/check.h"

enum { SLOTS = 2, EVENTS = 2, ROUNDS = 1, ACTORS = 3, DRAIN = 2, NOBODY = ACTORS, STACK = 4096 };

typedef struct actor {
    uint64_t history; /* what it has read since its operation began */
    uint64_t retry;   /* of one that appends: history at the start of the loop that an exclusive store may repeat */
    uint32_t step;    /* operations done */
    bool crowded;     /* of one that appends: the ring was full at some time since its operation began */
    bool done;
} actor;

/* All that a step may change. */
typedef struct world {
    weft_event_ring ring;
    weft_event_slot slots[SLOTS];
    actor actors[ACTORS];
    uint32_t made[2]; /* appends that have returned */
    uint32_t next[2]; /* the event that the drain expects */
    uint32_t told[2]; /* events reported as lost since then */
    uint32_t abandoned;
    uint32_t monitor, masked, now; /* an actor, or NOBODY */
    bool wrong;
} world;

static world w;
static ucontext_t first[ACTORS], searcher;
static jmp_buf contexts[ACTORS], search_goes_on; /* further switches: without a system call each */
static _Alignas(16) uint8_t stacks[ACTORS][STACK];
static bool has_exclusive, may_die;

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* ---- steps ---- */

static void yield(void)
{
    uint32_t self = w.now;
    if (!_setjmp(contexts[self]))
        _longjmp(search_goes_on, 1);
}

static uint32_t heard(uint32_t value)
{
    w.actors[w.now].history = mix(w.actors[w.now].history, value + 1ull);
    return value;
}

static uint32_t weft_shared_get(const uint32_t *word)
{
    yield();
    return heard(*word);
}

static bool is_full(void)
{
    return w.ring.full || w.ring.head - w.ring.tail > w.ring.mask;
}

static void set(uint32_t *word, uint32_t value)
{
    *word = value;
    for (uint32_t i = 0; i < DRAIN; i++)
        w.actors[i].crowded |= i != w.now && is_full();
}

static void weft_shared_set(uint32_t *word, uint32_t value)
{
    yield();
    set(word, value);
    heard(0);
}

static uint32_t weft_exclusive_load(uint32_t *word, uint32_t *state)
{
    actor *self = &w.actors[w.now];
    self->retry = self->history;
    yield();
    *state = 0;
    w.monitor = w.now;
    if (!has_exclusive)
        w.masked = w.now;
    return heard(*word);
}

static bool weft_exclusive_store(uint32_t *word, uint32_t value, uint32_t state)
{
    (void)state;
    yield();
    w.masked = NOBODY;
    if (w.monitor != w.now) {
        heard(0);
        if (w.now != DRAIN) /* whose one store is in no loop */
            w.actors[w.now].history = w.actors[w.now].retry;
        return false;
    }
    set(word, value);
    heard(1);
    return true;
}

static void weft_exclusive_leave(uint32_t state)
{
    (void)state;
    yield();
    w.masked = NOBODY;
    heard(2);
}

static void operation_done(void)
{
    actor *self = &w.actors[w.now];
    self->step++;
    self->history = self->step;
}

/* ---- actors ---- */

/* Actor 0 makes paths, actor 1 accesses, so that the counts of lost events tell them apart. */
static void append_events(void)
{
    uint32_t self = w.now;
    for (uint32_t i = 0; i < EVENTS; i++) {
        weft_event_slot event = {(self + 1) | self << 2, i, ~i, self};
        uint32_t lost = w.ring.lost[self + 1];
        w.actors[self].crowded = is_full();
        weft_event_ring_append(&w.ring, &event);
        w.wrong |= w.ring.lost[self + 1] != lost && !w.actors[self].crowded;
        w.made[self]++;
        operation_done();
    }
    w.actors[self].done = true;
    yield();
}

static void record(const weft_event_slot *event)
{
    uint32_t from = event->tag >> 2;
    if (from > 1 || event->data != ~event->id || event->data_high != from || event->id != w.next[from] + w.told[from]) {
        w.wrong = true;
        return;
    }
    w.next[from] = event->id + 1;
    w.told[from] = 0;
}

/* As in port/cortex-m/probes_ring.c. */
static bool drain(void)
{
    weft_event_slot event;
    uint64_t lost[4];
    uint32_t accounted = 0;
    for (uint32_t left = SLOTS; left && weft_event_ring_take(&w.ring, &event) == WEFT_OK; left--)
        record(&event);
    if (weft_event_ring_take_lost(&w.ring, lost)) {
        w.told[0] += (uint32_t)lost[WEFT_TAG_PATH];
        w.told[1] += (uint32_t)lost[WEFT_TAG_ACCESS];
    }
    w.masked = w.now; /* a stop asks in a critical section */
    bool idle = weft_event_ring_idle(&w.ring);
    for (uint32_t i = 0; i < 2; i++)
        accounted += w.next[i] + w.told[i];
    w.wrong |= idle && accounted + w.abandoned < w.made[0] + w.made[1];
    w.masked = NOBODY;
    operation_done();
    return idle;
}

/* Actor 0 may stop for good at any step. Nothing else runs any more. */
static void stop_for_good(void)
{
    while (!drain() && weft_event_ring_abandon(&w.ring))
        w.abandoned++;
    for (uint32_t i = 0; i < 2; i++)
        w.wrong |= w.next[i] + w.told[i] + (i ? 0 : w.abandoned) < w.made[i];
    w.wrong |= w.abandoned > 1 || weft_event_ring_used(&w.ring) != 0;
}

static void drain_events(void)
{
    for (uint32_t i = 0; i < ROUNDS; i++)
        drain();
    w.actors[DRAIN].done = true; /* until others are, too: see can_run */
    yield();
    if (may_die) {
        stop_for_good();
    } else {
        drain();
        w.wrong |= !drain();
        for (uint32_t i = 0; i < 2; i++)
            w.wrong |= w.next[i] + w.told[i] != EVENTS;
    }
    w.actors[DRAIN].step = UINT32_MAX;
    yield();
}

/* ---- the search ---- */

static bool can_run(uint32_t who)
{
    if (w.masked != NOBODY)
        return w.masked == who;
    if (who != DRAIN)
        return !w.actors[who].done && !(w.actors[DRAIN].done && may_die);
    if (!w.actors[DRAIN].done)
        return true;
    return w.actors[DRAIN].step != UINT32_MAX && w.actors[1].done && (may_die || w.actors[0].done);
}

static void run(uint32_t who)
{
    if (who != w.now)
        w.monitor = NOBODY;
    w.now = who;
    if (!_setjmp(search_goes_on))
        _longjmp(contexts[who], 1);
}

/* To its first step. */
static void begin(uint32_t who, void (*body)(void))
{
    getcontext(&first[who]);
    first[who].uc_stack = (stack_t){.ss_sp = stacks[who], .ss_size = STACK};
    makecontext(&first[who], body, 0);
    w.now = who;
    if (!_setjmp(search_goes_on))
        swapcontext(&searcher, &first[who]);
}

static uint64_t hash_of_world(void)
{
    const uint8_t *bytes = (const uint8_t *)&w;
    uint64_t hash = 1, word;
    for (size_t i = 0; i + sizeof word <= sizeof w; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        hash = mix(hash, word);
    }
    return hash ? hash : 1;
}

enum { SEEN_MAX = 1 << 24 };
static uint64_t *seen;
static uint32_t states, ends;

static bool is_new(void)
{
    uint64_t hash = hash_of_world();
    size_t at = (size_t)(hash >> 20) % SEEN_MAX;
    while (seen[at] && seen[at] != hash)
        at = (at + 1) % SEEN_MAX;
    if (seen[at] || states >= SEEN_MAX / 2)
        return false;
    seen[at] = hash;
    states++;
    return true;
}

typedef struct snapshot {
    struct snapshot *next; /* that is free */
    world world;
    jmp_buf contexts[ACTORS];
    uint8_t stacks[ACTORS][STACK];
} snapshot;

static snapshot *unused; /* kept, not freed: the kernel would take the pages back, and clear them again */

static snapshot *save(void)
{
    snapshot *s = unused ? unused : malloc(sizeof *s);
    unused = unused ? s->next : NULL;
    s->world = w;
    memcpy(s->contexts, contexts, sizeof contexts);
    memcpy(s->stacks, stacks, sizeof stacks);
    return s;
}

static void restore(const snapshot *s)
{
    w = s->world;
    memcpy(contexts, s->contexts, sizeof contexts);
    memcpy(stacks, s->stacks, sizeof stacks);
}

/* False: an event was neither recorded nor counted as lost, or was counted at a wrong place. */
static bool search(void)
{
    snapshot *here = NULL;
    bool good = true, any = false;
    for (uint32_t who = 0; who < ACTORS && good; who++) {
        if (here)
            restore(here);
        if (!can_run(who))
            continue;
        if (!here)
            here = save();
        any = true;
        run(who);
        good = !w.wrong && (!is_new() || search());
    }
    ends += !any;
    if (here) {
        here->next = unused;
        unused = here;
    }
    return good;
}

static bool holds(bool exclusive, bool dies)
{
    static void (*const bodies[ACTORS])(void) = {append_events, append_events, drain_events};
    has_exclusive = exclusive;
    may_die = dies;
    memset(&w, 0, sizeof w);
    w.ring.slots = w.slots;
    w.ring.mask = SLOTS - 1;
    /* The counts of losses and of slots are about to pass 2^32. */
    w.ring.lost[WEFT_TAG_PATH] = w.ring.seen[WEFT_TAG_PATH] = UINT32_MAX;
    w.ring.head = w.ring.tail = UINT32_MAX - 1;
    w.monitor = w.masked = NOBODY;
    for (uint32_t i = 0; i < ACTORS; i++) {
        begin(i, bodies[i]);
    }
    seen = calloc(SEEN_MAX, sizeof *seen);
    states = ends = 0;
    bool good = search();
    printf("# %u states, %u ends\n", states, ends);
    free(seen);
    return good && ends > 0 && states < SEEN_MAX / 2;
}

static void every_claimed_event_is_recorded_or_counted_with_exclusive_loads(void)
{
    CHECK(holds(true, false));
}

static void every_claimed_event_is_recorded_or_counted_with_masked_interrupts(void)
{
    CHECK(holds(false, false));
}

static void an_append_that_never_ends_costs_one_event_and_hides_no_other(void)
{
    CHECK(holds(true, true));
    CHECK(holds(false, true));
}

int main(void)
{
    RUN(every_claimed_event_is_recorded_or_counted_with_exclusive_loads);
    RUN(every_claimed_event_is_recorded_or_counted_with_masked_interrupts);
    RUN(an_append_that_never_ends_costs_one_event_and_hides_no_other);
    return check_failed();
}
