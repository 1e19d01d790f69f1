/* SPDX-License-Identifier: MIT */
/* weft grammar: SEQUITUR grammar of a stream, and back. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/output.h"
#include "tools/lib/grammar/grammar.h"
#include "tools/lib/grammar/wpp.h"
#include "tools/lib/image/places.h"
#include "tools/lib/input/grammar.h"
#include "tools/lib/input/source.h"
#include "tools/lib/input/summed.h"
#include "tools/lib/input/terminals.h"
#include "tools/weft/command.h"
#include "tools/weft/grammar_expand.h"
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
static int write_path(const char *name, const grammar *g, wpp_ahead *ahead, const options *o)
{
    char message[300];
    size_t size;
    output *file = output_open(o->output, message, sizeof message);
    if (!file)
        return command_fail(name, EXIT_HOST, "%s", message);
    uint8_t *bytes = wpp_write(g, o->lookahead, ahead, &size);
    fwrite(bytes, 1, size, output_stream(file));
    free(bytes);
    if (!output_commit(file, message, sizeof message))
        return command_fail(name, EXIT_HOST, "%s", message);
    if (o->as_json) {
        json *j = json_begin(stdout);
        json_object(j, NULL);
        json_unsigned(j, "length", g->length);
        json_unsigned(j, "rules", g->rules);
        json_unsigned(j, "symbols", grammar_symbols(g));
        json_null(j, "grammar"); /* it is in the file */
        json_unsigned(j, "bytes", size);
        json_end_object(j);
        json_finish(j);
    }
    return EXIT_DONE;
}

/* Symbols that are texts become the numbers that they spell. False: one is not a number of 32 bits. */
static bool take_numbers(grammar *g, const symbol_source *source)
{
    for (size_t i = 0; i < g->terminal_count; i++)
        if (!symbol_source_number(source, g->terminals[i], g->terminals + i))
            return false;
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

static int report(const char *name, const char *path, grammar *g, const symbol_source *source, wpp_ahead *ahead,
                  const options *o)
{
    input_format format = source->options.format;
    if (o->output && !take_numbers(g, source))
        return command_fail(name, EXIT_INPUT, "%s: -o takes symbols that are numbers of 32 bits", path);
    if (o->output)
        return write_path(name, g, ahead, o);
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
    wpp_ahead *ahead = o->output ? wpp_ahead_open() : NULL;
    grammar *g = symbol_stream_grammar(&source, name, path, &o->symbols, o->lookahead, o->runs, ahead, &status);
    if (g) {
        status = symbol_stream_close(&source, name, report(name, path, g, &source, ahead, o));
        grammar_free(g);
    }
    wpp_ahead_close(ahead);
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
    if ((o.expand && (status = command_options_only(argv[0], "expand", " expand format limit ")) != OPTIONS_READ) ||
        (status = command_options_need(argv[0], "limit", "expand")) != OPTIONS_READ)
        return status;
    if (o.runs && (o.lookahead || o.output))
        return command_fail(argv[0], EXIT_USAGE, "--runs goes with neither --lookahead 1 nor -o");
    if ((status = command_output(argv[0], o.output, o.as_json, true)) != EXIT_DONE)
        return status;
    if (argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "takes one input; see --help");
    if ((status = command_keep_input(argv[0], argv[optind], o.output)) != EXIT_DONE ||
        (status = command_keep_input(argv[0], o.symbols.elf, o.output)) != EXIT_DONE)
        return status;
    if (!o.expand)
        symbol_stream_image(&o.symbols, argv[optind], false);
    return o.expand ? grammar_expand_file(argv[0], argv[optind], o.symbols.format, (uint64_t)o.limit)
                    : build(argv[0], argv[optind], &o);
}
