/* SPDX-License-Identifier: MIT */
/* Where finished frames go: a file, a UART, a ring in RAM. Several sinks can exist in one program, so a sink
 * is a struct of functions with a context. */
#ifndef WEFT_HAL_SINK_H
#define WEFT_HAL_SINK_H

#include "core/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The contract of write:
 * - `frame` is one whole frame as it goes on the wire (COBS coded, the ending zero byte included), `size` > 0 bytes.
 *   The bytes are the caller's and are valid during the call only.
 * - All or nothing. WEFT_OK: every byte is taken and will go out, in the order of the calls. WEFT_AGAIN: refused,
 *   nothing was taken. The caller may offer the same frame again, or count its events as lost.
 * - Called by the recorder's owner, from any context, interrupt handlers included. Calls never overlap, but interrupts
 *   are on, and their handlers may interrupt a call. It must not call the recorder, so it is compiled without probes or
 *   marked no_instrument_function. Its own header says how long it may take.
 * - Negative: the sink is broken and every later write will fail too. Nothing was taken. */
typedef struct weft_sink {
    void *context;
    weft_status (*write)(void *context, const uint8_t *frame, size_t size);
} weft_sink;

#ifdef __cplusplus
}
#endif

#endif
