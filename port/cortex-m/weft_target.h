/* SPDX-License-Identifier: MIT */
/* What firmware calls to record itself. Compile the firmware with the plugin; link core/, port/cortex-m/, and either
 * probes_direct.c (every context records) or probes_ring.c (what takes long waits for thread mode or weft_poll).
 * port/cortex-m/delivery.h says how. The other delivery, and the probes of the black box (probes_last.c,
 * probes_last_packed.c), stay out; so does blackbox.c, unless core/ and port/ are an archive. Then:
 *
 *     WEFT_RECORDER_DEF(trace, 2048, 256, 0);
 *     trace_config.sink = &sink;
 *     weft_start(&trace, &trace_config);
 *     ...
 *     weft_stop();
 *
 * Where probes may run. Code without privilege cannot mask interrupts (its cpsid does nothing), and nothing masks NMI
 * and HardFault. So:
 *
 *     direct  privileged code, and handlers other than those of NMI and HardFault. Compile these without the plugin. A
 *             probe that breaks this may spoil what the recorder holds. The recording counts such events, as many as
 *             take the longer way, and each reader then says that it may be wrong anywhere (status 3).
 *     ring    any code, on cores with LDREX (all but Cortex-M0, M0+ and M23). There, privileged code, and NMI.
 *
 * weft_start, weft_stop and weft_stop_for_good need privilege with either. */
#ifndef WEFT_PORT_WEFT_TARGET_H
#define WEFT_PORT_WEFT_TARGET_H

#include "core/recorder.h"
#include "port/cortex-m/probes.h" /* weft_poll */

#ifdef __cplusplus
extern "C" {
#endif

/* From here on the probes record. If the configuration names no build id, that of the image is used, given that the
 * linker script defines weft_build_id_start and weft_build_id_end. Likewise identity, from the descriptors, and run:
 * which start this is since the reset; or, if the linker script defines weft_run_before, a word that no reset clears,
 * one more than that word, which it then becomes. Returns the status of weft_recorder_init; or
 * WEFT_AGAIN, and nothing is done: a recording runs or has not been given to the sink (weft_stop did not return
 * WEFT_OK), or the caller has interrupted a probe. */
weft_status weft_start(weft_recorder *recorder, const weft_recorder_config *config);

/* What was recorded so far goes to the sink, so that a recording that is cut off has it. Any context. WEFT_AGAIN: call
 * it again later, since nothing is recorded at present, or the sink refused, or the caller has interrupted one that
 * works on the recording. */
weft_status weft_flush(void);

/* From here on the probes do nothing. Everything recorded goes to the sink, with the final statistics. WEFT_AGAIN: call
 * it again later, since
 *   - the caller has interrupted one that works on the recording or sends frames: the recording goes on; or
 *   - the sink still refuses after WEFT_STOP_TRIES offers: the probes do nothing, the rest waits. */
weft_status weft_stop(void);
/* The same for a caller that never returns to what it interrupted: before a reset, in a fault's handler. An event whose
 * probe was interrupted is counted as lost. What the sink refuses is given up. WEFT_AGAIN: not all is out. */
weft_status weft_stop_for_good(void);
/* The recorder of the recording that weft_start began and that is not all out yet; NULL: none. */
weft_recorder *weft_target_started(void);
/* weft_stop has ended the recording that was started last: it does not go on any more. */
bool weft_target_stopping(void);
/* Recordings that were started since the reset. */
uint32_t weft_target_runs(void);
#ifndef WEFT_STOP_TRIES
#define WEFT_STOP_TRIES 10000000
#endif

/* For an RTOS: call it where the scheduler switches, with the number of the thread that runs from now on, 0 to 2^20.
 * Without calls thread mode is one context, and so it is again after WEFT_NO_THREAD. */
void weft_thread_switch(uint32_t thread);
#define WEFT_NO_THREAD 0xffffffffu

/* Something that happened, at its place among paths and accesses: an id of the firmware's, below 2^31, and a number.
 * `weft dump` prints the name of the id and the number. Any context that may run probes. Where there is no room it is
 * counted as lost. */
void weft_event(uint32_t id, uint32_t value);
/* The same with two numbers. */
void weft_event2(uint32_t id, uint32_t value, uint32_t second);

/* Names. The text must live as long as the recording: it is read when frames are written. The configuration's `names`
 * has room for them. A name may be given again. An empty one says that what it named has ended: the old text is not
 * read any more, and the recording keeps the old name. Each returns WEFT_OK; WEFT_AGAIN: there is no recording, or the
 * caller has interrupted one that works on it; WEFT_FULL: no room. */

/* Names the event `id` of weft_event. The name may be a format of printf for its numbers, "level %u of %u", which the
 * host fills in (tools/lib/recording/event_text.h). */
weft_status weft_event_name(uint32_t id, const char *text);
/* Names a thread, by its number in weft_thread_switch. */
weft_status weft_thread_name(uint32_t thread, const char *text);
/* Names an exception, by its number in IPSR. */
weft_status weft_exception_name(uint32_t exception, const char *text);

/* Does nothing. Called last before the program leaves, when the trace is complete in memory: a debugger puts its
 * breakpoint here to read a RAM ring. */
void weft_target_done(void);

#ifdef __cplusplus
}
#endif

#endif
