/* SPDX-License-Identifier: MIT */
/* What firmware calls to record itself. Compile the firmware with the plugin; link core/, port/cortex-m/, and either
 * probes_direct.c (each event is recorded at once, with interrupts masked) or probes_ring.c (events go to a lock-free
 * ring; weft_poll records them). Then:
 *
 *     WEFT_RECORDER_DEF(trace, 2048, 256, 0);
 *     trace_config.sink = &sink;
 *     weft_start(&trace, &trace_config);
 *     ...
 *     weft_stop();
 */
#ifndef WEFT_PORT_WEFT_TARGET_H
#define WEFT_PORT_WEFT_TARGET_H

#include "core/recorder.h"
#include "port/cortex-m/probes.h" /* weft_poll */

/* From here on the probes record. If the configuration names no build id, that of the image is used, given that the
 * linker script defines weft_build_id_start and weft_build_id_end. Returns the status of weft_recorder_init. */
weft_status weft_start(weft_recorder *recorder, const weft_recorder_config *config);

/* From here on the probes do nothing. Everything recorded goes to the sink, with the final statistics. Returns
 * WEFT_AGAIN if the sink still refuses after WEFT_STOP_TRIES offers. If the call interrupts a weft_poll it does nothing
 * and returns WEFT_AGAIN. */
weft_status weft_stop(void);
#ifndef WEFT_STOP_TRIES
#define WEFT_STOP_TRIES 10000000
#endif

/* For an RTOS: call it where the scheduler switches, with the number of the thread that runs from now on, 0 to 2^20.
 * Without calls thread mode is one context, and so it is again after WEFT_NO_THREAD. */
void weft_thread_switch(uint32_t thread);
#define WEFT_NO_THREAD UINT32_MAX

#endif
