/* SPDX-License-Identifier: MIT */
/* Loads whose stores no edge names: which store wrote a byte last is found by its address. First in the load's own
 * execution and window of time (snapshots.h), back from the load; the snapshots say which window before wrote the word,
 * and what it held in between. Private to the room; below word_alone.h, which asks for words through it. */
#ifndef WEFT_TOOLS_LIB_WET_STORE_SEARCH_H
#define WEFT_TOOLS_LIB_WET_STORE_SEARCH_H

#include "tools/lib/wet/edge.h"

/* How the words of addresses and data are found. */
typedef uint32_t wet_word_find(wet_file *f, wet_execution *at, uint32_t slot);

/* The last of the edge's producers that wrote the byte at `address` before the load's operation of this execution.
 * Producer 0: none. */
wet_origin wet_store_find(wet_file *f, const wet_load_edge *edge, wet_execution *at, uint32_t operation,
                          uint32_t address, wet_word_find *find);
/* What load number `load` got: all its bytes are of one store. Without one the file is damaged. */
uint32_t wet_store_word(wet_file *f, wet_execution *at, uint32_t load, wet_word_find *find);

#endif
