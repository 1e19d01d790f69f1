/* SPDX-License-Identifier: MIT */
/* The two ways to read a side of a comparison: recordings with probes, full recordings. Each is read for trails and
 * rows if there are no windows, else for these. NULL, or what is wrong. */
#ifndef WEFT_TOOLS_LIB_INSPECT_PART_READING_H
#define WEFT_TOOLS_LIB_INSPECT_PART_READING_H

#include "tools/lib/inspect/part_side.h"

const char *part_read_probes(part_side *s, part_window **windows, size_t count);
const char *part_read_full(part_side *s, part_window **windows, size_t count);

/* How often the instruction at `pc` was executed up to a time, that one included; of a full recording. */
uint64_t part_instance(const part_side *s, uint32_t pc, uint64_t time);
/* What an address is in the source, where two builds are compared: function and line, counted from its first. */
uint64_t part_line(const part_side *s, uint32_t pc);
/* The last instructions of a context before a time, `max` at most, oldest first, with the registers before each; of a
 * full recording. How many. */
size_t part_last(const part_side *s, uint32_t context, uint64_t time, part_step *steps, size_t max);

#endif
