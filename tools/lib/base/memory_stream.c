/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tools/lib/base/memory_stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "tools/lib/base/memory.h"

typedef struct stream {
    char **text;
    size_t *size, max;
} stream;

static ssize_t take(void *own, const char *bytes, size_t count)
{
    stream *s = own;
    *s->text = memory_room(*s->text, *s->size + count, &s->max, 1);
    memcpy(*s->text + *s->size, bytes, count);
    *s->size += count;
    (*s->text)[*s->size] = 0;
    return (ssize_t)count;
}

/* Answers only ftell: the present position. */
static int place(void *own, off64_t *at, int from)
{
    stream *s = own;
    bool here = from == SEEK_CUR && *at == 0;
    *at = (off64_t)*s->size;
    return here ? 0 : -1;
}

static int end(void *own)
{
    free(own);
    return 0;
}

FILE *memory_stream(char **text, size_t *size)
{
    stream *s = memory_zero(1, sizeof *s);
    *s = (stream){text, size, 0};
    *size = 0;
    *text = memory_room(NULL, 0, &s->max, 1);
    **text = 0;
    return memory_got(fopencookie(s, "w", (cookie_io_functions_t){.write = take, .seek = place, .close = end}));
}
