/* SPDX-License-Identifier: MIT */
/* Interrupt-driven firmware. Four handlers at four priorities and thread mode pre-empt each other:
 *
 *   urgent  (software interrupt 20)  ^  counts; requested from everywhere, so it interrupts everything
 *   timer                            |  makes ticks      -> ring `ticks`   -> thread
 *   SysTick                          |  makes samples    -> ring `samples` -> PendSV
 *   PendSV                           |  filters samples  -> ring `levels`  -> thread
 *   thread                              sorts all the time, checks what arrives
 *
 * Each source makes a fixed number of items, so the checksum does not depend on timing; everything else does. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "boards/board.h"
#include "port/cortex-m/cortexm.h"
#include "port/cortex-m/systick_clock.h"

#ifndef ITEMS
#define ITEMS 300
#endif

enum { URGENT_IRQ = 20, SYSTICK = 15, PENDSV = 14, SYSTICK_CYCLES = 9000, TIMER_RATE = 3500, RING = 16 };

void SysTick_Handler(void);
void PendSV_Handler(void);
void IRQ20_Handler(void);
void BOARD_TIMER_HANDLER(void);

/* One producer and one consumer, of different priorities. */
typedef struct ring {
    volatile uint16_t head, tail;
    volatile uint16_t items[RING];
} ring;

static ring samples, levels, ticks;
static volatile uint16_t samples_made, ticks_made;
static volatile uint32_t urgent_runs, urgent_pended;

static bool ring_put(ring *r, uint16_t item)
{
    uint16_t head = r->head;
    if ((uint16_t)(head - r->tail) == RING)
        return false;
    r->items[head % RING] = item;
    r->head = (uint16_t)(head + 1);
    return true;
}

static bool ring_get(ring *r, uint16_t *item)
{
    uint16_t tail = r->tail;
    if (tail == r->head)
        return false;
    *item = r->items[tail % RING];
    r->tail = (uint16_t)(tail + 1);
    return true;
}

/* The most urgent interrupt starts within two instructions, so no two requests become one. */
static void pend_urgent(void)
{
    uint32_t primask = weft_mask_interrupts();
    urgent_pended++;
    weft_irq_pend(URGENT_IRQ);
    weft_restore_interrupts(primask);
    weft_barrier();
}

void IRQ20_Handler(void)
{
    urgent_runs++;
}

static uint16_t sample_of(uint16_t n)
{
    uint16_t x = (uint16_t)(n * 40503u);
    for (int i = 0; i < 3; i++)
        x = (uint16_t)(x & 1 ? x >> 1 ^ 0xb400 : x >> 1);
    return x;
}

void SysTick_Handler(void)
{
    weft_systick_tick();
    if (samples_made == ITEMS)
        return;
    if (ring_put(&samples, sample_of(samples_made)))
        samples_made++;
    if (samples_made % 16 == 0)
        pend_urgent();
    WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET;
}

void BOARD_TIMER_HANDLER(void)
{
    weft_board_timer_acknowledge();
    if (ticks_made == ITEMS)
        return;
    if (ring_put(&ticks, ticks_made))
        ticks_made++;
    if (ticks_made % 8 == 0)
        pend_urgent();
}

static uint16_t window[8];

static uint16_t filter(uint16_t sample)
{
    uint32_t sum = 0;
    for (int i = 7; i > 0; i--)
        window[i] = window[i - 1];
    window[0] = sample;
    for (int i = 0; i < 8; i++)
        sum += window[i];
    return (uint16_t)(sum / 8);
}

void PendSV_Handler(void)
{
    uint16_t sample;
    while ((uint16_t)(levels.head - levels.tail) < RING && ring_get(&samples, &sample))
        ring_put(&levels, filter(sample));
}

/* Work for thread mode. True: the keys are in order. */
static bool sort_something(uint32_t seed)
{
    uint8_t keys[24];
    for (unsigned i = 0; i < sizeof keys; i++)
        keys[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
    for (unsigned i = 1; i < sizeof keys; i++) {
        uint8_t key = keys[i];
        unsigned j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
    for (unsigned i = 1; i < sizeof keys; i++)
        if (keys[i - 1] > keys[i])
            return false;
    return true;
}

static void start(void)
{
    weft_irq_priority(URGENT_IRQ, 0x00);
    weft_irq_priority(BOARD_TIMER_IRQ, 0x40);
    weft_exception_priority(SYSTICK, 0x80);
    weft_exception_priority(PENDSV, 0xc0);
    weft_irq_enable(URGENT_IRQ);
    weft_irq_enable(BOARD_TIMER_IRQ);
    weft_board_timer_start(TIMER_RATE);
    WEFT_SYST_RVR = SYSTICK_CYCLES - 1;
    WEFT_SYST_CVR = 0;
    WEFT_SYST_CSR = 7;
}

static void stop(void)
{
    weft_board_timer_stop();
    WEFT_SYST_CSR = 0;
    weft_irq_disable(BOARD_TIMER_IRQ);
}

int main(void)
{
    uint32_t sum = 2166136261u, errors = 0, seen_levels = 0, seen_ticks = 0;
    start();
    for (uint32_t round = 0; seen_levels < ITEMS || seen_ticks < ITEMS; round++) {
        uint16_t item;
        if (ring_get(&levels, &item)) {
            sum = (sum ^ item) * 16777619u;
            seen_levels++;
            WEFT_SCB_ICSR = WEFT_ICSR_PENDSVSET; /* there is room in `levels` again */
        }
        if (ring_get(&ticks, &item))
            errors += item != seen_ticks++;
        errors += !sort_something(round);
        if (round % 32 == 0)
            pend_urgent();
    }
    stop();
    errors += urgent_runs != urgent_pended;
    printf("interrupts: %lu levels, %lu ticks, %lu errors, checksum %08lx\n", (unsigned long)seen_levels,
           (unsigned long)seen_ticks, (unsigned long)errors, (unsigned long)sum);
    return errors != 0;
}
