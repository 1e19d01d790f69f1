/* SPDX-License-Identifier: MIT */
/* Bytes that grow at their end. */
#ifndef WEFT_TOOLS_LIB_SQUEEZE_BYTES_H
#define WEFT_TOOLS_LIB_SQUEEZE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Start with {0}; free with squeeze_bytes_free. */
typedef struct squeeze_bytes {
    uint8_t *data;
    size_t size, room;
} squeeze_bytes;

/* Appends `size` bytes; of unknown content if `data` is NULL. */
void squeeze_bytes_add(squeeze_bytes *bytes, const void *data, size_t size);
void squeeze_bytes_varint(squeeze_bytes *bytes, uint64_t value);
void squeeze_bytes_free(squeeze_bytes *bytes);

#endif
