/* SPDX-License-Identifier: MIT */
/* An interrupt at each instruction of a probe that counts a path at a known edge of the forest. Its handler ends the
 * recording, begins another one, and counts paths there that open the gate again: with another forest, or with the same
 * one, where the probe's node is another sequence's by then. Each path is to be counted once, and at its own sequence.
 * Build with PROBES=none; the calls of the probes stand here. Run with -icount shift=6, where an instruction takes
 * 1.6 ticks of a timer at 25 MHz, so that no instruction is left out. */
#include <stdbool.h>
#include <stdio.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/probes.h"
#include "port/cortex-m/weft_profile.h"

enum { K = 2, NODES = 12, FIRST_TICK = 4, TICKS_MAX = 4000, STOPS_MAX = 20 };
enum { ONE = 1, TWO = 2, FIVE = 5, ROUNDS = 8, IN_HANDLER = 4 }; /* paths, and how many are made */

WEFT_PROFILE_DEF(first, K, NODES);
WEFT_PROFILE_DEF(other, K, NODES);

void SysTick_Handler(void);

static weft_status take(void *context, const uint8_t *frame, size_t size)
{
    (void)context, (void)frame, (void)size;
    return WEFT_OK;
}
static const weft_sink sink = {NULL, take};

static const weft_profile *next; /* begun by the handler */
static volatile bool fired, done, returned;
static volatile uint32_t counted; /* paths of recordings that have ended, lost ones too */

/* The recording's end. */
static bool end(const weft_profile *profile)
{
    if (weft_stop() != WEFT_OK)
        return false;
    counted = counted + (uint32_t)(profile->recorder->before.paths);
    return true;
}

/* FIVE, TWO: the first node and its child. Then again, so that no path of the probe opens the gate. */
static void count_in_handler(void)
{
    for (unsigned i = 0; i < IN_HANDLER / 2; i++) {
        uint32_t activation[4] = {0};
        __weft_kpath(FIVE, activation);
        __weft_kpath(TWO, activation);
    }
}

void SysTick_Handler(void)
{
    WEFT_SYST_CSR = 0;
    if (fired)
        return;
    fired = true;
    returned = done;
    if (done || !end(&first))
        return;
    if (weft_profile_begin(next, &sink, NULL) == WEFT_OK)
        count_in_handler();
    else
        next = NULL;
}

static void set_timer(uint32_t ticks)
{
    WEFT_SYST_RVR = ticks;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
}

/* The count of FIVE, TWO. */
static uint32_t count_of_pair(weft_ksf *forest)
{
    weft_handle root = weft_ksf_search(forest, *weft_ksf_ring(forest, 0, FIVE), FIVE, NODES);
    weft_handle pair = weft_ksf_search(forest, forest->node[root].child, TWO, NODES);
    return pair ? forest->node[pair].count : 0;
}

static uint32_t tried, wrong, within;

/* True: the interrupt came after the probe. */
static bool try_one(const weft_profile *begins, uint32_t ticks)
{
    uint32_t activation[4] = {0};
    fired = done = returned = false;
    next = begins;
    counted = 0;
    bool right = weft_profile_begin(&first, &sink, NULL) == WEFT_OK;
    for (unsigned i = 0; i < ROUNDS; i++) {
        __weft_kpath(ONE, activation);
        __weft_kpath(TWO, activation);
    }
    __weft_kpath(ONE, activation);
    set_timer(ticks);
    __weft_kpath(TWO, activation);
    done = true;
    while (!fired)
        ;
    bool ended = !returned && counted;
    if (ended)
        right &= next && count_of_pair(next->forest) == IN_HANDLER / 2;
    right &= end(ended ? begins : &first);
    right &= counted == 2 * ROUNDS + 2 + (ended ? IN_HANDLER : 0);
    tried++;
    within += ended;
    if (!right && !wrong++)
        printf("first wrong: the %s forest, tick %u: %u paths counted\n", begins == &first ? "same" : "other",
               (unsigned)ticks, (unsigned)counted);
    return returned;
}

int main(void)
{
    for (unsigned same = 0; same < 2; same++)
        for (uint32_t ticks = FIRST_TICK; ticks < TICKS_MAX && !try_one(same ? &first : &other, ticks); ticks++)
            ;
    printf("%u instants, %u of them within the probe, %u wrong\n", (unsigned)tried, (unsigned)within, (unsigned)wrong);
    return wrong != 0;
}
