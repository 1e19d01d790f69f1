/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/weft/capture_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"

#define END (1u << 16) /* bytes that are kept of the start, and of the end: more than a description, or the totals */

struct capture_stream {
    int from, to; /* ends of the pipe */
    pthread_t thread;
    int error;
    uint64_t size;
    uint8_t start[END], end[2 * END], part[END];
    size_t start_size, end_size;
};

static void put(capture_stream *s, const uint8_t *bytes, size_t size)
{
    while (size && !s->error) {
        ssize_t part = write(STDOUT_FILENO, bytes, size);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0) {
            s->error = part ? errno : EIO;
            return;
        }
        bytes += part;
        size -= (size_t)part;
    }
}

/* The start, and what follows it as far as it may be the end. */
static void keep(capture_stream *s, const uint8_t *bytes, size_t size)
{
    size_t first = END - s->start_size < size ? END - s->start_size : size;
    memcpy(s->start + s->start_size, bytes, first);
    s->start_size += first;
    s->size += size;
    bytes += first;
    size -= first;
    if (s->end_size + size > sizeof s->end) { /* a part has at most END bytes */
        memmove(s->end, s->end + s->end_size - END, END);
        s->end_size = END;
    }
    memcpy(s->end + s->end_size, bytes, size);
    s->end_size += size;
}

/* What standard output does not take is thrown away: the emulator must not wait for ever. */
static void *copy(void *context)
{
    capture_stream *s = context;
    ssize_t size;
    while ((size = read(s->from, s->part, sizeof s->part)) > 0 || (size < 0 && errno == EINTR)) {
        if (size < 0)
            continue;
        keep(s, s->part, (size_t)size);
        put(s, s->part, (size_t)size);
    }
    return NULL;
}

capture_stream *capture_stream_open(char path[64])
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return NULL;
    capture_stream *s = memory_zero(1, sizeof *s);
    s->from = ends[0];
    s->to = ends[1];
    signal(SIGPIPE, SIG_IGN);
    int failed = pthread_create(&s->thread, NULL, copy, s);
    if (!failed) {
        snprintf(path, 64, "/proc/%ld/fd/%d", (long)getpid(), s->to);
        return s;
    }
    close(s->from);
    close(s->to);
    free(s);
    errno = failed;
    return NULL;
}

/* Reads the totals from a file that holds only the start and the end: they say the same of the whole. */
static bool summarise(const capture_stream *s, full_summary *summary, char *message, size_t message_size)
{
    char path[64];
    FILE *file = tmpfile();
    if (!file) {
        snprintf(message, message_size, "cannot make a temporary file: %s", strerror(errno));
        return false;
    }
    fwrite(s->start, 1, s->start_size, file);
    fwrite(s->end, 1, s->end_size, file);
    fflush(file);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    full_reader *reader = full_open(path, message, message_size);
    if (reader) {
        full_summarise(reader, summary);
        full_close(reader);
    }
    fclose(file);
    summary->bytes = s->size;
    return reader != NULL;
}

bool capture_stream_close(capture_stream *s, full_summary *summary, char *message, size_t message_size)
{
    close(s->to);
    pthread_join(s->thread, NULL);
    close(s->from);
    *summary = (full_summary){0};
    bool good = !s->error;
    if (!good)
        snprintf(message, message_size, "cannot write to standard output: %s", strerror(s->error));
    else
        good = summarise(s, summary, message, message_size);
    free(s);
    return good;
}
