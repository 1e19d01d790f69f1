/* SPDX-License-Identifier: MIT */
/* What kernels do with masks, in their own shapes: they look first and mask then, save the mask on the stack, and count
 * how deep it is. Objects lost_* are races, fine_* are not. */
#include <stdint.h>

#include "port/cortex-m/cortexm.h"

enum { ROUNDS = 40, HANDLER = 8, USUAL = 0x80 };

volatile uint32_t fine_seen_first, fine_checked_twice, fine_saved, fine_deep, fine_loop, fine_kept, fine_reread;
volatile uint32_t lost_seen_first, lost_saved, lost_checked, lost_deep, lost_kept, lost_reread, lost_taken, lost_sent;
volatile uint32_t fine_taken, fine_taken_flag, fine_reset, fine_compared, of_taken;
volatile uint32_t fine_logged, lost_asked, lost_asked_deep;
uint32_t seen_before;

void IRQ8_Handler(void);
void IRQ8_Handler(void)
{
    fine_seen_first++;
    fine_checked_twice++;
    fine_saved++;
    fine_deep++;
    fine_loop++;
    fine_kept++;
    lost_kept++;
    fine_reread++;
    lost_reread++;
    lost_taken++;
    lost_sent += 3;
    fine_taken++;
    fine_taken_flag = 1; /* adds nothing to what is there */
    fine_reset++;
    fine_compared++;
    lost_seen_first++;
    lost_saved++;
    lost_checked++;
    lost_deep++;
    fine_logged++;
    lost_asked++;
    lost_asked_deep++;
}

static uint32_t save_and_mask(void)
{
    uint32_t saved;
    __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(saved)::"memory");
    return saved;
}

static void restore(uint32_t saved)
{
    __asm volatile("msr primask, %0\n\tisb" ::"r"(saved) : "memory");
}

static uint32_t raise_basepri(void)
{
    uint32_t saved;
    __asm volatile("mrs %0, basepri\n\tmsr basepri, %1\n\tisb" : "=&r"(saved) : "r"(USUAL) : "memory");
    return saved;
}

static void set_basepri(uint32_t to)
{
    __asm volatile("msr basepri, %0\n\tisb" ::"r"(to) : "memory");
}

static void looks_first(void)
{
    if (fine_seen_first) {
        uint32_t saved = raise_basepri();
        fine_seen_first--;
        set_basepri(saved);
    }
    if (!(fine_checked_twice & 1)) {
        uint32_t saved = raise_basepri();
        if (!(fine_checked_twice & 1))
            fine_checked_twice = 5;
        set_basepri(saved);
    }
    if (lost_seen_first < 1000) {
        uint32_t last = lost_seen_first;
        uint32_t saved = raise_basepri();
        lost_seen_first = last + 1;
        set_basepri(saved);
    }
    if (lost_checked != 1) {
        uint32_t saved = raise_basepri();
        lost_checked = 1; /* not looked at again: what came in between is lost */
        set_basepri(saved);
    }
}

/* What was loaded before the mask is compared with what is there now; for equality, or not. */
static void compares(void)
{
    uint32_t look = fine_reread;
    uint32_t saved = raise_basepri();
    if (fine_reread == look)
        fine_reread = look + 1;
    set_basepri(saved);
    look = lost_reread;
    saved = raise_basepri();
    if (lost_reread >= look)
        lost_reread = look + 1;
    set_basepri(saved);
}

__attribute__((noinline)) static void log_it(uint32_t n)
{
    if (n > 1000000)
        seen_before++;
}

__attribute__((noinline)) static uint32_t is_many(uint32_t n)
{
    if (n > 3)
        return 1;
    of_taken++;
    return 0;
}

__attribute__((noinline)) static uint32_t is_many_deep(uint32_t n)
{
    if (n < 4)
        return 0;
    log_it(n);
    return 1;
}

/* What a function decides on ends with it, but for its result. */
static void asks(void)
{
    log_it(fine_logged);
    fine_logged = 0;
    if (is_many(lost_asked))
        lost_asked = 0;
    if (is_many_deep(lost_asked_deep))
        lost_asked_deep = 0;
}

/* What is lost when a count is taken, and begins anew. */
static void takes(void)
{
    uint32_t taken = lost_taken;
    lost_taken = 0;
    of_taken += taken;
    of_taken ^= lost_sent;
    lost_sent = 100;
    uint32_t saved = raise_basepri();
    taken = fine_taken;
    fine_taken = 0;
    set_basepri(saved);
    of_taken += taken;
    taken = fine_taken_flag;
    fine_taken_flag = 0;
    of_taken += taken;
    fine_reset = 7; /* nobody keeps what was there */
    taken = fine_compared;
    saved = raise_basepri();
    if (fine_compared == taken) {
        fine_compared = 0;
        of_taken += taken;
    }
    set_basepri(saved);
}

/* As a queue waits: looks with the mask, and, if there is nothing, without. */
static void loops(void)
{
    for (;;) {
        uint32_t saved = raise_basepri();
        if (fine_loop) {
            fine_loop--;
            set_basepri(saved);
            return;
        }
        set_basepri(saved);
        if (!fine_loop)
            WEFT_NVIC_ISPR(0) = 1u << HANDLER;
    }
}

static void deep(void)
{
    uint32_t outer = save_and_mask();
    uint32_t inner = save_and_mask();
    fine_saved++;
    restore(inner);
    fine_deep++; /* the inner one restored the mask that was set */
    restore(outer);
    lost_deep++;
    inner = save_and_mask();
    restore(inner);
    lost_saved++;
}

/* Its caller's registers are stored and loaded together. */
__attribute__((noipa)) static void keeps_registers(void)
{
    __asm volatile("" ::: "r4", "r5", "r6");
}

/* What was read first is stored beside the pointer that the update goes through. */
__attribute__((noipa)) static uint32_t kept(volatile uint32_t *fine, volatile uint32_t *lost)
{
    uint32_t seen = *fine, last = *lost;
    keeps_registers();
    uint32_t saved = raise_basepri();
    *fine = *fine + 1;
    *lost = last + 1;
    set_basepri(saved);
    keeps_registers();
    return seen;
}

int main(void)
{
    weft_irq_priority(HANDLER, USUAL);
    weft_irq_enable(HANDLER);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        WEFT_NVIC_ISPR(0) = 1u << HANDLER;
        __asm volatile("dsb\n\tisb" ::: "memory");
        looks_first();
        compares();
        takes();
        asks();
        loops();
        deep();
        seen_before = kept(&fine_kept, &lost_kept);
    }
    return 0;
}
