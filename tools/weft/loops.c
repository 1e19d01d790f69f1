/* SPDX-License-Identifier: MIT */
/* weft loops: the loop nest of a stream, and back. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/loopnest.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/input/source.h"
#include "tools/lib/loops/file.h"
#include "tools/lib/loops/greedy.h"
#include "tools/lib/loops/optimal.h"
#include "tools/lib/loops/text.h"
#include "tools/lib/loops/tree.h"
#include "tools/lib/loops/window.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

static const char help[] =
    "usage: weft loops [--optimal | --greedy | --near-optimal | --window W] [--format F] [--json] [--tree] IN\n"
    "       weft loops --expand FILE [--format F]\n\n"
    "The loop nest of a stream, on one line: `(ab(a)^2b)^2`, or `( 1 2 ( 3 )^4 )^5`. IN is a container (its paths, in\n"
    "recorded order), or a raw stream.\n\n"
    "  --optimal         longest body first, then most iterations, then the earliest (default)\n"
    "  --greedy          shortest body first\n"
    "  --near-optimal    as greedy, but loops of 3 or fewer iterations last, and rotated bodies made equal\n"
    "  --window W        the detector that runs on the target, with a window of W terms, 8 to 4096\n"
    "  --depth D         deepest nesting with --window, 1 to 8; default 8\n"
    "  --format F        of a raw stream, in or out: text (default), chars, u8, u16, u32, i64\n"
    "  --tree            instead of the line, a line a loop: share of the trace, iterations, body, first place\n"
    "  --min-share P     in the tree, only loops of P percent of the trace or more; default 0.1\n"
    "  --elf APP.elf     source lines of the loops of a container\n"
    "  --json            one JSON object: length, symbols, loops, depth, nest, and with --tree tree\n"
    "  --binary OUT      also write the nest to OUT, in a compact form\n"
    "  --expand FILE     turn such a file back into the stream\n";

typedef struct options {
    symbol_options symbols;
    bool optimal, greedy, near_optimal, as_json, tree;
    long long window, depth; /* window 0: not given */
    double min_share;
    const char *share, *binary, *expand;
} options;

/* A stream that was read. */
typedef struct stream {
    symbol_source source;
    uint32_t *symbols;
    size_t size;
} stream;

static const char *name_symbol(void *context, uint32_t symbol, char buffer[24])
{
    const stream *s = context;
    if (s->source.in)
        return input_name(s->source.in, symbol, buffer);
    if (symbol == SYMBOL_GAP)
        return "gap";
    snprintf(buffer, 24, "%" PRIu32, symbol);
    return buffer;
}

static int read_stream(const char *name, const char *path, stream *s)
{
    size_t max = 1 << 16;
    s->symbols = memory_grow(NULL, max, sizeof *s->symbols);
    for (size_t got; (got = symbol_source_read(&s->source, s->symbols + s->size, max - s->size)) > 0;) {
        s->size += got;
        if (s->size > NEST_SIZE_MAX)
            return command_fail(name, EXIT_INPUT, "%s: more than %zu symbols", path, NEST_SIZE_MAX);
        if (s->size == max)
            s->symbols = memory_grow(s->symbols, max *= 2, sizeof *s->symbols);
    }
    if (symbol_source_error(&s->source))
        return command_fail(name, EXIT_INPUT, "%s: %s", path, symbol_source_error(&s->source));
    return EXIT_DONE;
}

static nest *find(const stream *s, const options *o)
{
    bool tell = s->size > 2000000 && isatty(STDERR_FILENO);
    if (tell)
        fprintf(stderr, "finding the loops of %zu symbols ...", s->size);
    nest *n = o->greedy         ? nest_greedy(s->symbols, s->size)
              : o->near_optimal ? nest_near_optimal(s->symbols, s->size)
              : o->window       ? nest_windowed(s->symbols, s->size, (uint32_t)o->window, (uint32_t)o->depth)
                                : nest_optimal(s->symbols, s->size);
    if (tell)
        fputs("\r\033[K", stderr);
    return n;
}

static void print_json(const nest *n, const options *o, stream *s)
{
    nest_stats stats = nest_measure(n);
    char *text = nest_to_text(n, s->source.in && o->symbols.format == INPUT_CHARS, name_symbol, s);
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_integer(j, "length", (int64_t)stats.length);
    json_integer(j, "symbols", (int64_t)stats.symbols);
    json_integer(j, "loops", stats.loops);
    json_integer(j, "depth", stats.depth);
    json_string(j, "nest", text);
    if (o->tree)
        nest_tree_json(n, o->min_share, s->source.app, j);
    json_end_object(j);
    json_finish(j);
    free(text);
}

