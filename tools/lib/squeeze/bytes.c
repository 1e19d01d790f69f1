/* SPDX-License-Identifier: MIT */
#include "tools/lib/squeeze/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"

void squeeze_bytes_add(squeeze_bytes *bytes, const void *data, size_t size)
{
    if (size)
        bytes->data = memory_room(bytes->data, bytes->size + size - 1, &bytes->room, 1);
    if (size && data)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void squeeze_bytes_varint(squeeze_bytes *bytes, uint64_t value)
{
    uint8_t text[WEFT_VARINT64_MAX];
    weft_writer writer;
    weft_writer_init(&writer, text, sizeof text);
    weft_write_varint64(&writer, value);
    squeeze_bytes_add(bytes, text, writer.size);
}

void squeeze_bytes_free(squeeze_bytes *bytes)
{
    free(bytes->data);
    *bytes = (squeeze_bytes){0};
}
