/* SPDX-License-Identifier: MIT */
#include "tools/weft/model_expand.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/affine/binary.h"
#include "tools/lib/affine/text.h"
#include "tools/lib/base/memory.h"
#include "tools/weft/command.h"

static const char binary_head[] = MODEL_HEAD;
enum { VERSION_AT = sizeof binary_head - 1, READ_SIZE = 65536 };

typedef struct expansion {
    input_format format;
    bool misfit; /* a value that the format cannot hold */
} expansion;

static bool write_values(void *context, const int64_t *values, size_t count)
{
    expansion *e = context;
    if (e->format == INPUT_I64 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return fwrite(values, sizeof *values, count, stdout) == count;
    for (size_t i = 0; i < count; i++)
        if (!input_write_value(values[i], e->format, stdout)) {
            e->misfit = true;
            return false;
        }
    return true;
}

static bool expand_nest(void *context, affine_nest *nest)
{
    bool done = affine_generate(nest, write_values, context);
    affine_nest_free(nest);
    return done;
}

/* Takes the check sum of version 2 off the bytes after the head. False: it is wrong. */
static bool check_sum(const char *head, const uint8_t *bytes, size_t *size)
{
    if (head[VERSION_AT] == 1)
        return true;
    if (*size < MODEL_CRC_SIZE)
        return false;
    *size -= MODEL_CRC_SIZE;
    weft_reader reader;
    weft_reader_init(&reader, bytes + *size, MODEL_CRC_SIZE);
    uint32_t crc = weft_crc32(0, (const uint8_t *)head, sizeof binary_head);
    return weft_read_u32(&reader) == weft_crc32(crc, bytes, *size);
}

/* The file is open, and its head was read. */
static int expand_binary(const char *path, FILE *file, const char *head, expansion *e)
{
    size_t size = 0, room = 0, at = 0, got;
    uint8_t *bytes = NULL;
    int status = EXIT_DONE;
    do {
        bytes = memory_room(bytes, size + READ_SIZE - 1, &room, 1);
        got = fread(bytes + size, 1, READ_SIZE, file);
        size += got;
    } while (got);
    if (!check_sum(head, bytes, &size))
        status = command_fail("model", EXIT_INPUT, "%s: the check sum is wrong: it is damaged or cut", path);
    while (at < size && status == EXIT_DONE) {
        affine_nest nest;
        if (!affine_decode(&nest, bytes, size, &at) || !expand_nest(e, &nest))
            status = ferror(stdout)
                         ? EXIT_INPUT
                         : command_fail("model", EXIT_INPUT, "%s: byte %zu: %s", path, at + sizeof binary_head,
                                        e->misfit ? "a value does not fit the format" : "this nest is damaged");
    }
    free(bytes);
    if (status == EXIT_DONE && head[VERSION_AT] == 1)
        command_fail("model", EXIT_DONE, "%s: unchecked: a file of version 1 has no check sum", path);
    return status;
}

static int expand_text(const char *path, FILE *file, expansion *e)
{
    char error[160];
    if (affine_parse(file, expand_nest, e, error))
        return command_fail("model", EXIT_DONE,
                            "%s: text unchecked: it has no check sum, and is taken as it is (-o writes one)", path);
    if (ferror(stdout))
        return EXIT_INPUT; /* main says so */
    return command_fail("model", EXIT_INPUT, "%s: %s%s", path, error,
                        e->misfit ? " (a value does not fit the format)" : "");
}

int model_expand(const char *path, input_format format)
{
    expansion e = {.format = format};
    char head[sizeof binary_head];
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!file)
        return command_fail("model", EXIT_INPUT, "%s: %s", path, strerror(errno));
    int first = getc(file), status;
    if (first == EOF && ferror(file)) {
        status = command_fail("model", EXIT_INPUT, "%s: %s", path, strerror(errno));
    } else if (first == EOF) {
        status = command_fail("model", EXIT_INPUT, "%s: it is empty, not a model", path);
    } else if (first == binary_head[0]) {
        head[0] = (char)first;
        bool right = fread(head + 1, 1, sizeof head - 1, file) == sizeof head - 1 &&
                     !memcmp(head, binary_head, VERSION_AT) && head[VERSION_AT] >= 1 &&
                     head[VERSION_AT] <= binary_head[VERSION_AT];
        status = right ? expand_binary(path, file, head, &e)
                       : command_fail("model", EXIT_INPUT, "%s: byte 0: neither loops nor a model", path);
    } else {
        ungetc(first, file);
        status = expand_text(path, file, &e);
    }
    if (file != stdin)
        fclose(file);
    return status;
}
