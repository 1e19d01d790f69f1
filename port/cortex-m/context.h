/* SPDX-License-Identifier: MIT */
/* What probes_*.c record into, and the context of an event. */
#ifndef WEFT_PORT_CONTEXT_H
#define WEFT_PORT_CONTEXT_H

#include "core/recorder.h"
#include "port/cortex-m/cortexm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The recorder of weft_start; NULL before weft_start and after weft_stop. */
extern weft_recorder *volatile weft_target_recorder;
/* The context of thread mode: 0, or 512 + the thread's number. */
extern volatile uint32_t weft_target_thread;

static inline uint32_t weft_target_context(void)
{
    uint32_t exception = weft_ipsr();
    return exception ? exception : weft_target_thread;
}

/* Masks interrupts and gives the recorder. NULL: there is none, and interrupts are as before. The recorder is read in
 * the critical section, since a handler may have stopped it, and started another one. */
static inline weft_recorder *weft_target_enter(uint32_t *primask)
{
    *primask = weft_mask_interrupts();
    weft_recorder *recorder = weft_target_recorder;
    if (!recorder)
        weft_restore_interrupts(*primask);
    return recorder;
}

#ifdef __cplusplus
}
#endif

#endif
