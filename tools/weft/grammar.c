/* SPDX-License-Identifier: MIT */
/* weft grammar: SEQUITUR grammar of a stream, and back. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/grammar/grammar.h"
#include "tools/lib/grammar/wpp.h"
#include "tools/lib/image/places.h"
#include "tools/lib/input/grammar.h"
#include "tools/lib/input/source.h"
#include "tools/lib/input/summed.h"
#include "tools/lib/input/terminals.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"
#include "tools/weft/symbol_stream.h"

static const char help[] =
    "usage: weft grammar [--lookahead 0|1] [--format F] [--json] [-o FILE] IN\n"
    "       weft grammar --runs [--format F] [--json] IN\n"
    "       weft grammar --expand [--format F] [--limit N] FILE\n\n"
    "The SEQUITUR grammar of a stream, a line per rule, the start rule first, and a check sum in a comment. --expand\n"
    "turns such a file, the JSON, or what -o wrote, back into the stream. IN is a recording (its paths, in recorded\n"
    "order; see weft paths), or a raw stream.\n\n"
    "  --lookahead N  1: SEQUITUR(1), look one symbol ahead before making a rule; default 0\n"
    "  --runs         a symbol or rule that comes n times in a row is one symbol, x^n\n"
    "  --context C    of a recording: only the paths of this context (a handler's name, thread, or a number); default\n"
    "                 all, in the order in which they ended\n"
    "  --function F   of a recording: only the paths of this function\n"
    "  --elf APP.elf  of a recording: say where the paths lie in the source\n"
    "  --format F     of a raw stream, in or out: text (default), chars, u8, u16, u32, i64\n"
    "  --json         one JSON object: length, rules, symbols, grammar; with -o, bytes\n"
    "  -o, --output FILE\n"
    "                 write the whole program path to FILE, as small as possible (numbers only); standard "
    "output\n"
    "                 gets nothing, or with --json the object without the grammar\n"
    "  --limit N      refuse to expand to more than N symbols; default 10000000000\n";

typedef struct options {
    symbol_options symbols;
    long long lookahead, limit;
    bool runs, as_json, expand;
    const char *output;
} options;

/* Writes the binary file; the exit status. */
static int write_path(const char *name, const grammar *g, const options *o)
{
    char message[300];
    size_t size;
    output *file = output_open(o->output, message, sizeof message);
    if (!file)
        return command_fail(name, EXIT_HOST, "%s", message);
    uint8_t *bytes = wpp_write(g, o->lookahead, &size);
    fwrite(bytes, 1, size, output_stream(file));
    free(bytes);
    if (!output_commit(file, message, sizeof message))
        return command_fail(name, EXIT_HOST, "%s", message);
    if (o->as_json)
        printf("{\"length\":%" PRIu64 ",\"rules\":%zu,\"symbols\":%zu,\"bytes\":%zu}\n", g->length, g->rules,
               grammar_symbols(g), size);
    return EXIT_DONE;
}

/* Symbols that are texts become the numbers that they spell. False: one is not a number of 32 bits. */
static bool take_numbers(grammar *g, const input *in, input_format format)
{
    char buffer[24];
    int64_t number;
    if (format != INPUT_TEXT && format != INPUT_I64)
        return true;
    for (size_t i = 0; i < g->terminal_count; i++) {
        if (!terminals_is_number(input_name(in, g->terminals[i], buffer), &number) || number < 0 || number > UINT32_MAX)
            return false;
        g->terminals[i] = (uint32_t)number;
    }
    return true;
}

/* After the rules, a line for each path: its number, and where it lies. */
static void print_places(const grammar *g, const path_places *where, FILE *file)
{
    for (size_t i = 0; i < g->terminal_count; i++) {
        fprintf(file, "# %u ", g->terminals[i]);
        places_print(where, g->terminals[i], file);
        putc('\n', file);
    }
}

