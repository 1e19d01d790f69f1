/* SPDX-License-Identifier: MIT */
/* A Cortex-M0 for code of port/cortex-m that runs on the host: included before everything else (-include), in place of
 * port/cortex-m/cortexm.h and exclusive.h. One interrupt may come at each step, where interrupts are not masked: a
 * step is a mask, its end, or the reading of a word that contexts share. The program supplies simulated_step. */
#ifndef WEFT_TESTS_LIB_SIMULATED_CORE_H
#define WEFT_TESTS_LIB_SIMULATED_CORE_H

#define WEFT_PORT_CORTEXM_H
#define WEFT_PORT_EXCLUSIVE_H

#include <stdbool.h>
#include <stdint.h>

#define WEFT_MAINLINE 0
#define WEFT_CONTROL_UNPRIVILEGED 1u
#define WEFT_CONTROL_PROCESS_STACK 2u

extern uint32_t simulated_exception; /* that runs; 0 in thread mode */
extern uint32_t simulated_primask;
/* An interrupt may come here. */
void simulated_step(void);

static inline uint32_t weft_ipsr(void)
{
    return simulated_exception;
}

static inline uint32_t weft_control(void)
{
    return 0;
}

static inline bool weft_masked(void)
{
    return simulated_primask;
}

static inline bool weft_unmaskable(uint32_t exception)
{
    return exception == 2 || exception == 3;
}

static inline uint32_t weft_mask_interrupts(void)
{
    simulated_step();
    uint32_t primask = simulated_primask;
    simulated_primask = 1;
    return primask;
}

static inline void weft_restore_interrupts(uint32_t primask)
{
    simulated_primask = primask;
    simulated_step();
}

static inline void weft_barrier(void)
{
}

static inline void weft_irq_pend(unsigned irq)
{
    (void)irq;
}

static inline uint32_t weft_shared_get(const uint32_t *word)
{
    simulated_step();
    return *(const volatile uint32_t *)word;
}

static inline void weft_shared_set(uint32_t *word, uint32_t value)
{
    simulated_step();
    *(volatile uint32_t *)word = value;
}

static inline uint32_t weft_exclusive_load(uint32_t *word, uint32_t *state)
{
    *state = weft_mask_interrupts();
    return *(volatile uint32_t *)word;
}

static inline bool weft_exclusive_store(uint32_t *word, uint32_t value, uint32_t state)
{
    *(volatile uint32_t *)word = value;
    weft_restore_interrupts(state);
    return true;
}

static inline void weft_exclusive_leave(uint32_t state)
{
    weft_restore_interrupts(state);
}

#endif
