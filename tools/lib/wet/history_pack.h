/* SPDX-License-Identifier: MIT */
/* An architecture history as a section of a file (file.h), each event's bits as the column that takes least: the places
 * of the misses, those of the hits, or the bits, 32 per word. */
#ifndef WEFT_TOOLS_LIB_WET_HISTORY_PACK_H
#define WEFT_TOOLS_LIB_WET_HISTORY_PACK_H

#include "tools/lib/squeeze/bytes.h"
#include "tools/lib/wet/history.h"

/* Appends it to the directory and the data. */
void wet_history_pack(const wet_history *h, int tier, squeeze_bytes *directory, squeeze_bytes *data);
/* Bytes that each kind takes: those of its columns, and its part of the directory, compressed by itself. */
void wet_history_sizes(const wet_history *h, int tier, uint64_t sizes[MISSES_KINDS]);

#endif
