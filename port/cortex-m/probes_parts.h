/* SPDX-License-Identifier: MIT */
/* What the probes of paths, packs and accesses share; no other file includes it. */
#ifndef WEFT_PORT_CORTEX_M_PROBES_PARTS_H
#define WEFT_PORT_CORTEX_M_PROBES_PARTS_H

#include "core/recorder_fast.h"
#include "port/cortex-m/delivery.h"
#include "port/cortex-m/event_ring.h"
#include "port/cortex-m/probes.h"

/* A number, or what a macro stands for, in the text of an assembler statement. */
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/* The recorder, if it is open for the caller. With interrupts masked. */
static inline weft_recorder *open_recorder(void)
{
    weft_recorder *recorder = weft_target_recorder;
    return recorder && recorder->open == weft_ipsr() ? recorder : NULL;
}

/* If there is no room for another path: a step of its own, so that the mask before is short. */
static inline void keep_if_full(weft_recorder *recorder)
{
    if (weft_recorder_control_fits(recorder))
        return;
    uint32_t primask = weft_mask_interrupts();
    if (recorder == weft_target_recorder)
        weft_recorder_keep(recorder);
    weft_restore_interrupts(primask);
}

/* What the fast ways of a pack do not take. In probes_packs.c. */
void weft_pack_slowly(uint32_t number, uint32_t word);

#endif
