/* SPDX-License-Identifier: MIT */
/* How many bytes a string function of the C library will read or write. The plugin's code asks before such a call, to
 * announce them (tools/gcc/transfers.cc). No byte is read that the function would not read, and none twice. They take
 * some five instructions per byte, and no stack but what they save. */
#include "core/own.h"
#include "port/cortex-m/probes.h"

uint32_t __weft_string(const char *string, uint32_t limit)
{
    uint32_t size = 0;
    while (size < limit && string[size++] != 0)
        ;
    return size;
}

uint32_t __weft_appended(const char *string, uint32_t limit)
{
    uint32_t length = 0;
    while (length < limit && string[length] != 0)
        length++;
    return length + 1;
}

uint32_t __weft_string_until(const char *string, int byte)
{
    uint32_t size = 0;
    char at;
    do
        at = string[size++];
    while (at != 0 && at != (char)byte);
    return size;
}

uint32_t __weft_bytes_until(const void *bytes, int byte, uint32_t limit)
{
    const uint8_t *from = bytes;
    uint32_t size = 0;
    while (size < limit && from[size++] != (uint8_t)byte)
        ;
    return size;
}

uint32_t __weft_same_string(const char *one, const char *other, uint32_t limit)
{
    uint32_t size = 0;
    while (size < limit) {
        char at = one[size], there = other[size];
        size++;
        if (at != there || at == 0)
            break;
    }
    return size;
}

uint32_t __weft_same_bytes(const void *one, const void *other, uint32_t limit)
{
    const uint8_t *a = one, *b = other;
    uint32_t size = 0;
    while (size < limit) {
        uint8_t at = a[size], there = b[size];
        size++;
        if (at != there)
            break;
    }
    return size;
}
