/* SPDX-License-Identifier: MIT */
/* Bytes of the target's memory, as a set; for edges that are found by address. */
#ifndef WEFT_TOOLS_LIB_WET_SEARCH_H
#define WEFT_TOOLS_LIB_WET_SEARCH_H

#include "tools/lib/wet/file.h"

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

#endif
