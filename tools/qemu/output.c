/* SPDX-License-Identifier: MIT */
#include "tools/qemu/output.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "core/bytes.h"
#include "core/frame.h"
#include "tools/lib/recording/full_format.h"

#define QUEUE 4u
#define LEVEL 1

typedef struct chunk {
    uint8_t *bytes;
    size_t size;
    uint64_t time;
} chunk;

static struct {
    FILE *file;
    uint32_t sequence;
    uint32_t chain; /* CRC-32 of the content of the last frame */
    bool failed, stop;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    chunk queue[QUEUE];
    unsigned queued;
    ZSTD_CCtx *packer;
} out = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* Says once that writing failed; the rest is thrown away. */
static void fail(const char *what)
{
    if (!out.failed)
        fprintf(stderr, "weft_qemu: cannot write the recording: %s\n", what);
    out.failed = true;
}

/* `body` ends a buffer in which `shift` bytes are free before it, and the CRC's bytes after it. */
static void write_frame(uint8_t *buffer, size_t shift, size_t size)
{
    out.chain = weft_frame_check(buffer + shift, size);
    size = weft_frame_seal(buffer, shift, size);
    if (!out.failed && fwrite(buffer, 1, size, out.file) != size)
        fail(strerror(errno));
}

/* Room for a frame with a body of `size` bytes; its head is written. */
static uint8_t *begin_frame(uint64_t time, size_t size, size_t *shift, weft_writer *writer)
{
    size_t content = WEFT_FRAME_HEAD_MAX + size + WEFT_FRAME_CHECK_SIZE;
    uint8_t *buffer = malloc(WEFT_FRAME_SHIFT(content) + content + 1);
    const weft_frame frame = {.version = WEFT_FORMAT_VERSION,
                              .kind = WEFT_FRAME_FULL,
                              .sequence = out.sequence++,
                              .lost = out.chain,
                              .time = time};
    if (!buffer) {
        fail("out of memory");
        return NULL;
    }
    *shift = WEFT_FRAME_SHIFT(content);
    weft_writer_init(writer, buffer + *shift, content);
    weft_frame_head(writer, &frame);
    return buffer;
}

static void write_chunk(const chunk *c)
{
    size_t shift, bound = ZSTD_compressBound(c->size);
    weft_writer writer;
    uint8_t *buffer = begin_frame(c->time, 1 + WEFT_VARINT64_MAX + bound, &shift, &writer);
    if (!buffer)
        return;
    weft_write_u8(&writer, FULL_TAG_CHUNK);
    weft_write_varint64(&writer, c->size);
    size_t packed = ZSTD_compressCCtx(out.packer, writer.bytes + writer.size, bound, c->bytes, c->size, LEVEL);
    if (ZSTD_isError(packed))
        fail(ZSTD_getErrorName(packed));
    else
        write_frame(buffer, shift, writer.size + packed);
    free(buffer);
}

static void *writer_thread(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&out.lock);
    for (;;) {
        while (!out.queued && !out.stop)
            pthread_cond_wait(&out.changed, &out.lock);
        if (!out.queued)
            break;
        chunk c = out.queue[0];
        pthread_mutex_unlock(&out.lock);
        write_chunk(&c);
        free(c.bytes);
        pthread_mutex_lock(&out.lock);
        memmove(out.queue, out.queue + 1, --out.queued * sizeof *out.queue);
        pthread_cond_broadcast(&out.changed);
    }
    pthread_mutex_unlock(&out.lock);
    return NULL;
}

/* Waits until at most `left` chunks are queued; holds the lock afterwards. */
static void lock_when(unsigned left)
{
    pthread_mutex_lock(&out.lock);
    while (out.queued > left)
        pthread_cond_wait(&out.changed, &out.lock);
}

bool output_open(const char *path)
{
    out.file = fopen(path, "wb");
    out.packer = ZSTD_createCCtx();
    if (!out.file || !out.packer) {
        fprintf(stderr, "weft_qemu: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    if (pthread_create(&out.thread, NULL, writer_thread, NULL))
        return false;
    fwrite(WEFT_CONTAINER_HEAD, 1, WEFT_CONTAINER_HEAD_SIZE, out.file);
    return true;
}

void output_plain(uint8_t tag, uint64_t time, const void *bytes, size_t size)
{
    size_t shift;
    weft_writer writer;
    lock_when(0);
    uint8_t *buffer = begin_frame(time, 1 + size, &shift, &writer);
    if (buffer) {
        weft_write_u8(&writer, tag);
        weft_write_bytes(&writer, bytes, size);
        write_frame(buffer, shift, writer.size);
        if (fflush(out.file))
            fail(strerror(errno));
    }
    free(buffer);
    pthread_mutex_unlock(&out.lock);
}

void output_chunk(uint64_t time, uint8_t *bytes, size_t size)
{
    lock_when(QUEUE - 1);
    out.queue[out.queued++] = (chunk){bytes, size, time};
    pthread_cond_broadcast(&out.changed);
    pthread_mutex_unlock(&out.lock);
}

bool output_close(void)
{
    pthread_mutex_lock(&out.lock);
    out.stop = true;
    pthread_cond_broadcast(&out.changed);
    pthread_mutex_unlock(&out.lock);
    pthread_join(out.thread, NULL);
    if (fclose(out.file))
        fail(strerror(errno));
    ZSTD_freeCCtx(out.packer);
    return !out.failed;
}
