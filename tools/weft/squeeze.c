/* SPDX-License-Identifier: MIT */
/* `weft squeeze` and `weft unsqueeze`. The file: "weftsqz" and a version byte, a byte for the format, then blocks
 * (tools/lib/squeeze/squeeze.h) each after a byte 1, then a byte 0 and the number of values as u64. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/whole_file.h"
#include "tools/lib/input/input.h"
#include "tools/lib/squeeze/squeeze.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

static const uint8_t magic[8] = {'w', 'e', 'f', 't', 's', 'q', 'z', 1};

static const char squeeze_help[] =
    "usage: weft squeeze IN -o OUT [--format FORMAT] [--backward] [--json]\n\n"
    "Compresses a stream of numbers with bidirectional value predictors (FCM, differential FCM, last-n, last-n\n"
    "stride; the best is chosen by trial). IN is a file, or - for standard input.\n\n"
    "  -o OUT           the file to write\n"
    "  --format FORMAT  chars, text (default), u8, u16, u32 or i64\n"
    "  --backward       takes the stream from its end\n"
    "  --json           one JSON object: values, bytes, method, context\n";

static const char unsqueeze_help[] =
    "usage: weft unsqueeze FILE [--backward] [--format FORMAT] [--json]\n\n"
    "Writes the numbers that `weft squeeze` stored to standard output, in the format they came in.\n\n"
    "  --backward       from the end\n"
    "  --format FORMAT  another format: chars, text, u8, u16, u32 or i64\n"
    "  --json           only tells: values, bytes, method, context\n";

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
        return command_fail(argv[0], EXIT_USAGE, "wants one file");
    o->format_given = format != none;
    o->format = o->format_given ? format : o->format;
    o->in = argv[optind];
    return OPTIONS_READ;
}

static void tell(uint64_t values, uint64_t bytes, squeeze_choice choice)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_integer(j, "values", (int64_t)values);
    json_integer(j, "bytes", (int64_t)bytes);
    json_string(j, "method", weft_bfcm_names[choice.method]);
    json_integer(j, "context", choice.context);
    json_end_object(j);
    json_finish(j);
}

/* ---- squeeze ---- */

typedef struct squeezing {
    FILE *file;
    squeeze_packer *packer;
    squeeze_bytes bytes;
    squeeze_choice choice;
    bool chosen;
    uint64_t values, written;
    uint32_t *narrow;
} squeezing;

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
    fwrite(s->bytes.data, 1, s->bytes.size, s->file);
    s->values += count;
    s->written += s->bytes.size;
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
    uint8_t kind = (uint8_t)format;
    fwrite(magic, 1, sizeof magic, s->file);
    fwrite(&kind, 1, 1, s->file);
    s->written = sizeof magic + 1;
}

static void file_tail(squeezing *s)
{
    uint8_t tail[9] = {0};
    for (int i = 0; i < 8; i++)
        tail[1 + i] = (uint8_t)(s->values >> (8 * i));
    fwrite(tail, 1, sizeof tail, s->file);
    s->written += sizeof tail;
}

int command_squeeze(int argc, char **argv)
{
    squeeze_options o = {.format = INPUT_TEXT};
    int status = options_read(&o, argc, argv, squeeze_help);
    if (status >= 0)
        return status;
    if (!o.out)
        return command_fail(argv[0], EXIT_USAGE, "wants -o OUT");
    if (command_same_file(o.in, o.out))
        return command_fail(argv[0], EXIT_USAGE, "'%s' is the input", o.out);
    input *in = input_open(o.in, o.format);
    if (!in)
        return command_fail(argv[0], EXIT_INPUT, "cannot read '%s': %s", o.in, strerror(errno));
    squeezing s = {.file = fopen(o.out, "wb"), .packer = squeeze_packer_new()};
    s.narrow = memory_grow(NULL, SQUEEZE_BLOCK_MAX, sizeof *s.narrow);
    struct stat about;
    bool on_disk = s.file && fstat(fileno(s.file), &about) == 0 && S_ISREG(about.st_mode);
    status = EXIT_DONE;
    if (!s.file) {
        status = command_fail(argv[0], EXIT_INPUT, "cannot write '%s': %s", o.out, strerror(errno));
    } else {
        file_head(&s, o.format);
        squeeze_all(&s, in, o.backward);
        file_tail(&s);
        if (input_error(in))
            status = command_fail(argv[0], EXIT_INPUT, "%s: %s", o.in, input_error(in));
        else if (ferror(s.file) | fflush(s.file))
            status = command_fail(argv[0], EXIT_INPUT, "cannot write '%s': %s", o.out, strerror(errno));
    }
    if (s.file)
        fclose(s.file);
    if (status == EXIT_DONE && o.json)
        tell(s.values, s.written, s.choice);
    else if (status == EXIT_DONE)
        printf("%llu values in %llu bytes: %s, context %u\n", (unsigned long long)s.values,
               (unsigned long long)s.written, weft_bfcm_names[s.choice.method], s.choice.context);
    else if (on_disk)
        remove(o.out);
    free(s.narrow);
    squeeze_bytes_free(&s.bytes);
    squeeze_packer_free(s.packer);
    input_close(in);
    return status;
}

