/* SPDX-License-Identifier: MIT */
/* Many pieces of memory that are freed together. */
#ifndef WEFT_TOOLS_LIB_IMAGE_RECORD_MEMORY_H
#define WEFT_TOOLS_LIB_IMAGE_RECORD_MEMORY_H

#include <stddef.h>

/* Starts as all zero. */
typedef struct record_memory {
    struct chunk *chunks;
} record_memory;

/* `count` elements of `size` bytes, all zero; NULL: out of memory. */
void *record_take(record_memory *s, size_t count, size_t size);
void record_memory_free(record_memory *s);

#endif
