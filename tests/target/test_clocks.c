/* SPDX-License-Identifier: MIT */
/* The clocks for stamps of time on a board: SysTick that somebody else owns, counters of 32 bits, the cycle counter. */
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/dwt_clock.h"
#include "port/cortex-m/systick_clock.h"
#include "port/cortex-m/wide_clock.h"
#include "tests/lib/check.h"

enum { PERIOD = 2000 };

void SysTick_Handler(void);
void PendSV_Handler(void);

static volatile uint32_t interrupts;
static bool counted;

/* One run of SysTick's handler, another handler after it, and the next run, late, with no thread between them. */
static struct {
    volatile bool asked, done;
    weft_clock clock;
    uint64_t between, late;
} chained;

void SysTick_Handler(void)
{
    bool first = chained.asked && !chained.between;
    if (chained.between && !chained.done) {
        while (WEFT_SYST_CVR > PERIOD / 4)
            ;
        chained.late = chained.clock.now(chained.clock.context);
        chained.done = true;
    }
    if (counted)
        weft_systick_tick();
    interrupts++;
    if (first)
        WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
}

void PendSV_Handler(void)
{
    chained.between = chained.clock.now(chained.clock.context);
    while (!(WEFT_SCB_ICSR & WEFT_ICSR_PENDSTSET))
        ;
}

static void systick_start(uint32_t cycles)
{
    WEFT_SYST_RVR = cycles - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
}

static void systick_stop(void)
{
    WEFT_SYST_CSR = 0;
    WEFT_SCB_ICSR = WEFT_ICSR_PENDSTCLR;
}

static void follow(void)
{
    enum { WRAPS = 40, COUNT_FLAG = 1 << 16 };
    systick_start(PERIOD);
    weft_clock clock = weft_systick_follow(1000000);
    uint64_t first = clock.now(clock.context), last = first;
    bool backwards = false;
    interrupts = 0;
    while (interrupts < WRAPS) {
        uint64_t now = clock.now(clock.context);
        backwards |= now < last;
        last = now;
    }
    bool flag = WEFT_SYST_CSR & COUNT_FLAG;
    systick_stop();
    CHECK(!backwards && flag);
    /* Without a counting handler there must be a reading in each period. A busy emulator does not keep to that: see
     * tests/target/clock.sh. */
    CHECK(!counted || last - first + 2 * PERIOD >= (uint64_t)WRAPS * PERIOD);
    CHECK_EQ(WEFT_SYST_RVR, PERIOD - 1);
}

#if WEFT_MAINLINE
static void a_handler_that_follows_another_late_has_its_wrap(void)
{
    counted = true;
    systick_start(PERIOD);
    chained.clock = weft_systick_follow(1000000);
    (void)chained.clock.now(chained.clock.context);
    chained.asked = true;
    while (!chained.done)
        ;
    systick_stop();
    CHECK(chained.late - chained.between >= PERIOD && chained.late - chained.between < 2 * PERIOD);
}
#endif

static uint32_t counter;

static uint32_t read_counter(void)
{
    return counter;
}

static void a_wide_clock_passes_the_wrap_of_its_counter(void)
{
    static weft_wide wide;
    counter = 0xfffffff0u;
    weft_clock clock = weft_wide_clock(&wide, read_counter, 1000);
    CHECK_EQ(clock.now(clock.context), 0xfffffff0u);
    counter = 5;
    CHECK(clock.now(clock.context) == 0x100000005u);
    counter = 4; /* a whole round less one tick */
    CHECK(clock.now(clock.context) == 0x200000004u);
}

/* QEMU has no cycle counter. A part without one must not give a clock that stands still. */
static void a_cycle_counter_that_stands_still_is_no_clock(void)
{
    weft_clock clock = weft_dwt_clock(1000000);
    uint64_t first = clock.now ? clock.now(clock.context) : 0;
    CHECK(!clock.now || clock.now(clock.context) > first);
}

/* With and without a handler that counts the wraps. */
static void the_clock_that_follows_systick_changes_nothing(void)
{
    counted = true;
    follow();
    counted = false;
    follow();
}

int main(void)
{
    RUN(the_clock_that_follows_systick_changes_nothing);
#if WEFT_MAINLINE
    RUN(a_handler_that_follows_another_late_has_its_wrap);
#endif
    RUN(a_wide_clock_passes_the_wrap_of_its_counter);
    RUN(a_cycle_counter_that_stands_still_is_no_clock);
    return check_failed();
}
