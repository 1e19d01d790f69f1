/* SPDX-License-Identifier: MIT */
/* An interrupt comes at each of many consecutive instructions: while a recording is started, probes are called, the
 * ring is polled, and the recording is stopped. Its handler calls a probe, polls, stops, starts, pauses. Then the
 * bytes that came out must be those of the model (model.c), and no event may be lost.
 *
 * Build with PROBES=none; the calls of the probes stand here. Run with -icount shift=6, where an instruction takes
 * 1.6 ticks of a timer at 25 MHz. WORKER: an interrupt that polls, for weft_poll_in. ONLY_RAW: the raw coder only,
 * for small memories. PER_SERIES: instants of each coder, deed and stretch. */
#include <stdio.h>
#include <string.h>

#include "port/cortex-m/controls.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/delivery_choice.h"
#include "port/cortex-m/weft_target.h"
#include "tests/target/programs/instants/instants.h"

#ifndef PER_SERIES
#define PER_SERIES 10
#endif
enum {
    FIRST_TICK = 12,
    REACH = 3900,
    LATER = (REACH + PER_SERIES - 1) / PER_SERIES,
    MAIN_PROBES = 60,
    TAIL = 150,
    POLL_EVERY = 32,
    STOPS_MAX = 20
};

/* Where the timer is set: before weft_start, before the first probe, before weft_stop. */
typedef enum stretch { AT_START, AT_PROBES, AT_STOP, STRETCHES } stretch;

void SysTick_Handler(void);

/* ---- the interrupt */

static step now;
static volatile uint32_t begun, returned; /* probes */
static volatile stretch phase;            /* of the main program */
/* When the handler ran. */
static volatile bool fired;
static volatile stretch phase_then;
static volatile uint32_t begun_then, returned_then, recorded_then;
static volatile weft_status stopped, started, paused, resumed;

static void call(const step *s, uint32_t activation[4])
{
    if (s->what == KPATH)
        __weft_kpath(s->id, activation);
    if (s->what == PATH)
        __weft_path(s->id);
    if (s->what == ACCESS)
        __weft_access(s->id, (const void *)(uintptr_t)s->value);
    if (s->what == VALUE)
        __weft_value64(s->id, s->value);
    if (s->what == EVENT)
        weft_event(s->id, (uint32_t)s->value);
    if (s->what == LOOP)
        (void)__weft_loop(s->id, 6, 5, s->count);
    if (s->what == PACK)
        __weft_packed(s->id, (uint32_t)s->value);
}

/* While a recorder is being stopped, it is not started here: its tally would count two recordings. */
static void start_in_handler(bool other)
{
    unsigned recorder = other || phase == AT_STOP ? OTHER : FIRST;
    started = weft_start(&recorders[recorder], &recorders[recorder].config);
}

void SysTick_Handler(void)
{
    const weft_recorder *r = &recorders[FIRST];
    WEFT_SYST_CSR = 0;
    if (fired)
        return;
    fired = true;
    phase_then = phase;
    begun_then = begun;
    returned_then = returned;
    recorded_then = (uint32_t)(r->before.paths + r->before.accesses + r->before.values + r->before.marks) + r->paths +
                    r->accesses + r->values + r->marks;
    uint32_t activation[4] = {0};
    call(&now, activation);
    if (now.what == POLL)
        (void)weft_poll();
    if (now.what == STOP || now.what == STOP_AND_START)
        stopped = weft_stop();
    if (now.what == START || now.what == START_OTHER || now.what == STOP_AND_START)
        start_in_handler(now.what != START);
    if (now.what == PAUSE_AND_RESUME)
        paused = weft_pause();
    if (paused == WEFT_OK)
        resumed = weft_resume();
}

#ifdef WORKER
void IRQ31_Handler(void);
void IRQ31_Handler(void)
{
    (void)weft_poll();
}

