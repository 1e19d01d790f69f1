/* SPDX-License-Identifier: MIT */
/* The control-flow trace of a whole execution trace, in either direction: which node has each timestamp. Every node's
 * timestamps are walked by a cursor of their own, a chunk of time after the other. */
#ifndef WEFT_TOOLS_LIB_WET_CONTROL_H
#define WEFT_TOOLS_LIB_WET_CONTROL_H

#include "tools/lib/wet/file.h"

typedef struct wet_control wet_control;

/* Times from..to, both included, 1 <= from; walked from `to` down if `backward`. */
wet_control *wet_control_new(wet_file *f, uint32_t from, uint32_t to, bool backward);
void wet_control_free(wet_control *c);

/* The next chunk: *low is its lowest time, nodes[i] and instances[i] are the execution at time *low + i. Returns their
 * number; 0 at the end. Chunks come in the direction of the walk; inside, times always ascend. WET_NONE: no node has
 * that time (a damaged file). */
uint32_t wet_control_next(wet_control *c, uint32_t *low, const uint32_t **nodes, const uint32_t **instances);

/* Writes the addresses of the instructions executed at these times, in the order of the walk, to `out` (4 bytes each,
 * in memory order of this machine) through a buffer; NULL: only counts them. Returns the number of instructions. */
uint64_t wet_control_addresses(wet_file *f, uint32_t from, uint32_t to, bool backward, void *out);

#endif
