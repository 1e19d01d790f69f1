/* SPDX-License-Identifier: MIT */
/* The control symbols of a frame as its coder had them: loops of one path and records of several paths are what was
 * written. symbols.h makes paths of them. */
#ifndef WEFT_TOOLS_LIB_RECORDING_CODED_H
#define WEFT_TOOLS_LIB_RECORDING_CODED_H

#include "tools/lib/recording/frames.h"

typedef struct coded_symbols coded_symbols;

coded_symbols *coded_open(void);
void coded_close(coded_symbols *symbols);
/* Starts on the control section of a frame, which must stay valid. */
void coded_start(coded_symbols *symbols, const trace_body *body);
/* Reads up to `max` symbols, of all no more than the counts of the frame say; 0 at the end, or at damage. */
size_t coded_read(coded_symbols *symbols, uint32_t *out, size_t max);
/* `count` symbols stand for the mark read last, and are taken off those that may still come. False: there are fewer. */
bool coded_replace(coded_symbols *symbols, uint64_t count);
/* What was read is damaged, by what else the frame says. */
void coded_refuse(coded_symbols *symbols);
bool coded_corrupt(const coded_symbols *symbols);

#endif