static void start_worker(void)
{
    weft_irq_priority(31, 0xc0);
    weft_irq_enable(31);
    weft_poll_in(31);
}
#else
static void start_worker(void)
{
}
#endif

/* ---- the main program */

/* Passes of a loop: none, few, more than a coder takes at once, or more than a run of predicted paths holds. */
static uint32_t passes(uint32_t i)
{
    return i % 16 == 5 ? 520 : i % 4 == 3 ? 70 : i % 5;
}

/* Some packs can be predicted from the one before. */
static step pack_of(uint32_t i)
{
    uint32_t word = i * 2654435761u;
    return (step){PACK, 20 + i / 5 % 2 * 5, 1, i % 4 ? 0x400 + i % 3 : word >> i % 32 | 1};
}

step step_of(const way *of, uint32_t i)
{
    uint32_t number = i * 2654435761u; /* not predicted: frames end often */
    if (of->forest)
        return (step){KPATH, number >> (i % 3 ? 31 : 29), 1, i % 7 == 0};
    if (i % 11 == 3 || (of->alone && (i % 9 == 4 || i % 3)))
        return pack_of(i);
    if (i % 9 == 4)
        return (step){VALUE, i % 5, 1, (uint64_t)number << (i % 2 * 20)};
    if (i % 13 == 7)
        return (step){EVENT, i % 3, 1, number};
    if (i % 3)
        return (step){ACCESS, i % 16, 1, i % 5 ? number : 4 * i};
    if (i % 2)
        return (step){LOOP, i % 5 + 1, passes(i / 6), 0};
    return (step){PATH, i % 5, 1, 0};
}

static void set_timer(uint32_t ticks)
{
    WEFT_SYST_RVR = ticks;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
}

static void call_probes(const way *of, stretch at)
{
    uint32_t activation[4] = {0};
    for (uint32_t i = 0; at == AT_PROBES ? !fired || begun < begun_then + TAIL : i < MAIN_PROBES; i++) {
        step s = step_of(of, i);
        begun += s.count;
        if (s.what == KPATH && s.value)
            memset(activation, 0, sizeof activation);
        call(&s, activation);
        returned = begun;
        if (i % POLL_EVERY == POLL_EVERY - 1)
            (void)weft_poll();
    }
}

/* The status of weft_start. */
static weft_status run(const way *of, stretch at, uint32_t ticks)
{
    fired = false;
    begun = returned = 0;
    stopped = started = paused = resumed = WEFT_FULL; /* not called */
    phase = AT_START;
    for (unsigned i = 0; i < MODEL; i++)
        recorders[i].config = *configured(i, of);
    if (at == AT_START)
        set_timer(ticks);
    weft_status status = weft_start(&recorders[FIRST], &recorders[FIRST].config);
    phase = AT_PROBES;
    if (at == AT_PROBES)
        set_timer(ticks);
    call_probes(of, at);
    phase = AT_STOP;
    if (at == AT_STOP)
        set_timer(ticks);
    for (unsigned tries = 0; tries < STOPS_MAX && (weft_stop() != WEFT_OK || weft_target_started()); tries++)
        ;
    WEFT_SYST_CSR = 0;
    return status;
}

