/* SPDX-License-Identifier: MIT */
/* Whether a probe that is interrupted has recorded its event. The place of an interrupt within a probe is an address in
 * that probe (port/cortex-m/places.h). It does not tell whether the probe's event stands before the place in the
 * recording, or after it. Probes take most events by one store, or with interrupts masked: before that, the event comes
 * after the place. Else they say that it is *under way*, with a bit for each exception, from before interrupts are on
 * again until the event has its place in the recording. */
#ifndef WEFT_PORT_UNDER_WAY_H
#define WEFT_PORT_UNDER_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "port/cortex-m/cortexm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* exceptions / 32: of an ARMv8-M core; others have fewer */
#define WEFT_UNDER_WAY_WORDS 16u
/* Exceptions whose probe has an event under way; 0 stands for threads. In places.c, so linked where that is. */
extern uint32_t weft_under_way[WEFT_UNDER_WAY_WORDS] __attribute__((weak));

/* The caller's bit. word: NULL where there are no places. */
typedef struct weft_under_way_bit {
    volatile uint32_t *word;
    uint32_t bit;
} weft_under_way_bit;

static inline weft_under_way_bit weft_under_way_of_caller(void)
{
    uint32_t exception = weft_under_way ? weft_ipsr() : 0;
    return (weft_under_way_bit){weft_under_way ? &weft_under_way[exception / 32u] : (volatile uint32_t *)0,
                                (uint32_t)1 << exception % 32u};
}

/* Says whether an event of the caller is under way. What interrupts this leaves the word as it was. */
static inline void weft_note_bit(weft_under_way_bit own, bool is)
{
    if (own.word)
        *own.word = is ? *own.word | own.bit : *own.word & ~own.bit;
}

static inline void weft_note_under_way(bool is)
{
    weft_note_bit(weft_under_way_of_caller(), is);
}

#ifdef __cplusplus
}
#endif

#endif