static void print(const nest *n, const options *o, stream *s)
{
    if (o->as_json) {
        print_json(n, o, s);
    } else if (o->tree) {
        nest_tree_print(n, o->min_share, s->source.app, stdout);
    } else {
        nest_print(n, s->source.in && o->symbols.format == INPUT_CHARS, name_symbol, s, stdout);
        putchar('\n');
    }
}

/* Names are kept in the file where the symbols are not numbers of the format themselves. */
static int write_binary(const char *name, const nest *n, const options *o, stream *s)
{
    bool named = s->source.in && (o->symbols.format == INPUT_TEXT || o->symbols.format == INPUT_I64);
    if (nest_file_write(o->binary, n, named ? name_symbol : NULL, s))
        return EXIT_DONE;
    return command_fail(name, EXIT_INPUT, "cannot write '%s': %s", o->binary, strerror(errno));
}

static int run(const char *name, const char *path, const options *o)
{
    char message[300];
    stream s = {0};
    if (o->symbols.elf && !input_is_container(path))
        return command_fail(name, EXIT_USAGE, "--elf goes with a container");
    if (!symbol_source_open(&s.source, path, &o->symbols, message, sizeof message))
        return command_fail(name, EXIT_INPUT, "%s", message);
    int status = read_stream(name, path, &s);
    if (status == EXIT_DONE) {
        nest *n = find(&s, o);
        print(n, o, &s);
        if (o->binary)
            status = write_binary(name, n, o, &s);
        nest_free(n);
    }
    if (status == EXIT_DONE && symbol_source_gaps(&s.source, name))
        status = EXIT_GAPS;
    free(s.symbols);
    symbol_source_close(&s.source);
    return status;
}

/* ---- --expand ---- */

typedef struct expansion {
    const nest_file *file;
    input_format format;
} expansion;

static bool write_symbol(void *context, uint32_t symbol)
{
    const expansion *e = context;
    const char *text = nest_file_name(e->file, symbol);
    if (!text)
        return input_write_value(symbol, e->format, stdout);
    if (e->format == INPUT_TEXT)
        return puts(text) >= 0;
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 0);
    return !errno && end != text && !*end && input_write_value(value, e->format, stdout);
}

static int expand(const char *name, const options *o)
{
    char error[200];
    nest_file *file = nest_file_read(o->expand, error, sizeof error);
    if (!file)
        return command_fail(name, EXIT_INPUT, "%s: %s", o->expand, error);
    expansion e = {file, o->symbols.format};
    int status = EXIT_DONE;
    if (!nest_expand(nest_file_nest(file), write_symbol, &e) && !ferror(stdout))
        status = command_fail(name, EXIT_INPUT, "%s: a symbol does not fit the format", o->expand);
    nest_file_free(file);
    return status;
}

static bool set_share(const char *name, options *o)
{
    char *end;
    o->min_share = o->share ? strtod(o->share, &end) : 0.1;
    if (!o->share || (end != o->share && !*end && o->min_share >= 0 && o->min_share <= 100))
        return true;
    command_fail(name, EXIT_USAGE, "--min-share wants a percentage, not '%s'", o->share);
    return false;
}

int command_loops(int argc, char **argv)
{
    options o = {.symbols = {.format = INPUT_TEXT, .context = -1, .gaps = true}, .depth = WEFT_LOOPNEST_DEPTH_MAX};
    const command_option list[] = {
        {"optimal", .flag = &o.optimal},
        {"greedy", .flag = &o.greedy},
        {"near-optimal", .flag = &o.near_optimal},
        {"window", .number = &o.window, .min = WEFT_LOOPNEST_WINDOW_MIN, .max = WEFT_LOOPNEST_WINDOW_MAX},
        {"depth", .number = &o.depth, .min = 1, .max = WEFT_LOOPNEST_DEPTH_MAX},
        {"format", .format = &o.symbols.format},
        {"json", .flag = &o.as_json},
        {"tree", .flag = &o.tree},
        {"min-share", .text = &o.share},
        {"elf", .text = &o.symbols.elf},
        {"binary", .text = &o.binary},
        {"expand", .text = &o.expand},
        {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (!set_share(argv[0], &o))
        return EXIT_USAGE;
    if (o.optimal + o.greedy + o.near_optimal + (o.window > 0) > 1)
        return command_fail(argv[0], EXIT_USAGE, "more than one method is given");
    if (o.expand && optind == argc)
        return expand(argv[0], &o);
    if (o.expand || argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "wants one input; see --help");
    return run(argv[0], argv[optind], &o);
}
