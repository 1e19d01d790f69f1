/* SPDX-License-Identifier: MIT */
/* weft squeeze and weft unsqueeze. The file:
 *
 *     "weftsqz" 2           what it is, and the version
 *     1 byte                the format of the stream (input_format)
 *     1 and a block         tools/lib/squeeze/squeeze.h; as often as there are blocks
 *     0
 *     8 bytes               number of values
 *     4 bytes               CRC-32 of all bytes before
 *
 * Version 1 ends before the check sum. It is still read. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/input/input.h"
#include "tools/lib/squeeze/squeeze.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

static const uint8_t magic[7] = {'w', 'e', 'f', 't', 's', 'q', 'z'};
enum { VERSION_OLD = 1, VERSION = 2, HEAD_SIZE = sizeof magic + 2, TAIL_SIZE = 9, CRC_SIZE = 4 };

static const char squeeze_help[] =
    "usage: weft squeeze IN -o OUT [--format FORMAT] [--backward] [--json]\n\n"
    "Compresses a stream of numbers with bidirectional value predictors (FCM, differential FCM, last-n, last-n\n"
    "stride; the best is chosen by trial). IN is a file, or - for standard input.\n\n"
    "  -o OUT           the file to write\n"
    "  --format FORMAT  chars, text (default), u8, u16, u32 or i64\n"
    "  --backward       takes the stream from its end\n"
    "  --json           one JSON object: values, bytes, method, context\n";

static const char unsqueeze_help[] =
    "usage: weft unsqueeze FILE [-o OUT] [--backward] [--format FORMAT] [--json]\n\n"
    "Writes the numbers that `weft squeeze` stored to standard output, in the format they came in.\n\n"
    "  -o OUT           to this file instead\n"
    "  --backward       from the end\n"
    "  --format FORMAT  another format: chars, text, u8, u16, u32 or i64\n"
    "  --json           prints values, bytes, method, context; the numbers only to OUT\n";

typedef struct squeeze_options {
    const char *in, *out;
    input_format format;
    bool format_given, backward, json;
} squeeze_options;

static int options_read(squeeze_options *o, int argc, char **argv, const char *help)
{
    const input_format none = (input_format)-1;
    input_format format = none;
    const command_option list[] = {{"format", .format = &format},
                                   {"backward", .flag = &o->backward},
                                   {"json", .flag = &o->json},
                                   {"o", .text = &o->out},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (optind + 1 != argc)
        return command_fail(argv[0], EXIT_USAGE, "takes one file");
    o->format_given = format != none;
    o->format = o->format_given ? format : o->format;
    o->in = argv[optind];
    return OPTIONS_READ;
}

static void print_json(uint64_t values, uint64_t bytes, squeeze_choice choice)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "values", values);
    json_unsigned(j, "bytes", bytes);
    json_string(j, "method", weft_bfcm_names[choice.method]);
    json_integer(j, "context", choice.context);
    json_end_object(j);
    json_finish(j);
}

/* ---- squeeze ---- */

typedef struct squeezing {
    FILE *file;
    uint32_t crc; /* of all that was written */
    squeeze_packer *packer;
    squeeze_bytes bytes;
    squeeze_choice choice;
    bool chosen;
    uint64_t values, written;
    uint32_t *narrow;
} squeezing;

static void put(squeezing *s, const uint8_t *bytes, size_t size)
{
    fwrite(bytes, 1, size, s->file);
    s->crc = weft_crc32(s->crc, bytes, size);
    s->written += size;
}

static bool all_narrow(const int64_t *numbers, size_t count)
{
    int64_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= numbers[i];
    return (uint64_t)any >> 32 == 0;
}

static void block_add(squeezing *s, const int64_t *numbers, size_t count)
{
    static const uint8_t more = 1;
    bool narrow = all_narrow(numbers, count);
    s->bytes.size = 0;
    squeeze_bytes_add(&s->bytes, &more, 1);
    for (size_t i = 0; narrow && i < count; i++)
        s->narrow[i] = (uint32_t)numbers[i];
    if (!s->chosen)
        s->choice = narrow ? squeeze_choose32(s->packer, s->narrow, count)
                           : squeeze_choose64(s->packer, (const uint64_t *)numbers, count);
    s->chosen = true;
    if (narrow)
        squeeze_pack32(s->packer, &s->bytes, s->choice, s->narrow, count);
    else
        squeeze_pack64(s->packer, &s->bytes, s->choice, (const uint64_t *)numbers, count);
    put(s, s->bytes.data, s->bytes.size);
    s->values += count;
}

static void reverse(int64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        int64_t other = numbers[count - 1 - i];
        numbers[count - 1 - i] = numbers[i];
        numbers[i] = other;
    }
}