/* ---- unsqueeze ---- */

typedef struct squeezed_file {
    const uint8_t *bytes;
    size_t size;
    uint64_t values;
    squeeze_choice choice;
    size_t *blocks; /* offsets */
    size_t count;
} squeezed_file;

/* Opens every block once, which checks it. The offset of the first bad byte's block, or SIZE_MAX. */
static size_t file_scan(squeezed_file *f)
{
    size_t at = sizeof magic + 1, room = 0;
    uint64_t total = 0;
    if (f->size < at + 9 || memcmp(f->bytes, magic, sizeof magic) || f->bytes[sizeof magic] > INPUT_I64)
        return 0;
    while (at < f->size && f->bytes[at] == 1) {
        squeeze_cursor cursor;
        size_t used;
        if (squeeze_open(&cursor, f->bytes + at + 1, f->size - at - 1, &used) != WEFT_OK)
            return at;
        total += squeeze_count(&cursor);
        f->choice = cursor.wide ? (squeeze_choice){cursor.wide_bfcm.config.method, cursor.wide_bfcm.config.context}
                                : (squeeze_choice){cursor.bfcm.config.method, cursor.bfcm.config.context};
        squeeze_close(&cursor);
        if (f->count == room) {
            room = room * 2 + 16;
            size_t *more = realloc(f->blocks, room * sizeof *more);
            if (!more)
                return at;
            f->blocks = more;
        }
        f->blocks[f->count++] = at + 1;
        at += 1 + used;
    }
    if (f->size - at != 9 || f->bytes[at] != 0)
        return at;
    for (int i = 0; i < 8; i++)
        f->values |= (uint64_t)f->bytes[at + 1 + (size_t)i] << (8 * i);
    return f->values == total ? SIZE_MAX : at;
}

static bool block_print(const squeezed_file *f, size_t block, bool backward, input_format format)
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
            fits = input_write_value((int64_t)part[i], format, stdout);
    squeeze_close(&cursor);
    return fits;
}

static int unsqueeze_all(squeezed_file *f, const squeeze_options *o, const char *name)
{
    size_t bad = file_scan(f);
    if (bad != SIZE_MAX)
        return command_fail(name, EXIT_INPUT, "%s is no squeezed stream, or damaged, at byte %zu", o->in, bad);
    if (o->json) {
        tell(f->values, f->size, f->choice);
        return EXIT_DONE;
    }
    input_format format = o->format_given ? o->format : (input_format)f->bytes[sizeof magic];
    for (size_t i = 0; i < f->count; i++)
        if (!block_print(f, o->backward ? f->count - 1 - i : i, o->backward, format))
            return ferror(stdout) ? EXIT_INPUT : command_fail(name, EXIT_INPUT, "a value does not fit the format");
    if (format == INPUT_CHARS)
        putchar('\n');
    return EXIT_DONE;
}

int command_unsqueeze(int argc, char **argv)
{
    squeeze_options o = {.format = INPUT_TEXT};
    int status = options_read(&o, argc, argv, unsqueeze_help);
    if (status >= 0)
        return status;
    whole_file whole;
    if (!whole_file_open(&whole, o.in))
        return command_fail(argv[0], EXIT_INPUT, "cannot read '%s': %s", o.in, strerror(errno));
    squeezed_file f = {.bytes = whole.bytes, .size = whole.size};
    status = unsqueeze_all(&f, &o, argv[0]);
    free(f.blocks);
    whole_file_close(&whole);
    return status;
}
