/* SPDX-License-Identifier: MIT */
/* The interrupt of autostart.c that records what takes long, so that tasks need little stack for it. By macro:
 *
 *     WEFT_AUTO_IRQ             its number; its handler is named as in the program's vector table, by
 *     WEFT_AUTO_IRQ_HANDLER     (without this, IRQn_Handler); below 0: there is none, the probes do it themselves
 *     WEFT_AUTO_WORKER          1: one that the program does not use, found at the start. The vector table is then a
 *                               copy in RAM; so it is again if a kernel that starts sets a table in flash, as ThreadX
 *                               does. Not on a Cortex-M0, whose table cannot be moved
 *     WEFT_AUTO_VECTORS         words of that copy, a power of two: 16 and one for each interrupt of the part
 *     WEFT_AUTO_IRQ_FREE        bool name(unsigned irq), of a program that knows whom it serves: a kernel whose vectors
 *                               all lead to one wrapper. Its table may be in RAM
 *
 * A board of ours has interrupt 31 for it, other programs none. */
#ifndef WEFT_PORT_AUTO_WORKER_H
#define WEFT_PORT_AUTO_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/weft_target.h"

#ifndef WEFT_AUTO_WORKER
#define WEFT_AUTO_WORKER 0
#endif
#ifndef WEFT_AUTO_IRQ
#ifdef WEFT_AUTO_BOARD
#define WEFT_AUTO_IRQ 31
#else
#define WEFT_AUTO_IRQ (-1)
#endif
#endif

#define AUTO_WORKER_PRIORITY 0xc0 /* low, above what has 255, such as PendSV under an RTOS */
#define AUTO_FIRST_IRQ 16         /* in a vector table */

#if WEFT_AUTO_WORKER || WEFT_AUTO_IRQ >= 0

typedef void auto_handler(void);

static inline auto_handler *const volatile *auto_vector_table(void)
{
    return (auto_handler *const volatile *)(uintptr_t)WEFT_SCB_VTOR;
}

static inline void auto_worker_begin(unsigned irq)
{
    weft_irq_priority(irq, AUTO_WORKER_PRIORITY);
    weft_irq_enable(irq);
    weft_poll_in(irq);
}

#endif

#if WEFT_AUTO_WORKER

#ifndef WEFT_AUTO_VECTORS
#define WEFT_AUTO_VECTORS 256
#endif
_Static_assert((WEFT_AUTO_VECTORS & (WEFT_AUTO_VECTORS - 1)) == 0 && WEFT_AUTO_VECTORS >= 64,
               "WEFT_AUTO_VECTORS is a power of two, 64 or more");

void weft_worker(void);
static auto_handler *volatile weft_worker_vectors[WEFT_AUTO_VECTORS] __attribute__((aligned(4 * WEFT_AUTO_VECTORS)));

void weft_worker(void)
{
    (void)weft_poll();
}

#ifdef WEFT_AUTO_IRQ_FREE

bool WEFT_AUTO_IRQ_FREE(unsigned irq);

static bool auto_has_no_handler(auto_handler *const volatile *table, unsigned lines, unsigned irq)
{
    (void)table;
    (void)lines;
    return WEFT_AUTO_IRQ_FREE(irq);
}

static bool auto_stays(auto_handler *const volatile *table)
{
    (void)table;
    return true;
}

#else

/* Whether the interrupt seems unused: it has no handler, or shares one with other interrupts. */
static bool auto_has_no_handler(auto_handler *const volatile *table, unsigned lines, unsigned irq)
{
    auto_handler *handler = table[AUTO_FIRST_IRQ + irq];
    for (unsigned i = 0; handler && i < AUTO_FIRST_IRQ + lines; i++)
        if (i != AUTO_FIRST_IRQ + irq && table[i] == handler)
            return true;
    return !handler;
}

/* Where the program has its table in RAM, it may write to that later, and would not find it in use. */
static bool auto_stays(auto_handler *const volatile *table)
{
    const uint32_t ram = 0x20000000;
    return (uint32_t)(uintptr_t)table < ram;
}

#endif

