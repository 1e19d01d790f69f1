/* SPDX-License-Identifier: MIT */
/* What probes_*.c record into, and the context of an event. */
#ifndef WEFT_PORT_CONTEXT_H
#define WEFT_PORT_CONTEXT_H

#include "core/recorder.h"
#include "port/cortex-m/cortexm.h"

/* The recorder of weft_start; NULL before weft_start and after weft_stop. */
extern weft_recorder *volatile weft_target_recorder;
/* The context of thread mode: 0, or 512 + the thread's number. */
extern volatile uint32_t weft_target_thread;

static inline uint32_t weft_target_context(void)
{
    uint32_t exception = weft_ipsr();
    return exception ? exception : weft_target_thread;
}

#endif
