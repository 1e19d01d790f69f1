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

/* From here on the probes record. The build id of the image is added to the configuration when the linker script
 * gives weft_build_id_start and weft_build_id_end and the configuration names none. Status of weft_recorder_init. */
weft_status weft_start(weft_recorder *recorder, const weft_recorder_config *config);

/* From here on the probes do nothing; everything recorded is given to the sink, with the final statistics. Returns WEFT_AGAIN
 * if the sink still refuses after WEFT_STOP_TRIES offers; or at once, and nothing is done, if it has interrupted a weft_poll. */
weft_status weft_stop(void);
#ifndef WEFT_STOP_TRIES
#define WEFT_STOP_TRIES 10000000
#endif

/* Background work: with probes_ring.c, records the events in the ring; with probes_direct.c nothing is waiting. Call it from
 * the idle loop or a timer's thread, at any time; a call during a call does nothing. False: this was one. */
bool weft_poll(void);

/* For an RTOS: the thread that runs from now on, 0 to 2^20; call it where the scheduler switches. Without calls thread
 * mode is one context. WEFT_NO_THREAD takes it back. */
void weft_thread_switch(uint32_t thread);
#define WEFT_NO_THREAD UINT32_MAX

/* The recorder of weft_start, NULL before and after. For probes_*.c. */
extern weft_recorder *volatile weft_target_recorder;
/* The context of thread mode: 0, or 512 + the thread's number. For probes_*.c. */
extern volatile uint32_t weft_target_thread;

/* The entry points that the compiler plugin calls. */
void __weft_path(uint32_t path);
void __weft_kpath(uint32_t path, uint32_t activation[4]); /* these two (probes_kpath.c) with probes_direct.c */
void __weft_kpath_exit(uint32_t path,
                       uint32_t activation[4]); /* only: an activation may end before a ring is drained */
void __weft_access(uint32_t site, const volatile void *address);
void __weft_value(uint32_t site, uint32_t value);
void __weft_value64(uint32_t site, uint64_t value);
/* In oracle builds only: empty functions that the emulator watches. */
void __weft_mark(uint32_t block);
void __weft_derived(uint32_t site, const volatile void *address);

#endif