/* Finds what may have happened from what the calls returned. False: nothing allowed explains it. */
static bool explain(happened *h, weft_status main_started)
{
    *h = (happened){FIRST, now, begun, returned_then, begun_then, recorded_then, true, false, false};
    bool probe = now.what < PROBES, in_between = phase_then == AT_PROBES;
    if (main_started != WEFT_OK && (phase_then != AT_START || started != WEFT_OK))
        return false; /* refused without a reason */
    if (probe || now.what == STOP)
        h->without = !in_between;
    h->lost = now.what == KPATH;
    if (now.what == STOP && stopped != WEFT_OK)
        h->without = true, h->effective = false;
    if (now.what == POLL || now.what == START)
        h->without = true, h->effective = false;
    if (now.what == START && phase_then == AT_STOP && started == WEFT_OK)
        h->interrupt.what = START_OTHER, h->without = false, h->effective = true;
    if (now.what == START_OTHER || now.what == STOP_AND_START) {
        h->effective = started == WEFT_OK;
        h->without = !h->effective;
    }
    if (now.what == STOP_AND_START && started != WEFT_OK && stopped == WEFT_OK)
        h->interrupt.what = STOP, h->effective = true, h->without = !in_between;
    if (now.what == PAUSE_AND_RESUME) {
        h->effective = paused == WEFT_OK;
        h->without = !h->effective;
    }
    if (main_started != WEFT_OK && now.what != START)
        h->first = OTHER, h->without = true, h->effective = false;
    if (in_between && (now.what == START || now.what == START_OTHER) && started == WEFT_OK)
        return false; /* started although a recording runs */
    return paused != WEFT_OK || resumed == WEFT_OK;
}

static uint32_t tried, wrong, refused;

static void try_one(const way *of, stretch at, uint32_t ticks)
{
    happened h;
    weft_status status = run(of, at, ticks);
    if (!fired)
        return; /* the stretch had ended */
    bool right = explain(&h, status) && !weft_target_started() && as_the_model(of, &h);
    if (!right && !wrong++)
        printf("first wrong: %s, deed %d, stretch %d, tick %u: in phase %d, %u to %u of %u begun; "
               "start %d, in handler stop %d start %d pause %d resume %d\n",
               of->name, (int)now.what, (int)at, (unsigned)ticks, (int)phase_then, (unsigned)returned_then,
               (unsigned)begun_then, (unsigned)begun, (int)status, (int)stopped, (int)started, (int)paused,
               (int)resumed);
    tried++;
    refused += stopped == WEFT_AGAIN;
}

/* Half of the instants are at consecutive instructions. The others are spread over REACH / 2, to reach the ends of
 * frames. */
static uint32_t ticks_of(uint32_t i)
{
    return FIRST_TICK + i / 2 * (i % 2 ? LATER : 1) * 8 / 5;
}

/* Builds with a forest have other probes. */
static bool has(const way *of, deed what)
{
    if (of->forest)
        return what == KPATH || what >= PROBES;
    if (of->alone && (what == ACCESS || what == VALUE))
        return false;
    return what != LOOP && what != KPATH;
}

static void try_all(const way *of)
{
    static const step steps[DEEDS] = {
        [PATH] = {PATH, 9, 1, 0},    [ACCESS] = {ACCESS, 3, 1, 0x20001234}, [VALUE] = {VALUE, 3, 1, 77},
        [EVENT] = {EVENT, 5, 1, 99}, [PACK] = {PACK, 25, 1, 0x401},         [KPATH] = {KPATH, 0, 1, 1}};
    for (unsigned what = 0; what < DEEDS; what++)
        for (unsigned at = 0; at < STRETCHES && has(of, (deed)what); at++) {
            now = steps[what];
            now.what = (deed)what;
            for (uint32_t i = 0; i < PER_SERIES; i++)
                try_one(of, (stretch)at, ticks_of(i));
        }
}

int main(void)
{
    uint32_t all = 0, bad = 0;
    start_worker();
    for (unsigned i = 0; i < ways_count; i++) {
        tried = wrong = refused = 0;
        if (ways[i].forest == FOREST_BESIDE && weft_delivery_choice.by_ring)
            continue; /* not supported: a path in the ring may come after its activation */
        try_all(&ways[i]);
        printf("%s: %u instants tried, %u wrong, %u stops refused\n", ways[i].name, (unsigned)tried, (unsigned)wrong,
               (unsigned)refused);
        all += tried;
        bad += wrong;
    }
    printf("all: %u instants tried, %u wrong\n", (unsigned)all, (unsigned)bad);
    return bad != 0;
}
