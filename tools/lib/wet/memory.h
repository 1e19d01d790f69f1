/* SPDX-License-Identifier: MIT */
/* The shadow of memory: which operation's instance stored each byte last. */
#ifndef WEFT_TOOLS_LIB_WET_MEMORY_H
#define WEFT_TOOLS_LIB_WET_MEMORY_H

#include <stdint.h>

/* An instance of an operation; producer 0: none. */
typedef struct wet_origin {
    uint32_t producer, instance;
} wet_origin;

typedef struct wet_memory wet_memory;

wet_memory *wet_memory_new(void);
void wet_memory_free(wet_memory *memory);
wet_origin wet_memory_get(const wet_memory *memory, uint32_t address);
void wet_memory_set(wet_memory *memory, uint32_t address, uint32_t size, wet_origin origin);

#endif
