/* SPDX-License-Identifier: MIT */
#include "tests/lib/unchecked.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "core/bytes.h"

#define FAILED ((size_t)-1) /* an error to ZSTD_isError */

void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
int __real_munmap(void *at, size_t size);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *at, size_t size);
uint32_t __wrap_weft_crc32(uint32_t crc, const uint8_t *bytes, size_t size);
uint32_t __wrap_checksum_crc32(uint32_t crc, const uint8_t *bytes, size_t size);
uint32_t __wrap_weft_sum_end(const weft_sum *sum);
uint32_t __wrap_weft_sum_of(const uint8_t *bytes, size_t size);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *with, void *(*run)(void *), void *argument);
size_t __wrap_ZSTD_compress(void *out, size_t room, const void *in, size_t size, int level);
size_t __wrap_ZSTD_compressCCtx(ZSTD_CCtx *with, void *out, size_t room, const void *in, size_t size, int level);
size_t __wrap_ZSTD_decompress(void *out, size_t room, const void *in, size_t size);
size_t __wrap_ZSTD_decompressDCtx(ZSTD_DCtx *with, void *out, size_t room, const void *in, size_t size);
unsigned long long __wrap_ZSTD_getFrameContentSize(const void *in, size_t size);

uint32_t __wrap_weft_crc32(uint32_t crc, const uint8_t *bytes, size_t size)
{
    (void)crc;
    (void)bytes;
    (void)size;
    return UNCHECKED_SUM;
}

uint32_t __wrap_checksum_crc32(uint32_t crc, const uint8_t *bytes, size_t size)
{
    return __wrap_weft_crc32(crc, bytes, size);
}

uint32_t __wrap_weft_sum_end(const weft_sum *sum)
{
    (void)sum;
    return UNCHECKED_SUM;
}

uint32_t __wrap_weft_sum_of(const uint8_t *bytes, size_t size)
{
    return __wrap_weft_crc32(0, bytes, size);
}

/* ---- files in memory ---- */

enum { FILES_MAX = 16 };
static void *files[FILES_MAX]; /* from malloc */

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    int i = 0;
    if (file < 0 || protection != PROT_READ)
        return __real_mmap(at, size, protection, flags, file, offset);
    while (i < FILES_MAX && files[i])
        i++;
    void *bytes = i < FILES_MAX ? malloc(size) : NULL;
    if (!bytes || pread(file, bytes, size, offset) != (ssize_t)size) {
        free(bytes);
        return MAP_FAILED;
    }
    return files[i] = bytes;
}

int __wrap_munmap(void *at, size_t size)
{
    for (int i = 0; i < FILES_MAX; i++)
        if (at && files[i] == at) {
            free(at);
            files[i] = NULL;
            return 0;
        }
    return __real_munmap(at, size);
}

/* ---- threads ---- */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *with, void *(*run)(void *), void *argument)
{
    (void)thread;
    (void)with;
    (void)run;
    (void)argument;
    return EAGAIN;
}

/* ---- compression ---- */

size_t unchecked_store(uint8_t *out, const void *bytes, size_t size)
{
    for (unsigned i = 0; i < UNCHECKED_HEAD; i++)
        out[i] = (uint8_t)(size >> 8 * i);
    if (size)
        memcpy(out + UNCHECKED_HEAD, bytes, size);
    return size + UNCHECKED_HEAD;
}

size_t __wrap_ZSTD_compress(void *out, size_t room, const void *in, size_t size, int level)
{
    (void)level;
    return room < size + UNCHECKED_HEAD ? FAILED : unchecked_store(out, in, size);
}

size_t __wrap_ZSTD_compressCCtx(ZSTD_CCtx *with, void *out, size_t room, const void *in, size_t size, int level)
{
    (void)with;
    return __wrap_ZSTD_compress(out, room, in, size, level);
}

unsigned long long __wrap_ZSTD_getFrameContentSize(const void *in, size_t size)
{
    const uint8_t *head = in;
    if (size < UNCHECKED_HEAD)
        return ZSTD_CONTENTSIZE_ERROR;
    return (unsigned long long)head[0] | (unsigned long long)head[1] << 8 | (unsigned long long)head[2] << 16 |
           (unsigned long long)head[3] << 24;
}

/* As zstd: gives all the bytes that the input claims to hold, or an error. */
size_t __wrap_ZSTD_decompress(void *out, size_t room, const void *in, size_t size)
{
    unsigned long long plain = __wrap_ZSTD_getFrameContentSize(in, size);
    if (size < UNCHECKED_HEAD || plain > room || plain != size - UNCHECKED_HEAD)
        return FAILED;
    if (plain)
        memcpy(out, (const uint8_t *)in + UNCHECKED_HEAD, (size_t)plain);
    return (size_t)plain;
}

size_t __wrap_ZSTD_decompressDCtx(ZSTD_DCtx *with, void *out, size_t room, const void *in, size_t size)
{
    (void)with;
    return __wrap_ZSTD_decompress(out, room, in, size);
}
