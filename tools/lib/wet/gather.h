/* SPDX-License-Identifier: MIT */
/* A full recording and its ELF -> nodes with a row per execution. */
#ifndef WEFT_TOOLS_LIB_WET_GATHER_H
#define WEFT_TOOLS_LIB_WET_GATHER_H

#include "tools/lib/wet/trace.h"

/* Reads a recording twice (ways of indirect jumps first). NULL and a message: it cannot be read, or is damaged. A
 * recording that is cut is read as far as it goes; *cut then says so. `model`: of the architecture history
 * (tools/lib/misses/model.h); NULL: none is made. */
wet_trace *wet_trace_read(const char *full, const char *elf, const char *model, bool *cut, char *message,
                          size_t message_size);
void wet_trace_free(wet_trace *trace);

#endif
