/* SPDX-License-Identifier: MIT */
/* Edges that are found by address: which store wrote a byte last. And bytes of the target's memory, as a set. */
#ifndef WEFT_TOOLS_LIB_WET_SEARCH_H
#define WEFT_TOOLS_LIB_WET_SEARCH_H

#include "tools/lib/wet/word.h"

typedef struct wet_bytes wet_bytes;

wet_bytes *wet_bytes_new(void);
void wet_bytes_free(wet_bytes *set);
bool wet_bytes_empty(const wet_bytes *set);
void wet_bytes_add(wet_bytes *set, uint32_t address, uint32_t size);
/* Takes bytes out; true if any was in. */
bool wet_bytes_take(wet_bytes *set, uint32_t address, uint32_t size);
bool wet_bytes_any(const wet_bytes *set, uint32_t address, uint32_t size);

/* The memory that an operation's execution accesses: up to FULL_ACCESSES_MAX addresses and sizes; their number. */
uint32_t wet_operation_accesses(wet_file *f, uint32_t node, uint32_t operation, uint32_t instance, uint32_t *addresses,
                                uint8_t *sizes);

/* The origin of byte `byte` of a load of an execution with timestamp `time`: by its part's edge, or by walking back in
 * time. */
wet_origin wet_load_origin(wet_file *f, uint32_t node, uint32_t load, uint32_t byte, uint32_t instance, uint32_t time);

#endif
