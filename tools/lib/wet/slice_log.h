/* SPDX-License-Identifier: MIT */
/* Where all edges of executions lead, found once for all slices of a file: they then need no stream. It holds the
 * executions from the first one on, as far as slices have asked; each later slice follows 4 bytes per edge.
 *
 * For each execution: its node, and a link for each edge of its node (slice_links.h says which). A link names an
 * operation of an execution: how many timestamps before, and the operation in its node. What it takes beyond
 * `log_max` bytes (file.h) goes to a file without a name in the folder for temporary files.
 *
 *     time  node                      edge of the node     link: timestamps before, operation
 *     1     0    0: x = 5
 *     2     1    0: y = y + x         x                    1, 0
 *                                     y                    none
 *     3     1    0: y = y + x         x                    2, 0
 *                                     y                    1, 0
 *
 * The slice of y at time 3 takes these links: to 1 and 2, and from 2 to 1. */
#ifndef WEFT_TOOLS_LIB_WET_SLICE_LOG_H
#define WEFT_TOOLS_LIB_WET_SLICE_LOG_H

#include "tools/lib/wet/slice_links.h"

/* The log of a file, up to a time at least. The file's. */
slice_log *slice_log_reach(wet_file *f, uint32_t time);
/* NULL may be given. */
void slice_log_free(slice_log *log);

#endif
