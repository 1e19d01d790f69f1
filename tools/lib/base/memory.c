/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 65536 /* bytes that are read at once, at least */ };

void *memory_got(void *memory)
{
    if (!memory) {
        fputs("weft: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

void *memory_zero(size_t count, size_t size)
{
    return memory_got(calloc(count ? count : 1, size ? size : 1));
}

void *memory_grow(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return memory_got(NULL);
    return memory_got(realloc(old, count && size ? count * size : 1));
}

char *memory_text(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(memory_grow(NULL, size, 1), text, size);
}

void *memory_more(void *old, size_t count, size_t *max, size_t size)
{
    *max = *max > (SIZE_MAX - 8) / 2 ? SIZE_MAX : 2 * *max + 8;
    if (*max <= count)
        *max = count + 1;
    return memory_grow(old, *max, size);
}

void *memory_read(const char *path, size_t *size)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    uint8_t *bytes = NULL;
    size_t max = 0, got;
    *size = 0;
    if (!file)
        return NULL;
    do {
        bytes = memory_room(bytes, *size + PIECE - 1, &max, 1);
        got = fread(bytes + *size, 1, max - *size, file);
        *size += got;
    } while (got);
    bool bad = ferror(file);
    int error = errno;
    if (file != stdin)
        fclose(file);
    if (!bad)
        return bytes;
    free(bytes);
    errno = error;
    return NULL;
}
