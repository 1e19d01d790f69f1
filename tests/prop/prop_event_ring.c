/* SPDX-License-Identifier: MIT */
/* A model check of the event ring: two contexts append, a third one drains, and every interleaving of their steps is
 * tried. The code is that of the target; the functions of port/cortex-m/exclusive.h are the steps, each of which first
 * gives the others their turn. Contexts take turns in any order, as threads do, of which interrupts are a part.
 *
 * This is the ring of a core without LDREX. NMI appends too: it comes at any step, masked or not, and is over before
 * others go on. prop_event_ring_mainline.c: with LDREX, where NMI is a context as the others.
 *
 * States are kept by a hash of the shared memory and of what each context has read and still knows, so the search ends:
 * after an exclusive store, or where none comes of the load, it knows what it knew before the load, and what it wrote.
 * A hash of 64 bits may take two states for one, with a probability of about 10^-8 for a million. */
#include "tests/lib/ring_world.h"

/* ---- actors ---- */

/* Counts of lost events tell the sources apart. */
static weft_event_slot event_of(uint32_t from)
{
    uint32_t number = w.made[from];
    for (uint32_t i = 0; i < SOURCES; i++)
        w.before[from][number][i] = (uint8_t)w.made[i];
    return (weft_event_slot){(from + 1) | from << 2, number, ~number, from};
}

static void append_events(void)
{
    uint32_t self = w.now;
    for (uint32_t i = 0; i < made_by[self]; i++) {
        weft_event_slot event = event_of(self);
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

/* In the middle of whatever runs. */
static void come_as_nmi(void)
{
    uint32_t interrupted = w.now, masked = w.masked, lost = w.nmi.lost[WEFT_TAG_VALUE];
    weft_event_slot event = event_of(SOURCES - 1);
    bool room = !w.ring.full && w.nmi.full == w.nmi.opened &&
                (w.nmi.claims ? w.nmi.head - w.nmi.tail < WEFT_EVENT_RING_NMI_SLOTS : !is_full());
    w.now = IN_NMI;
    weft_event_ring_append(&w.ring, &event);
    w.wrong |= (w.nmi.lost[WEFT_TAG_VALUE] != lost) == room;
    w.made[SOURCES - 1]++;
    w.nmi_left--;
    note_crowded();
    w.now = interrupted;
    w.masked = masked;
}

/* Its predecessors have been recorded, or reported as lost. */
static bool is_in_order(uint32_t from, uint32_t number)
{
    bool in_order = number == w.next[from] + w.told[from];
    for (uint32_t i = 0; i < SOURCES && in_order; i++)
        in_order = w.next[i] + w.told[i] + (i ? 0 : w.abandoned) >= w.before[from][number][i];
    return in_order;
}

static void record(const weft_event_slot *event)
{
    uint32_t from = event->tag >> 2;
    if (from >= SOURCES || event->data != ~event->id || event->data_high != from || event->id > NMI_EVENTS ||
        !is_in_order(from, event->id)) {
        w.wrong = true;
        return;
    }
    w.next[from] = event->id + 1;
    w.told[from] = 0;
}

static uint32_t sum_of(const uint32_t counts[SOURCES])
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < SOURCES; i++)
        sum += counts[i];
    return sum;
}

/* As in port/cortex-m/probes_ring.c. */
static bool drain(void)
{
    weft_event_slot event;
    uint64_t lost[4];
    for (uint32_t left = SLOTS + WEFT_EVENT_RING_NMI_SLOTS; left && weft_event_ring_take(&w.ring, &event) == WEFT_OK;
         left--) {
        record(&event);
        know(left);
    }
    know(0);
    if (weft_event_ring_take_lost(&w.ring, lost))
        for (uint32_t i = 0; i < SOURCES; i++)
            w.told[i] += (uint32_t)lost[i + 1];
    know(UINT32_MAX);
    w.masked = w.now; /* a stop asks in a critical section */
    uint32_t made = sum_of(w.made);
    bool idle = weft_event_ring_idle(&w.ring);
    w.wrong |= idle && sum_of(w.next) + sum_of(w.told) + w.abandoned < made;
    w.masked = NOBODY;
    operation_done();
    return idle;
}

