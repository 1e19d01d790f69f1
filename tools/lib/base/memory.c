/* SPDX-License-Identifier: MIT */
#include "tools/lib/base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define PIECE 65536                    /* bytes that are read at once, at least */
#define PAGE 4096u                     /* bytes: the least that a system has. Larger ones stay as they are */
#define LARGE_PAGE (UINT64_C(1) << 21) /* bytes */

static uint64_t limit; /* of the process; 0: none */

void *memory_got(void *memory)
{
    enum { HOST_FAILED = 4 };
    static _Thread_local bool ending; /* what exit flushes may need memory too (memory_stream.c) */
    if (memory)
        return memory;
    if (ending)
        _exit(HOST_FAILED);
    ending = true;
    if (limit)
        fprintf(stderr, "weft: more memory is needed than the limit of %" PRIu64 " bytes\n", limit);
    else
        fputs("weft: out of memory\n", stderr);
    exit(HOST_FAILED);
}

bool memory_set_limit(uint64_t bytes)
{
    struct rlimit data;
    limit = bytes;
    if (getrlimit(RLIMIT_DATA, &data))
        return false;
    data.rlim_cur = bytes && bytes < data.rlim_max ? bytes : data.rlim_max;
    return setrlimit(RLIMIT_DATA, &data) == 0;
}

uint64_t memory_limit(void)
{
    return limit;
}

void *memory_zero(size_t count, size_t size)
{
    return memory_got(calloc(count ? count : 1, size ? size : 1));
}

/* Large pages for a large array: far fewer page faults. Without them it is slower, that is all. All pages of the array
 * are asked for, so that it stays one mapping, which can grow without a copy. */
static void pages_ask(void *array, size_t bytes)
{
    size_t before = (uintptr_t)array & (PAGE - 1);
    if (array && bytes >= 2 * LARGE_PAGE)
        madvise((uint8_t *)array - before, (before + bytes + PAGE - 1) & ~(size_t)(PAGE - 1), MADV_HUGEPAGE);
}

void *memory_table(size_t count, size_t size)
{
    if (count > (SIZE_MAX - LARGE_PAGE) / size || count * size < 2 * LARGE_PAGE)
        return memory_zero(count, size);
    size_t bytes = (count * size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *table = memory_got(aligned_alloc(LARGE_PAGE, bytes));
    pages_ask(table, bytes);
    return memset(table, 0, bytes);
}

void *memory_grow(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return memory_got(NULL);
    void *array = memory_got(realloc(old, count && size ? count * size : 1));
    pages_ask(array, count * size);
    return array;
}

void *memory_try(size_t size)
{
    void *memory = malloc(size ? size : 1);
    pages_ask(memory, size);
    return memory;
}

void *memory_copy(const void *from, size_t count, size_t size)
{
    void *to = memory_zero(count + 1, size);
    if (count)
        memcpy(to, from, count * size);
    return to;
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

bool memory_is_endless(int file)
{
    struct stat about;
    return fstat(file, &about) == 0 && S_ISCHR(about.st_mode) && !isatty(file) && about.st_rdev != makedev(1, 3);
}

void *memory_read(const char *path, size_t *size)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    uint8_t *bytes = NULL;
    size_t max = 0, got;
    *size = 0;
    if (!file)
        return NULL;
    if (memory_is_endless(fileno(file))) {
        if (file != stdin)
            fclose(file);
        errno = ENOTSUP;
        return NULL;
    }
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
