/* SPDX-License-Identifier: MIT */
/* weft loops: the loop nest of a stream, and back. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/loopnest.h"
#include "tools/lib/base/digits.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/text.h"
#include "tools/lib/input/source.h"
#include "tools/lib/input/terminals.h"
#include "tools/lib/loops/file.h"
#include "tools/lib/loops/greedy.h"
#include "tools/lib/loops/optimal.h"
#include "tools/lib/loops/text.h"
#include "tools/lib/loops/tree.h"
#include "tools/lib/loops/window.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"
#include "tools/weft/symbol_stream.h"

static const char help[] =
    "usage: weft loops [--optimal | --greedy | --near-optimal | --window W] [--format F] [--json] [--tree] IN\n"
    "       weft loops --expand FILE [--format F]\n\n"
    "The loop nest of a stream, on one line: `(ab(a)^2b)^2`, or `( 1 2 ( 3 )^4 )^5`. IN is a recording (its paths, in\n"
    "recorded order; see weft paths), or a raw stream. On a terminal: a summary, the dozen loops with the largest "
    "shares.\n\n"
    "  --optimal         longest body first, then most iterations, then the earliest (default)\n"
    "  --greedy          shortest body first\n"
    "  --near-optimal    as greedy, but loops of 3 or fewer iterations last, and rotated bodies made equal\n"
    "  --window W        the detector that runs on the target, with a window of W terms, 8 to 4096; it takes streams "
    "of\n"
    "                    any length, and memory for the nest alone\n"
    "  --depth D         deepest nesting with --window, 1 to 8; default 8\n"
    "  --format F        of a raw stream, in or out: text (default), chars, u8, u16, u32, i64\n"
    "  --summary         the summary, wherever it goes\n"
    "  --tree            instead of the line, a line per loop: share of the trace, iterations x symbols, first place;\n"
    "                    on a terminal, without --min-share: the summary\n"
    "                    loops that differ in their iterations alone are one\n"
    "  --min-share P     in the tree, only loops of P percent of the trace or more; default 0.1\n"
    "  --elf APP.elf     source lines of the loops of a recording; a summary takes the image beside IN by itself\n"
    "  --context C       of a recording: only the paths of this context (a handler's name, thread, or a number)\n"
    "  --function F      of a recording: only the paths of this function\n"
    "  --json            one JSON object: length, symbols, loops, depth, nest, and with --tree tree\n"
    "  --binary OUT      also write the nest to OUT, in a compact form\n"
    "  --expand FILE     turn such a file back into the stream\n\n"
    "Without --window, a stream may take 64 bytes per symbol: at most 64 bytes per byte of IN and 1 GiB, or what\n"
    "--memory-limit says. Longer streams are refused.\n";

typedef struct options {
    symbol_options symbols;
    bool optimal, greedy, near_optimal, as_json, tree, summary;
    long long window, depth; /* window 0: not given */
    double min_share;
    const char *share, *binary, *expand;
} options;

/* A stream that is read, and what it becomes. */
typedef struct stream {
    const char *command, *path;
    symbol_source source;
    uint64_t memory;   /* bytes that it may take */
    bool chars;        /* its symbols are bytes */
    uint32_t *symbols; /* of all methods but the window's */
    size_t size, max;
    nest *nest;
} stream;

static const char *name_symbol(void *context, uint32_t symbol, char buffer[24])
{
    const stream *s = context;
    if (s->chars && symbol == 0)
        return "\\x00"; /* a text cannot hold it */
    if (s->source.in)
        return input_name(s->source.in, symbol, buffer);
    if (symbol == SYMBOL_GAP)
        return "gap";
    snprintf(buffer, 24, "%" PRIu32, symbol);
    return buffer;
}

/* In JSON a byte is the character of that number. */
static const char *name_character(void *context, uint32_t symbol, char buffer[24])
{
    const stream *s = context;
    if (!s->chars || symbol < 0x80)
        return name_symbol(context, symbol, buffer);
    terminals_character(symbol, buffer);
    return buffer;
}

/* What the methods take per symbol, at most; measured: 34 to 43 on random and real streams. */
enum { BYTES_PER_SYMBOL = 64 };

static int too_large(const stream *s, const char *unit, uint64_t most, const char *instead)
{
    return command_fail(s->command, EXIT_INPUT,
                        "%s: it stands for more than %" PRIu64 " %s, which would take more than %" PRIu64
                        " bytes; give a larger --memory-limit%s",
                        s->path, most, unit, s->memory, instead);
}

