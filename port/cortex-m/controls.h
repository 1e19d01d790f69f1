/* SPDX-License-Identifier: MIT */
/* What is recorded, changed while the program runs: by the firmware, or by a debugger that writes one word. Only what
 * is called is linked, and a probe costs nothing more. Each change is in the trace, so that nothing looks complete that
 * is not: every command names the pause, with exit status 3. (Of a black box: port/cortex-m/blackbox.h.) */
#ifndef WEFT_PORT_CONTROLS_H
#define WEFT_PORT_CONTROLS_H

#include "core/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The probes do nothing from here on, until weft_resume. weft_stop ends a recording that is paused, too. WEFT_AGAIN: no
 * recording runs, the caller has interrupted one that works on it, or the sink refused the mark: call it again later.
 * Wants privilege. */
weft_status weft_pause(void);
/* The probes record again. WEFT_AGAIN: nothing is paused, or the sink refuses what was recorded before. */
weft_status weft_resume(void);

/* A debugger writes a weft_request here; weft_controls_poll obeys it. */
extern volatile uint32_t weft_control_word;
typedef enum weft_request {
    WEFT_REQUEST_NONE = 0,
    WEFT_REQUEST_PAUSE = 1,
    WEFT_REQUEST_RESUME = 2,
    WEFT_REQUEST_STOP = 3, /* weft_stop */
} weft_request;

/* To be called from the idle loop or a timer's thread: does what the word asks for, and sets it to 0 once that is done.
 * Any other number is left as it is. */
void weft_controls_poll(void);

#ifdef __cplusplus
}
#endif

#endif
