/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* fopencookie, memmem */
#include "tools/lib/input/summed.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"

static const char mark[] = "# sum ";
enum { MARK = sizeof mark - 1, DIGITS = 8 };

struct summed {
    FILE *out, *stream;
    uint32_t crc;
};

static ssize_t pass_on(void *own, const char *bytes, size_t size)
{
    summed *s = own;
    s->crc = weft_crc32(s->crc, (const uint8_t *)bytes, size);
    return fwrite(bytes, 1, size, s->out) == size ? (ssize_t)size : 0;
}

summed *summed_begin(FILE *out)
{
    summed *s = memory_zero(1, sizeof *s);
    s->out = out;
    s->stream = memory_got(fopencookie(s, "w", (cookie_io_functions_t){.write = pass_on}));
    return s;
}

FILE *summed_stream(summed *s)
{
    return s->stream;
}

void summed_end(summed *s)
{
    (void)fclose(s->stream); /* an error stays at `out` */
    fprintf(s->out, "%s%08x\n", mark, (unsigned)s->crc);
    free(s);
}

/* The first line that begins so; or what ends the text so, where a newline before it was damaged. NULL: none. */
static const char *line_of_sum(const char *bytes, size_t size)
{
    for (const char *at = bytes; (at = memmem(at, size - (size_t)(at - bytes), mark, MARK)); at++)
        if (at == bytes || at[-1] == '\n' || (size_t)(at - bytes) + MARK + DIGITS + 1 == size)
            return at;
    return NULL;
}

summed_verdict summed_check(const char *bytes, size_t size)
{
    const char *line = line_of_sum(bytes, size);
    if (!line)
        return SUMMED_NOT;
    char expected[MARK + DIGITS + 2];
    size_t before = (size_t)(line - bytes);
    unsigned crc = weft_crc32(0, (const uint8_t *)bytes, before);
    size_t length = (size_t)snprintf(expected, sizeof expected, "%s%08x\n", mark, crc);
    return size - before == length && !memcmp(line, expected, length) ? SUMMED_RIGHT : SUMMED_WRONG;
}
