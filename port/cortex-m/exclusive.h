/* SPDX-License-Identifier: MIT */
/* Words that contexts share. Each function is one step: an exception comes before or after it. The contexts share one
 * processor, so only the compiler has to keep the order.
 *
 *     do {
 *         value = weft_exclusive_load(&word, &state);
 *         if (...) { weft_exclusive_leave(state); return; }
 *     } while (!weft_exclusive_store(&word, value + 1, state));
 *
 * Between load and store the word does not change: with LDREX the store fails if an exception came; without, interrupts
 * are masked (that needs privilege, and NMI comes anyway: event_ring.h says what that means there). */
#ifndef WEFT_PORT_EXCLUSIVE_H
#define WEFT_PORT_EXCLUSIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "port/cortex-m/cortexm.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline uint32_t weft_shared_get(const uint32_t *word)
{
    uint32_t value = *(const volatile uint32_t *)word;
    __asm volatile("" : : : "memory");
    return value;
}

static inline void weft_shared_set(uint32_t *word, uint32_t value)
{
    __asm volatile("" : : : "memory");
    *(volatile uint32_t *)word = value;
    __asm volatile("" : : : "memory");
}

#if WEFT_MAINLINE

static inline uint32_t weft_exclusive_load(uint32_t *word, uint32_t *state)
{
    uint32_t value;
    __asm volatile("ldrex %0, [%1]" : "=r"(value) : "r"(word) : "memory");
    *state = 0;
    return value;
}

static inline bool weft_exclusive_store(uint32_t *word, uint32_t value, uint32_t state)
{
    uint32_t failed;
    (void)state;
    __asm volatile("strex %0, %2, [%1]" : "=&r"(failed) : "r"(word), "r"(value) : "memory");
    return !failed;
}

static inline void weft_exclusive_leave(uint32_t state)
{
    (void)state;
    __asm volatile("clrex" : : : "memory");
}

#else

static inline uint32_t weft_exclusive_load(uint32_t *word, uint32_t *state)
{
    *state = weft_mask_interrupts();
    return weft_shared_get(word);
}

static inline bool weft_exclusive_store(uint32_t *word, uint32_t value, uint32_t state)
{
    weft_shared_set(word, value);
    weft_restore_interrupts(state);
    return true;
}

static inline void weft_exclusive_leave(uint32_t state)
{
    weft_restore_interrupts(state);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
