/* SPDX-License-Identifier: MIT */
/* Which streams say where all edges lead, when executions are met in the order of time. Private to the room.
 *
 * Those of edges, and of addresses where stores are found by address. An address without numbers of its own needs what
 * it is computed from, and so on. But no edge of a register: its last definition was met just before. */
#ifndef WEFT_TOOLS_LIB_WET_SLICE_NEED_H
#define WEFT_TOOLS_LIB_WET_SLICE_NEED_H

#include "tools/lib/wet/file.h"

/* Of each stream that is needed, its node + 1; else 0. From malloc, the caller's. */
uint32_t *slice_need_find(const wet_file *f);
/* The stores from which a load without numbers of its own takes its word: those of its first byte. NULL: a damaged file
 * has none. */
const uint32_t *slice_need_stores(const wet_file_node *node, uint32_t operation, uint32_t *count);

#endif