static void print_text(const grammar *g, const symbol_source *source)
{
    summed *text = summed_begin(stdout);
    grammar_print(g, source->in, source->options.format, isatty(STDOUT_FILENO), summed_stream(text));
    if (source->named)
        print_places(g, &source->where, summed_stream(text));
    summed_end(text);
}

static int report(const char *name, const char *path, grammar *g, const symbol_source *source, const options *o)
{
    input_format format = source->options.format;
    if (o->output && !take_numbers(g, source->in, format))
        return command_fail(name, EXIT_INPUT, "%s: -o takes symbols that are numbers of 32 bits", path);
    if (o->output)
        return write_path(name, g, o);
    if (o->as_json)
        grammar_print_json(g, source->in, format, symbol_source_places(source), stdout);
    else
        print_text(g, source);
    return EXIT_DONE;
}

static int build(const char *name, const char *path, const options *o)
{
    symbol_source source;
    int status;
    grammar *g = symbol_stream_grammar(&source, name, path, &o->symbols, o->lookahead, o->runs, &status);
    if (!g)
        return status;
    status = report(name, path, g, &source, o);
    grammar_free(g);
    return symbol_stream_close(&source, name, status);
}

/* ---- --expand ---- */

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

static int expand(const char *name, const char *path, const options *o)
{
    char error[200];
    size_t size, bad = 0;
    char *bytes = memory_read(path, &size);
    if (!bytes)
        return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", path, strerror(errno));
    bool binary = wpp_is((const uint8_t *)bytes, size);
    summed_verdict sum = binary ? SUMMED_RIGHT : summed_check(bytes, size);
    grammar_file *file = sum == SUMMED_WRONG ? NULL : grammar_read(bytes, size, (uint64_t)o->limit, error);
    if (sum == SUMMED_WRONG)
        snprintf(error, sizeof error,
                 "the check sum is wrong: it was edited, damaged or cut. Without its last line, "
                 "'# sum ...', it is taken as it is");
    free(bytes);
    if (!file)
        return command_fail(name, EXIT_INPUT, "%s: %s", path, error);
    int64_t *values = memory_zero(file->name_count, sizeof *values);
    expansion e = {file, values, o->symbols.format, 0};
    int status = EXIT_DONE;
    if (file->rules->length > (uint64_t)o->limit)
        status = command_fail(name, EXIT_INPUT, "%s: stands for %" PRIu64 " symbols; see --limit", path,
                              file->rules->length);
    else if (!values_of(file, o->symbols.format, values, &bad))
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

int command_grammar(int argc, char **argv)
{
    options o = {.symbols = {.format = INPUT_TEXT}, .limit = 10000000000};
    const command_option list[] = {{"json", .flag = &o.as_json},
                                   {"format", .format = &o.symbols.format},
                                   {"elf", .text = &o.symbols.elf},
                                   {"context", .text = &o.symbols.choice.context},
                                   {"function", .text = &o.symbols.choice.function},
                                   {"lookahead", .number = &o.lookahead, .max = 1},
                                   {"runs", .flag = &o.runs},
                                   {"expand", .flag = &o.expand},
                                   {"output", .text = &o.output},
                                   {"o", .text = &o.output},
                                   {"limit", .number = &o.limit, .max = LLONG_MAX},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (o.runs && (o.lookahead || o.output))
        return command_fail(argv[0], EXIT_USAGE, "--runs goes with neither --lookahead 1 nor -o");
    if (argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "takes one input; see --help");
    if ((status = command_keep_input(argv[0], argv[optind], o.output)) != EXIT_DONE ||
        (status = command_keep_input(argv[0], o.symbols.elf, o.output)) != EXIT_DONE)
        return status;
    if (!o.expand)
        symbol_stream_image(&o.symbols, argv[optind], false);
    return o.expand ? expand(argv[0], argv[optind], &o) : build(argv[0], argv[optind], &o);
}
