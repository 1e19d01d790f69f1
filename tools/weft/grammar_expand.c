/* SPDX-License-Identifier: MIT */
#include "tools/weft/grammar_expand.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/grammar/wpp.h"
#include "tools/lib/input/grammar.h"
#include "tools/lib/input/summed.h"
#include "tools/lib/input/terminals.h"
#include "tools/weft/command.h"

/* The value of a symbol's text: a number, or in chars a byte. The empty text is byte 0. */
static bool value_of(const char *text, bool number, int64_t *value)
{
    const uint8_t *b = (const uint8_t *)text;
    if (number)
        return terminals_is_number(text, value);
    bool two = (b[0] & 0xfc) == 0xc0 && (b[1] & 0xc0) == 0x80 && !b[2]; /* a byte from 0x80 on, in JSON */
    *value = two ? (b[0] << 6 | (b[1] & 0x3f)) & 0xff : b[0];
    return two || !b[0] || !b[1];
}

typedef struct expansion {
    const grammar_file *file;
    const int64_t *values;
    input_format format;
    uint64_t written;
} expansion;

static bool write_symbols(void *context, const uint32_t *symbols, size_t count)
{
    expansion *e = context;
    for (size_t i = 0; i < count; i++) {
        progress_printed(++e->written, "symbols");
        if (e->format == INPUT_TEXT)
            puts(e->file->names[symbols[i]]);
        else if (!input_write_value(e->values[symbols[i]], e->format, stdout))
            return false;
    }
    return !ferror(stdout);
}

/* Whether every symbol that the grammar uses can be written in the format. False: `*bad` cannot. */
static bool values_of(const grammar_file *file, input_format format, int64_t *values, size_t *bad)
{
    static const int64_t most[] = {
        [INPUT_CHARS] = 0xff, [INPUT_U8] = 0xff, [INPUT_U16] = 0xffff, [INPUT_U32] = 0xffffffff};
    for (size_t i = 0; format != INPUT_TEXT && i < file->name_count; i++) {
        *bad = i;
        if (!value_of(file->names[i], format != INPUT_CHARS || file->numbers, values + i))
            return false;
        if (format != INPUT_I64 && (values[i] < 0 || values[i] > most[format]))
            return false;
    }
    return true;
}

/* JSON, and text whose last line was removed: no check sum says whether it is as it was. */
static void say_unchecked(const char *name, const char *path)
{
    command_fail(name, EXIT_DONE,
                 "%s: text unchecked: it has no check sum, and is taken as it is (weft grammar writes one)", path);
}

/* The grammar of the file, and the stream from that: every symbol must fit the format before the first is written. */
static int expand_grammar(const char *name, const char *path, const char *bytes, size_t size, input_format format,
                          uint64_t limit)
{
    char error[200];
    size_t bad = 0;
    summed_verdict sum = wpp_is((const uint8_t *)bytes, size) ? SUMMED_RIGHT : summed_check(bytes, size);
    if (sum == SUMMED_WRONG)
        return command_fail(name, EXIT_INPUT,
                            "%s: the check sum is wrong: it was edited, damaged or cut. Without its last line, "
                            "'# sum ...', it is taken as it is",
                            path);
    grammar_file *file = grammar_read(bytes, size, limit, error);
    if (!file)
        return command_fail(name, EXIT_INPUT, "%s: %s", path, error);
    int64_t *values = memory_zero(file->name_count, sizeof *values);
    expansion e = {file, values, format, 0};
    int status = EXIT_DONE;
    if (file->rules->length > limit)
        status = command_fail(name, EXIT_INPUT, "%s: stands for %" PRIu64 " symbols; see --limit", path,
                              file->rules->length);
    else if (!values_of(file, format, values, &bad))
        status = command_fail(name, EXIT_INPUT, "%s: symbol '%.40s' does not fit the format", path, file->names[bad]);
    else
        grammar_expand(file->rules, write_symbols, &e);
    progress_end();
    if (sum == SUMMED_NOT && status == EXIT_DONE && fflush(stdout) == 0 && !ferror(stdout))
        say_unchecked(name, path);
    free(values);
    grammar_file_free(file);
    return status;
}

/* ---- whole program paths: numbers of 32 bits, given on as they are read ---- */

enum { PIECE = 4096, NUMBER_MAX = 11 /* bytes of a number and its newline */ };

static size_t put_decimal(uint8_t *to, uint32_t number)
{
    char digits[NUMBER_MAX];
    size_t at = sizeof digits;
    digits[--at] = '\n';
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    memcpy(to, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

static size_t put_binary(uint8_t *to, uint32_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = i < 4 ? (uint8_t)(number >> 8 * i) : 0;
    return size;
}

typedef struct printing {
    input_format format;
    int error; /* errno, on the thread that prints; 0: none */
} printing;

static bool write_numbers(void *context, const uint32_t *numbers, size_t count)
{
    printing *p = context;
    uint8_t bytes[PIECE * NUMBER_MAX];
    for (size_t done = 0; done < count; done += PIECE) {
        size_t end = count - done < PIECE ? count : done + PIECE, size = 0;
        for (size_t i = done; i < end; i++)
            size += p->format == INPUT_TEXT  ? put_decimal(bytes + size, numbers[i])
                    : p->format == INPUT_U32 ? put_binary(bytes + size, numbers[i], 4)
                                             : put_binary(bytes + size, numbers[i], 8);
        if (fwrite(bytes, 1, size, stdout) != size) {
            p->error = errno;
            return false;
        }
    }
    return true;
}

/* Whether every number of 32 bits can be written in the format. */
static bool takes_all(input_format format)
{
    return format == INPUT_TEXT || format == INPUT_U32 || format == INPUT_I64;
}

static int expand_numbers(const char *name, const char *path, const char *bytes, size_t size, input_format format,
                          uint64_t limit)
{
    char error[200];
    printing p = {.format = format};
    if (!wpp_expand((const uint8_t *)bytes, size, limit, write_numbers, &p))
        return command_fail(name, EXIT_INPUT, "%s: %s", path, grammar_no_path(limit, error));
    errno = p.error; /* main says it */
    return EXIT_DONE;
}

int grammar_expand_file(const char *name, const char *path, input_format format, uint64_t limit)
{
    size_t size;
    char *bytes = memory_read(path, &size);
    if (!bytes)
        return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", path, strerror(errno));
    bool direct = wpp_is((const uint8_t *)bytes, size) && takes_all(format);
    int status = (direct ? expand_numbers : expand_grammar)(name, path, bytes, size, format, limit);
    free(bytes);
    return status;
}