/* Forward the stream is read a block at a time; from its end it must be in memory. */
static void squeeze_all(squeezing *s, input *in, bool backward)
{
    size_t count;
    if (backward) {
        int64_t *numbers = input_all_numbers(in, &count);
        if (!numbers)
            return;
        reverse(numbers, count);
        for (size_t i = 0; i < count; i += SQUEEZE_BLOCK_MAX)
            block_add(s, numbers + i, count - i < SQUEEZE_BLOCK_MAX ? count - i : SQUEEZE_BLOCK_MAX);
        free(numbers);
        return;
    }
    int64_t *numbers = memory_grow(NULL, SQUEEZE_BLOCK_MAX, sizeof *numbers);
    while ((count = input_numbers(in, numbers, SQUEEZE_BLOCK_MAX)) > 0)
        block_add(s, numbers, count);
    free(numbers);
}

static void file_head(squeezing *s, input_format format)
{
    uint8_t more[] = {VERSION, (uint8_t)format};
    put(s, magic, sizeof magic);
    put(s, more, sizeof more);
}

static void put_number(squeezing *s, uint64_t number, unsigned size)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    put(s, bytes, size);
}

static void file_tail(squeezing *s)
{
    put_number(s, 0, 1);
    put_number(s, s->values, 8);
    put_number(s, s->crc, CRC_SIZE);
}

/* Writes the whole stream to `out`. The exit status; the file gets its name if it is EXIT_DONE. */
static int squeeze_to(const char *name, squeezing *s, input *in, const squeeze_options *o)
{
    char message[300];
    output *out = output_open(o->out, message, sizeof message);
    if (!out)
        return command_fail(name, EXIT_HOST, "%s", message);
    s->file = output_stream(out);
    file_head(s, o->format);
    squeeze_all(s, in, o->backward);
    file_tail(s);
    if (input_error(in)) {
        output_discard(out);
        return command_fail(name, EXIT_INPUT, "%s: %s", o->in, input_error(in));
    }
    if (!output_commit(out, message, sizeof message))
        return command_fail(name, EXIT_HOST, "%s", message);
    return EXIT_DONE;
}

int command_squeeze(int argc, char **argv)
{
    squeeze_options o = {.format = INPUT_TEXT};
    int status = options_read(&o, argc, argv, squeeze_help);
    if (status >= 0)
        return status;
    if (!o.out)
        return command_fail(argv[0], EXIT_USAGE, "needs -o OUT");
    if ((status = command_output(argv[0], o.out, o.json, true)) != EXIT_DONE)
        return status;
    if (command_same_file(o.in, o.out))
        return command_fail(argv[0], EXIT_USAGE, "'%s' is the input", o.out);
    input *in = input_open(o.in, o.format);
    if (!in)
        return command_fail(argv[0], EXIT_INPUT, "cannot read '%s': %s", o.in, strerror(errno));
    squeezing s = {.packer = squeeze_packer_new()};
    s.narrow = memory_grow(NULL, SQUEEZE_BLOCK_MAX, sizeof *s.narrow);
    status = squeeze_to(argv[0], &s, in, &o);
    if (status == EXIT_DONE && o.json)
        print_json(s.values, s.written, s.choice);
    else if (status == EXIT_DONE)
        fprintf(command_says(o.out), "%" PRIu64 " values in %" PRIu64 " bytes: %s, context %u\n", s.values, s.written,
                weft_bfcm_names[s.choice.method], s.choice.context);
    free(s.narrow);
    squeeze_bytes_free(&s.bytes);
    squeeze_packer_free(s.packer);
    input_close(in);
    return status;
}

/* ---- unsqueeze ---- */

typedef struct squeezed_file {
    const uint8_t *bytes;
    size_t file_size, size; /* size: without the check sum */
    uint64_t values;
    squeeze_choice choice;
    size_t *blocks; /* offsets */
    size_t count, max;
} squeezed_file;

/* Takes the check sum off. False: it is wrong, or the bytes are not a squeezed stream. */
static bool file_check(squeezed_file *f)
{
    if (f->size < HEAD_SIZE + TAIL_SIZE || memcmp(f->bytes, magic, sizeof magic) || f->bytes[HEAD_SIZE - 1] > INPUT_I64)
        return false;
    uint8_t version = f->bytes[sizeof magic];
    if (version == VERSION_OLD)
        return true;
    if (version != VERSION || f->size < HEAD_SIZE + TAIL_SIZE + CRC_SIZE)
        return false;
    f->size -= CRC_SIZE;
    weft_reader crc;
    weft_reader_init(&crc, f->bytes + f->size, CRC_SIZE);
    return weft_read_u32(&crc) == weft_crc32(0, f->bytes, f->size);
}

