/* SPDX-License-Identifier: MIT */
/* Reads one record of .weft.desc, the descriptor of one function (the format: tools/lib/image/descriptor_format.h). */
#ifndef WEFT_TOOLS_LIB_IMAGE_RECORD_H
#define WEFT_TOOLS_LIB_IMAGE_RECORD_H

#include "tools/lib/image/descriptor_format.h"
#include "tools/lib/image/record_memory.h"

uint32_t record_load32(const uint8_t *p); /* little-endian */

/* Reads the record of `size` bytes, at least DESCRIPTOR_HEAD_SIZE, into `f`, which is all zero. NULL, or what is wrong
 * with it: `f` may then hold a graph, which the caller frees. */
const char *record_read(record_memory *s, descriptor_function *f, const uint8_t *record, size_t size);

#endif
