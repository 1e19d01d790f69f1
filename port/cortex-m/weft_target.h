/* SPDX-License-Identifier: MIT */
/* What firmware calls to record itself. Compile the firmware with the plugin, link core/, port/cortex-m/ and one of
 * probes_direct.c (each event is recorded at once, interrupts masked meanwhile) and probes_ring.c (events go to a lock-free
 * ring, weft_poll records them), and:
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

/* From here on the probes record. The build id of the image is added to the configuration when the linker script
 * gives weft_build_id_start and weft_build_id_end and the configuration names none. Status of weft_recorder_init. */
weft_status weft_start(weft_recorder *recorder, const weft_recorder_config *config);

/* From here on the probes do nothing; everything recorded is given to the sink, with the final statistics. Returns WEFT_AGAIN
 * if the sink still refuses after WEFT_STOP_TRIES offers; or at once, and nothing is done, if it has interrupted a weft_poll. */
weft_status weft_stop(void);
#ifndef WEFT_STOP_TRIES
#define WEFT_STOP_TRIES 10000000
#endif

/* For an RTOS: the thread that runs from now on, 0 to 2^20; call it where the scheduler switches. Without calls thread
 * mode is one context. WEFT_NO_THREAD takes it back. */
void weft_thread_switch(uint32_t thread);
#define WEFT_NO_THREAD UINT32_MAX

#endif
