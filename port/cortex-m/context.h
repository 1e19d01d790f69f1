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
/* Where probes look for the path that is predicted: weft_recorder.history.at. NULL without a recorder. */
typedef const uint32_t *volatile weft_predicted;
extern weft_predicted *volatile weft_target_predicted;
/* From now on there is no recorder. */
void weft_target_forget(void);
/* The context of thread mode: 0, or WEFT_FIRST_THREAD_CONTEXT + the thread's number. */
extern volatile uint32_t weft_target_thread;
#define WEFT_FIRST_THREAD_CONTEXT 512u

#ifdef __cplusplus
}
#endif

#endif
