/* SPDX-License-Identifier: MIT */
/* The control symbols of a frame, whatever coder wrote them. */
#ifndef WEFT_TOOLS_LIB_RECORDING_SYMBOLS_H
#define WEFT_TOOLS_LIB_RECORDING_SYMBOLS_H

#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/packs.h"

typedef struct trace_symbols trace_symbols;
/* `packs`: who knows which records stand for several paths (container_packs_of); it must outlive this. */
trace_symbols *trace_symbols_open(pack_source packs);
/* Each pack that is read goes to `seen` too, at least once. The source has a program. */
void trace_symbols_gather(trace_symbols *symbols, packs_gathered *seen);
void trace_symbols_close(trace_symbols *symbols);
/* Starts on the control section of a frame, which must stay valid. */
void trace_symbols_start(trace_symbols *symbols, const trace_body *body);
/* Reads up to `max` symbols; 0 at the end. Marks that say how often a path ended are paths here; so are records of
 * several paths, if the source knows them, each as often as the frame has it. Else such a record is a path with a
 * number of its own. */
size_t trace_symbols_read(trace_symbols *symbols, uint32_t *out, size_t max);
/* Paths so far less the records that they were in, modulo 2^64: the counts of a frame are of records. */
uint64_t trace_symbols_extra(const trace_symbols *symbols);
/* Paths of a frame, from its start, and of these, how many are of records of several. */
uint64_t trace_symbols_paths(trace_symbols *symbols, const trace_body *body, uint64_t *packed);
/* Whether reading ended at damage, or at a coder that this build does not know. */
bool trace_symbols_corrupt(const trace_symbols *symbols);

#endif