static int read_all(stream *s)
{
    uint64_t most = s->memory / BYTES_PER_SYMBOL;
    most = most < NEST_SIZE_MAX ? most : NEST_SIZE_MAX;
    for (;;) {
        s->symbols = memory_room(s->symbols, s->size + (1 << 16) - 1, &s->max, sizeof *s->symbols);
        size_t got = symbol_source_read(&s->source, s->symbols + s->size, s->max - s->size);
        s->size += got;
        if (s->size > most)
            return most == NEST_SIZE_MAX
                       ? command_fail(s->command, EXIT_INPUT, "%s: more than %zu symbols; --window takes them", s->path,
                                      NEST_SIZE_MAX)
                       : too_large(s, "symbols", most, ", or --window, which takes memory for the nest alone");
        if (!got)
            return EXIT_DONE;
        progress_show(s->size, "symbols read");
    }
}

static void find(stream *s, const options *o)
{
    bool slow = s->size > 2000000 && isatty(STDERR_FILENO);
    if (slow)
        fprintf(stderr, "finding the loops of %zu symbols ...", s->size);
    s->nest = o->greedy         ? nest_greedy(s->symbols, s->size)
              : o->near_optimal ? nest_near_optimal(s->symbols, s->size)
                                : nest_optimal(s->symbols, s->size);
    if (slow)
        fputs("\r\033[K", stderr);
}

/* The detector takes the symbols as they are read. */
static int find_in_window(stream *s, const options *o)
{
    static uint32_t block[1 << 16];
    nest_window *w = nest_window_open((uint32_t)o->window, (uint32_t)o->depth);
    uint64_t count = 0;
    for (size_t got; (got = symbol_source_read(&s->source, block, sizeof block / sizeof *block)) > 0;) {
        nest_window_push(w, block, got);
        progress_show(count += got, "symbols read");
        if (nest_window_bytes(w) > s->memory) {
            nest_window_free(w);
            return too_large(s, "symbols", count - got, "");
        }
    }
    s->nest = nest_window_finish(w);
    return EXIT_DONE;
}

static int find_nest(stream *s, const options *o)
{
    int status = o->window ? find_in_window(s, o) : read_all(s);
    progress_end();
    int wrong = symbol_stream_check(&s->source, s->command, s->path);
    if (wrong != EXIT_DONE)
        return wrong;
    if (status == EXIT_DONE && !o->window)
        find(s, o);
    return status;
}

static void print_json(stream *s, const options *o)
{
    nest_stats stats = nest_measure(s->nest);
    char *text = nest_to_text(s->nest, s->chars, name_character, s);
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "length", stats.length);
    json_unsigned(j, "symbols", stats.symbols);
    json_integer(j, "loops", stats.loops);
    json_integer(j, "depth", stats.depth);
    json_string(j, "nest", text);
    if (o->tree) {
        nest_tree *tree = nest_tree_new(s->nest, symbol_source_places(&s->source), name_character, s);
        nest_tree_json(tree, o->min_share, j);
        nest_tree_free(tree);
    }
    json_end_object(j);
    json_finish(j);
    free(text);
}

/* The loops that matter, and how to see the others. A short nest is its own best summary. */
static void print_summary(stream *s)
{
    enum { LOOPS = 12, NEST_SYMBOLS = 60 };
    nest_stats stats = nest_measure(s->nest);
    nest_tree *tree = nest_tree_new(s->nest, symbol_source_places(&s->source), name_symbol, s);
    size_t size = nest_tree_size(tree);
    printf("%" PRIu64 " symbols: %" PRIu32 " loops, %" PRIu32 " deep; written as a nest, %" PRIu64 " symbols\n",
           stats.length, stats.loops, stats.depth, stats.symbols);
    if (stats.symbols && stats.symbols <= NEST_SYMBOLS) {
        char *text = nest_to_text(s->nest, s->chars, name_symbol, s);
        text_print(stdout, text);
        free(text);
        putchar('\n');
    }
    nest_tree_summary(tree, LOOPS, command_columns(), stdout);
    if (size > LOOPS)
        printf("\n%d of %zu loops. `weft loops --tree --min-share 0` shows all,\n", LOOPS, size);
    else if (size)
        puts("\n`weft loops --tree --min-share 0` shows where they are,");
    if (size)
        puts("`weft loops ... | cat` the nest.");
    nest_tree_free(tree);
}

