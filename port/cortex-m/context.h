/* SPDX-License-Identifier: MIT */
/* What the probes record into, and the context of an event. */
#ifndef WEFT_PORT_CONTEXT_H
#define WEFT_PORT_CONTEXT_H

#include "core/recorder.h"
#include "port/cortex-m/cortexm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The recorder of weft_start; NULL before weft_start and after weft_stop. */
extern weft_recorder *volatile weft_target_recorder;
/* The context of thread mode: 0, or WEFT_FIRST_THREAD_CONTEXT + the thread's number. */
extern volatile uint32_t weft_target_thread;
#define WEFT_FIRST_THREAD_CONTEXT 512u

#ifdef __cplusplus
}
#endif

#endif