static bool auto_is_free(auto_handler *const volatile *table, unsigned lines, unsigned irq)
{
    return !(WEFT_NVIC_ISER(irq / 32) >> irq % 32 & 1) && auto_has_no_handler(table, lines, irq);
}

/* The last free interrupt whose priority can be set: only those exist in the part. The last, since parts give the first
 * numbers to what most programs use. `lines`: there is none. */
static unsigned auto_free_irq(auto_handler *const volatile *table, unsigned lines)
{
    for (unsigned irq = lines; irq-- > 0;) {
        if (!auto_is_free(table, lines, irq))
            continue;
        weft_irq_priority(irq, AUTO_WORKER_PRIORITY);
        if (WEFT_NVIC_IPR(irq / 4) >> 8 * (irq % 4) & AUTO_WORKER_PRIORITY)
            return irq;
    }
    return lines;
}

static bool auto_can_move(auto_handler *const volatile *table)
{
    return auto_stays(table) && AUTO_FIRST_IRQ + WEFT_IRQ_LINES <= WEFT_AUTO_VECTORS;
}

static void auto_set_table(auto_handler *const volatile *table)
{
    weft_barrier();
    WEFT_SCB_VTOR = (uint32_t)(uintptr_t)table;
    weft_barrier();
}

/* False: the table stays where it is. The copy is made with interrupts on, since it takes long. Who interrupts that
 * makes the same one; then the rest of it is left. */
static bool auto_move(auto_handler *const volatile *table, unsigned lines, unsigned irq)
{
    for (unsigned i = 0; i < AUTO_FIRST_IRQ + lines && auto_vector_table() == table; i++)
        weft_worker_vectors[i] = i == AUTO_FIRST_IRQ + irq ? weft_worker : table[i];
    uint32_t primask = weft_mask_interrupts();
    bool moved = auto_vector_table() == weft_worker_vectors;
    if (!moved && auto_vector_table() == table) {
        auto_set_table(weft_worker_vectors);
        moved = auto_vector_table() == weft_worker_vectors;
        if (!moved)
            auto_set_table(table);
    }
    weft_restore_interrupts(primask);
    return moved;
}

static unsigned auto_irq;

/* False: there is no free interrupt, or the table cannot be moved or is too long. */
static bool auto_worker_start(void)
{
    auto_handler *const volatile *table = auto_vector_table();
    unsigned lines = WEFT_IRQ_LINES;
    auto_irq = auto_can_move(table) ? auto_free_irq(table, lines) : lines;
    if (auto_irq == lines || !auto_move(table, lines, auto_irq))
        return false;
    auto_worker_begin(auto_irq);
    return true;
}

bool weft_worker_leads(void);

/* Whether the interrupt leads here. The program may have set another table since the start: one in flash, where the
 * interrupt still has no handler, is moved like the first. */
bool weft_worker_leads(void)
{
    auto_handler *const volatile *table = auto_vector_table();
    if (table[AUTO_FIRST_IRQ + auto_irq] == weft_worker)
        return true;
    unsigned lines = WEFT_IRQ_LINES;
    return table != weft_worker_vectors && auto_can_move(table) && auto_has_no_handler(table, lines, auto_irq) &&
           auto_move(table, lines, auto_irq);
}

#elif WEFT_AUTO_IRQ >= 0

#ifndef WEFT_AUTO_IRQ_HANDLER
#define HANDLER_(number) IRQ##number##_Handler
#define HANDLER(number) HANDLER_(number)
#define WEFT_AUTO_IRQ_HANDLER HANDLER(WEFT_AUTO_IRQ)
#endif
void WEFT_AUTO_IRQ_HANDLER(void);

void WEFT_AUTO_IRQ_HANDLER(void)
{
    (void)weft_poll();
}

/* False: the vector table leads elsewhere. */
static bool auto_worker_start(void)
{
    if (auto_vector_table()[AUTO_FIRST_IRQ + WEFT_AUTO_IRQ] != WEFT_AUTO_IRQ_HANDLER)
        return false;
    auto_worker_begin(WEFT_AUTO_IRQ);
    return true;
}

#else

static bool auto_worker_start(void)
{
    return true;
}

#endif

#endif
