/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

void protobuf_free(protobuf *m)
{
    free(m->bytes);
    *m = (protobuf){0};
}

static void put_bytes(protobuf *m, const void *bytes, size_t size)
{
    if (!size)
        return;
    m->bytes = memory_room(m->bytes, m->size + size - 1, &m->max, 1);
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

static size_t varint(uint8_t bytes[10], uint64_t value)
{
    size_t size = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[size++] = (uint8_t)(value | 0x80);
    bytes[size++] = (uint8_t)value;
    return size;
}

static void put_varint(protobuf *m, uint64_t value)
{
    uint8_t bytes[10];
    put_bytes(m, bytes, varint(bytes, value));
}

void protobuf_number(protobuf *m, unsigned field, uint64_t value)
{
    put_varint(m, field << 3 | WIRE_VARINT);
    put_varint(m, value);
}

void protobuf_text(protobuf *m, unsigned field, const char *text)
{
    char *fit = json_fit(text);
    put_varint(m, field << 3 | WIRE_BYTES);
    put_varint(m, strlen(fit));
    put_bytes(m, fit, strlen(fit));
    free(fit);
}

void protobuf_message(protobuf *m, unsigned field, protobuf *inner)
{
    put_varint(m, field << 3 | WIRE_BYTES);
    put_varint(m, inner->size);
    put_bytes(m, inner->bytes, inner->size);
    inner->size = 0;
}

void protobuf_numbers(protobuf *m, unsigned field, const uint64_t *values, size_t count)
{
    uint8_t bytes[10];
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += varint(bytes, values[i]);
    put_varint(m, field << 3 | WIRE_BYTES);
    put_varint(m, size);
    for (size_t i = 0; i < count; i++)
        put_varint(m, values[i]);
}
