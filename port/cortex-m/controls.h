/* SPDX-License-Identifier: MIT */
/* What is recorded, changed while the program runs: by the firmware, or by a debugger that writes one word. Only what
 * is called is linked, and a probe costs nothing more. Each change is in the trace, so that nothing looks complete that
 * is not: every command names it, with exit status 3, and the end record counts what was left out. (Of a black box:
 * port/cortex-m/blackbox.h.)
 *
 *     pause, resume          here
 *     filter by context      here (filter.c): weft_filter_only, weft_filter_out
 *     begin at a trigger     port/cortex-m/trigger.h
 *     one activation in N    port/cortex-m/activations.h
 *
 * Not with a profile (the k-slab forest), which has no place for such marks. */
#ifndef WEFT_PORT_CONTROLS_H
#define WEFT_PORT_CONTROLS_H

#include "core/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The probes do nothing from here on, until weft_resume. weft_stop ends a recording that is paused, too. WEFT_AGAIN: no
 * recording runs, the caller has interrupted one that works on it, or the sink refused the mark: call it again later.
 * Needs privilege. */
weft_status weft_pause(void);
/* The probes record again; a trigger's part that has ended goes on. WEFT_AGAIN: nothing is paused, or weft_stop was
 * called, or the sink refuses what was recorded before, or the caller has interrupted one that works on it. */
weft_status weft_resume(void);

/* ---- filter by context: 0 is thread mode, 1 to 511 an exception, 512 + n thread n of weft_thread_switch ---- */

/* contexts that one filter may name */
#define WEFT_FILTER_MAX 8u

/* From here on, until the recording ends, only what these contexts do is recorded: each call adds one. Events of the
 * others take about as long as if they were recorded, and are counted. Nothing goes on across the change, as after a
 * pause. Where a pause or a trigger lets nothing be recorded, the filter changes for what is recorded after it.
 * WEFT_AGAIN: as weft_pause, and nothing has changed; or the sink refused the marks, and the recording is paused
 * until the call is repeated, or weft_resume. WEFT_FULL: too many. WEFT_CONFIG: there is a profile. */
weft_status weft_filter_only(uint32_t context);
/* All but these: each call adds one. A filter of the other sort ends with it. */
weft_status weft_filter_out(uint32_t context);
/* All contexts again. */
weft_status weft_filter_all(void);

/* ---- a debugger's word ---- */

/* A debugger writes a weft_request here, with an argument: request | argument << 8. weft_controls_poll obeys it. */
extern volatile uint32_t weft_control_word;
typedef enum weft_request {
    WEFT_REQUEST_NONE = 0,
    WEFT_REQUEST_PAUSE = 1,
    WEFT_REQUEST_RESUME = 2,
    WEFT_REQUEST_STOP = 3, /* weft_stop */
    /* For weft_controls_poll_all only. */
    WEFT_REQUEST_ONLY = 4,    /* weft_filter_only(argument) */
    WEFT_REQUEST_OUT = 5,     /* weft_filter_out(argument) */
    WEFT_REQUEST_ALL = 6,     /* weft_filter_all */
    WEFT_REQUEST_TRIGGER = 7, /* weft_trigger_now */
    WEFT_REQUEST_ARM = 8,     /* weft_trigger_arm(&weft_control_trigger) */
    WEFT_REQUEST_ARM_AT = 9,  /* the same, at the path with the number `argument` */
} weft_request;

/* To be called from the idle loop or a timer's thread: does what the word asks for, and sets it to 0 once that is done.
 * Any other number is left as it is. */
void weft_controls_poll(void);
/* The same with all requests: links filters and triggers. */
void weft_controls_poll_all(void);

#ifdef __cplusplus
}
#endif

#endif
