/* SPDX-License-Identifier: MIT */
/* The control symbols of a frame, whatever coder wrote them. */
#ifndef WEFT_TOOLS_LIB_RECORDING_SYMBOLS_H
#define WEFT_TOOLS_LIB_RECORDING_SYMBOLS_H

#include "tools/lib/recording/frames.h"

typedef struct trace_symbols trace_symbols;
trace_symbols *trace_symbols_open(void);
void trace_symbols_close(trace_symbols *symbols);
/* Starts on the control section of a frame, which must stay valid. */
void trace_symbols_start(trace_symbols *symbols, const trace_body *body);
/* Reads up to `max` symbols; 0 at the end. Marks that say how often a path ended are paths here. */
size_t trace_symbols_read(trace_symbols *symbols, uint32_t *out, size_t max);
/* Whether reading ended at damage, or at a coder that this build does not know. */
bool trace_symbols_corrupt(const trace_symbols *symbols);

#endif