/* The block at `at`; gives its size, 0 if it is damaged. */
static size_t file_block(squeezed_file *f, size_t at, uint64_t *values)
{
    squeeze_cursor cursor;
    size_t used;
    if (squeeze_open(&cursor, f->bytes + at, f->size - at, &used) != WEFT_OK)
        return 0;
    *values += squeeze_count(&cursor);
    f->choice = cursor.wide ? (squeeze_choice){cursor.wide_bfcm.config.method, cursor.wide_bfcm.config.context}
                            : (squeeze_choice){cursor.bfcm.config.method, cursor.bfcm.config.context};
    squeeze_close(&cursor);
    f->blocks = memory_room(f->blocks, f->count, &f->max, sizeof *f->blocks);
    f->blocks[f->count++] = at;
    return used;
}

/* Opens every block once, which checks it. The offset of the first bad byte's block, or SIZE_MAX. */
static size_t file_scan(squeezed_file *f)
{
    size_t at = HEAD_SIZE;
    uint64_t total = 0;
    if (!file_check(f))
        return 0;
    while (at < f->size && f->bytes[at] == 1) {
        size_t used = file_block(f, at + 1, &total);
        if (!used)
            return at;
        at += 1 + used;
    }
    if (f->size - at != TAIL_SIZE || f->bytes[at] != 0)
        return at;
    for (int i = 0; i < 8; i++)
        f->values |= (uint64_t)f->bytes[at + 1 + (size_t)i] << (8 * i);
    return f->values == total ? SIZE_MAX : at;
}

static bool block_print(const squeezed_file *f, size_t block, bool backward, input_format format, FILE *to)
{
    squeeze_cursor cursor;
    uint64_t part[4096];
    size_t used, got;
    if (squeeze_open(&cursor, f->bytes + f->blocks[block], f->size - f->blocks[block], &used) != WEFT_OK)
        return false;
    size_t count = squeeze_count(&cursor);
    while (backward && count)
        count -= squeeze_forward(&cursor, part, count < 4096 ? count : 4096);
    bool fits = true;
    while (fits && (got = backward ? squeeze_backward(&cursor, part, 4096) : squeeze_forward(&cursor, part, 4096)) > 0)
        for (size_t i = 0; fits && i < got; i++)
            fits = input_write_value((int64_t)part[i], format, to);
    squeeze_close(&cursor);
    return fits;
}

static int print_values(const squeezed_file *f, const squeeze_options *o, FILE *to, const char *name)
{
    input_format format = o->format_given ? o->format : (input_format)f->bytes[HEAD_SIZE - 1];
    for (size_t i = 0; i < f->count; i++)
        if (!block_print(f, o->backward ? f->count - 1 - i : i, o->backward, format, to))
            return ferror(to) ? EXIT_INPUT : command_fail(name, EXIT_INPUT, "a value does not fit the format");
    if (format == INPUT_CHARS)
        putc('\n', to);
    return EXIT_DONE;
}

static int unsqueeze_to_file(const squeezed_file *f, const squeeze_options *o, const char *name)
{
    char message[300];
    output *out = output_open(o->out, message, sizeof message);
    if (!out)
        return command_fail(name, EXIT_HOST, "%s", message);
    int status = print_values(f, o, output_stream(out), name);
    if (status != EXIT_DONE && !ferror(output_stream(out)))
        output_discard(out);
    else if (!output_commit(out, message, sizeof message))
        status = command_fail(name, EXIT_HOST, "%s", message);
    return status;
}

static int unsqueeze_all(squeezed_file *f, const squeeze_options *o, const char *name)
{
    size_t bad = file_scan(f);
    if (bad != SIZE_MAX)
        return command_fail(name, EXIT_INPUT, "%s is not a squeezed stream, or damaged, at byte %zu", o->in, bad);
    int status = o->out ? unsqueeze_to_file(f, o, name) : !o->json ? print_values(f, o, stdout, name) : EXIT_DONE;
    if (status == EXIT_DONE && o->json)
        print_json(f->values, f->file_size, f->choice);
    return status;
}

int command_unsqueeze(int argc, char **argv)
{
    squeeze_options o = {.format = INPUT_TEXT};
    int status = options_read(&o, argc, argv, unsqueeze_help);
    if (status >= 0)
        return status;
    if ((status = command_output(argv[0], o.out, o.json, false)) != EXIT_DONE)
        return status;
    if (o.out && command_same_file(o.in, o.out))
        return command_fail(argv[0], EXIT_USAGE, "'%s' is the input", o.out);
    whole_file whole;
    if (!whole_file_open(&whole, o.in))
        return command_fail(argv[0], EXIT_INPUT, "cannot read '%s': %s", o.in, strerror(errno));
    squeezed_file f = {.bytes = whole.bytes, .file_size = whole.size, .size = whole.size};
    status = unsqueeze_all(&f, &o, argv[0]);
    if (status == EXIT_DONE && f.bytes[sizeof magic] == VERSION_OLD)
        command_fail(argv[0], EXIT_DONE, "%s: unchecked: a file of version 1 has no check sum over all of it", o.in);
    free(f.blocks);
    whole_file_close(&whole);
    return status;
}
