/* SPDX-License-Identifier: MIT */
/* Reads one record of .weft.desc, the descriptor of one function (the format: tools/lib/image/descriptor_format.h). */
#ifndef WEFT_TOOLS_LIB_IMAGE_RECORD_H
#define WEFT_TOOLS_LIB_IMAGE_RECORD_H

#include "tools/lib/image/descriptor_format.h"

/* Many pieces of memory that are freed together; starts as all zero. */
typedef struct record_memory {
    struct chunk *chunks;
} record_memory;

/* `count` elements of `size` bytes, all zero; NULL: out of memory. */
void *record_take(record_memory *s, size_t count, size_t size);
void record_memory_free(record_memory *s);

uint32_t record_load32(const uint8_t *p); /* little-endian */

/* Reads the record of `size` bytes, at least DESCRIPTOR_HEAD_SIZE, into `f`, which is all zero. NULL, or what is wrong
 * with it: `f` may then hold a graph, which the caller frees. */
const char *record_read(record_memory *s, descriptor_function *f, const uint8_t *record, size_t size);

#endif