/* Actor 0 may stop for good at any step. Nothing else runs any more. */
static void stop_for_good(void)
{
    while (!drain() && weft_event_ring_abandon(&w.ring))
        w.abandoned++;
    for (uint32_t i = 0; i < SOURCES; i++)
        w.wrong |= w.next[i] + w.told[i] + (i ? 0 : w.abandoned) < w.made[i];
    w.wrong |= w.abandoned > 1 || weft_event_ring_used(&w.ring) != 0;
}

/* Losses of a source that the drain has not seen. */
static uint32_t unseen(uint32_t from)
{
    return w.ring.lost[from + 1] + w.nmi.lost[from + 1] - w.ring.seen[from + 1];
}

/* All is recorded or reported, but for what NMI made once the ring was shut. */
static void stop(void)
{
    enum { TRIES = NMI_EVENTS + 2 };
    bool shut = false;
    for (uint32_t tries = 0; tries < TRIES && !shut; tries++) {
        drain();
        for (uint32_t i = 0; i < SOURCES; i++)
            w.wrong |= !weft_event_ring_waits(&w.ring) && unseen(i);
        w.masked = w.now;
        shut = weft_event_ring_shut(&w.ring);
        w.masked = NOBODY;
    }
    w.nmi_left = 0; /* there is no recorder for it now */
    for (uint32_t i = 0; i < SOURCES; i++)
        w.wrong |= w.next[i] + w.told[i] + (i == SOURCES - 1 ? unseen(i) : 0) != w.made[i];
    w.wrong |= !shut || weft_event_ring_clear(&w.ring) != WEFT_OK || !weft_event_ring_idle(&w.ring);
}

static void drain_events(void)
{
    for (uint32_t i = 0; i < ROUNDS; i++)
        drain();
    w.actors[DRAIN].done = true; /* until others are, too: see can_run */
    yield();
    operation_done();
    if (may_die) {
        w.nmi_left = 0;
        stop_for_good();
    } else {
        stop();
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
    if (who != w.monitor)
        w.monitor = NOBODY;
    w.now = who;
    if (!_setjmp(search_goes_on))
        _longjmp(contexts[who], 1);
    w.now = w.monitor; /* who ran matters only for that */
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
    for (uint32_t who = 0; who <= ACTORS && good; who++) {
        if (here)
            restore(here);
        if (who == ACTORS ? !w.nmi_left : !can_run(who))
            continue;
        if (!here)
            here = save();
        any |= who < ACTORS;
        if (who < ACTORS)
            run(who);
        else
            come_as_nmi();
        good = !w.wrong && (!is_new() || search());
    }
    ends += !any;
    if (here) {
        here->next = unused;
        unused = here;
    }
    return good;
}

static bool holds(uint32_t by_first, uint32_t by_second, uint32_t by_nmi, bool dies)
{
    static void (*const bodies[ACTORS])(void) = {append_events, append_events, drain_events};
    may_die = dies;
    made_by[0] = by_first;
    made_by[1] = by_second;
    memset(&w, 0, sizeof w);
    w.ring.slots = w.slots;
    w.ring.mask = SLOTS - 1;
    w.ring.nmi = by_nmi ? &w.nmi : NULL;
    w.nmi_left = by_nmi;
    /* The counts of losses and of slots are about to pass 2^32. */
    w.ring.lost[WEFT_TAG_PATH] = w.ring.seen[WEFT_TAG_PATH] = UINT32_MAX;
    w.ring.head = w.ring.tail = UINT32_MAX - 1;
    w.nmi.head = w.nmi.tail = w.nmi.full = w.nmi.opened = UINT32_MAX;
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

static void every_claimed_event_is_recorded_or_counted(void)
{
    CHECK(holds(EVENTS, EVENTS, 0, false));
}

static void so_it_is_with_nmi(void)
{
    CHECK(holds(1, 1, 2, false));
    CHECK(holds(2, 0, 3, false));
    CHECK(holds(2, 1, 2, false));
    if (check_amount(0, 1, 1)) {
        CHECK(holds(3, 0, 3, false));
        CHECK(holds(2, 1, 2, true));
    }
}

static void an_append_that_never_ends_costs_one_event_and_hides_no_other(void)
{
    CHECK(holds(EVENTS, EVENTS, 0, true));
}

int main(void)
{
    RUN(every_claimed_event_is_recorded_or_counted);
    if (!WEFT_MAINLINE)
        RUN(so_it_is_with_nmi);
    RUN(an_append_that_never_ends_costs_one_event_and_hides_no_other);
    return check_failed();
}