static void print(stream *s, const options *o)
{
    if (o->as_json) {
        print_json(s, o);
    } else if (o->tree && (o->share || !command_summary(o->summary, false))) {
        nest_tree *tree = nest_tree_new(s->nest, symbol_source_places(&s->source), name_symbol, s);
        nest_tree_print(tree, o->min_share, stdout);
        nest_tree_free(tree);
    } else if (command_summary(o->summary, false)) {
        print_summary(s);
    } else {
        nest_print(s->nest, s->chars, name_symbol, s, stdout);
        putchar('\n');
    }
}

/* Names are kept in the file where the symbols are not numbers of the format themselves. */
static int write_binary(stream *s, const options *o)
{
    char message[300];
    bool named = s->source.in && (o->symbols.format == INPUT_TEXT || o->symbols.format == INPUT_I64);
    if (nest_file_write(o->binary, s->nest, named ? name_symbol : NULL, s, message, sizeof message))
        return EXIT_DONE;
    return command_fail(s->command, EXIT_HOST, "%s", message);
}

static int run(const char *name, const char *path, const options *o)
{
    stream s = {.command = name, .path = path, .memory = command_memory(path)};
    int status = symbol_stream_open(&s.source, name, path, &o->symbols);
    if (status != EXIT_DONE)
        return status;
    s.chars = s.source.in && o->symbols.format == INPUT_CHARS;
    if (s.source.in && !memory_limit())
        s.memory = UINT64_MAX; /* a symbol of a raw stream takes a byte of it at least */
    status = find_nest(&s, o);
    if (status == EXIT_DONE && command_says(o->binary) == stdout)
        print(&s, o);
    if (status == EXIT_DONE && o->binary)
        status = write_binary(&s, o);
    nest_free(s.nest);
    free(s.symbols);
    return symbol_stream_close(&s.source, name, status);
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
    int64_t value;
    return input_number(text, &value) && input_write_value(value, e->format, stdout);
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
    else if (!nest_file_checked(file))
        command_fail(name, EXIT_DONE, "%s: unchecked: a file of version 1 has no check sum over its names", o->expand);
    nest_file_free(file);
    return status;
}

static bool set_share(const char *name, options *o)
{
    o->min_share = 0.1;
    if (!o->share || (digits_fraction(o->share, &o->min_share) && o->min_share <= 100))
        return true;
    command_fail(name, EXIT_USAGE, "--min-share takes a percentage, not '%s'", o->share);
    return false;
}

int command_loops(int argc, char **argv)
{
    options o = {.symbols = {.format = INPUT_TEXT, .gaps = true}, .depth = WEFT_LOOPNEST_DEPTH_MAX};
    const command_option list[] = {
        {"optimal", .flag = &o.optimal},
        {"greedy", .flag = &o.greedy},
        {"near-optimal", .flag = &o.near_optimal},
        {"window", .number = &o.window, .min = WEFT_LOOPNEST_WINDOW_MIN, .max = WEFT_LOOPNEST_WINDOW_MAX},
        {"depth", .number = &o.depth, .min = 1, .max = WEFT_LOOPNEST_DEPTH_MAX},
        {"format", .format = &o.symbols.format},
        {"json", .flag = &o.as_json},
        {"tree", .flag = &o.tree},
        {"summary", .flag = &o.summary},
        {"min-share", .text = &o.share},
        {"elf", .text = &o.symbols.elf},
        {"context", .text = &o.symbols.choice.context},
        {"function", .text = &o.symbols.choice.function},
        {"binary", .text = &o.binary},
        {"expand", .text = &o.expand},
        {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (!set_share(argv[0], &o))
        return EXIT_USAGE;
    if ((o.expand && (status = command_options_only(argv[0], "expand", " expand format ")) != OPTIONS_READ) ||
        (status = command_options_need(argv[0], "depth", "window")) != OPTIONS_READ ||
        (status = command_options_need(argv[0], "min-share", "tree")) != OPTIONS_READ)
        return status;
    if ((status = command_output(argv[0], o.binary, o.as_json, true)) != EXIT_DONE)
        return status;
    if (o.optimal + o.greedy + o.near_optimal + (o.window > 0) > 1)
        return command_fail(argv[0], EXIT_USAGE, "more than one method is given");
    if (o.expand && optind == argc)
        return expand(argv[0], &o);
    if (o.expand || argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "takes one input; see --help");
    if ((status = command_keep_input(argv[0], argv[optind], o.binary)) != EXIT_DONE ||
        (status = command_keep_input(argv[0], o.symbols.elf, o.binary)) != EXIT_DONE)
        return status;
    symbol_stream_image(&o.symbols, argv[optind], command_summary(o.summary, o.as_json));
    return run(argv[0], argv[optind], &o);
}
