/* SPDX-License-Identifier: MIT */
/* The control symbols of a frame, whatever coder wrote them, read a few at a time. */
#ifndef WEFT_TOOLS_LIB_RECORDING_SYMBOLS_H
#define WEFT_TOOLS_LIB_RECORDING_SYMBOLS_H

#include "tools/lib/recording/frames.h"

/* The symbols of one frame's control section, whatever its coder, in pieces. */
typedef struct trace_symbols trace_symbols;
trace_symbols *trace_symbols_open(void);
void trace_symbols_close(trace_symbols *symbols);
/* The body's sections must stay valid. */
void trace_symbols_start(trace_symbols *symbols, const trace_body *body);
/* Up to `max` next symbols; 0 at the end. After the end, trace_symbols_corrupt tells whether it was a proper one. */
size_t trace_symbols_read(trace_symbols *symbols, uint32_t *out, size_t max);
bool trace_symbols_corrupt(const trace_symbols *symbols);

#endif
