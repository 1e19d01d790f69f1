/* SPDX-License-Identifier: MIT */
/* weft loops: the loop nest of a stream, and back. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/loopnest.h"
#include "tools/lib/input.h"
#include "tools/lib/json.h"
#include "tools/lib/memory.h"
#include "tools/lib/nest.h"
#include "tools/lib/nest_file.h"
#include "tools/lib/nest_text.h"
#include "tools/lib/nest_tree.h"
#include "tools/lib/nest_window.h"
#include "tools/lib/program.h"
#include "tools/weft/command.h"

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

typedef enum method { OPTIMAL, GREEDY, NEAR_OPTIMAL, WINDOW } method;

typedef struct options {
    method method;
    long long window, depth;
    input_format format;
    bool as_json, tree, methods_clash, method_given;
    double min_share;
    const char *elf, *binary, *expand;
} options;

/* A stream that was read: what its symbols are called. */
typedef struct stream {
    input *in;       /* raw */
    container *file; /* or a container: symbols are path numbers */
    program *app;    /* of --elf */
    uint32_t *symbols;
    size_t size;
} stream;

/* In a container, where events are missing: a symbol that no path has. */
#define GAP_SYMBOL UINT32_MAX

static const char *name_symbol(void *context, uint32_t symbol, char buffer[24])
{
    const stream *s = context;
    if (s->in)
        return input_name(s->in, symbol, buffer);
    if (symbol == GAP_SYMBOL)
        return "gap";
    snprintf(buffer, 24, "%" PRIu32, symbol);
    return buffer;
}

static int too_long(const char *name, const char *path)
{
    return command_fail(name, EXIT_INPUT, "%s: more than %zu symbols", path, NEST_SIZE_MAX);
}

static int read_raw(const char *name, const char *path, input_format format, stream *s)
{
    size_t max = 1 << 16;
    s->in = input_open(path, format);
    if (!s->in)
        return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", path, strerror(errno));
    s->symbols = memory_grow(NULL, max, sizeof *s->symbols);
    for (size_t got; (got = input_symbols(s->in, s->symbols + s->size, max - s->size)) > 0;) {
        s->size += got;
        if (s->size > NEST_SIZE_MAX)
            return too_long(name, path);
        if (s->size == max)
            s->symbols = memory_grow(s->symbols, max *= 2, sizeof *s->symbols);
    }
    if (input_error(s->in))
        return command_fail(name, EXIT_INPUT, "%s: %s", path, input_error(s->in));
    return EXIT_DONE;
}

static int read_container(const char *name, const char *path, const char *elf, stream *s)
{
    char message[200];
    size_t max = 0;
    s->file = container_open(path, message, sizeof message);
    if (!s->file)
        return command_fail(name, EXIT_INPUT, "%s", message);
    if (elf) {
        s->app = program_open(elf, message, sizeof message);
        if (!s->app || !program_fits(s->app, s->file, message, sizeof message))
            return command_fail(name, EXIT_INPUT, "%s", message);
    }
    control *events = control_open(s->file);
    for (control_event event; control_next(events, &event);) {
        bool gap = event.kind == CONTROL_GAP && s->size > 0;
        if (event.kind != CONTROL_PATH && !gap)
            continue;
        if (s->size == max)
            s->symbols = memory_grow(s->symbols, max = 2 * max + 4096, sizeof *s->symbols);
        s->symbols[s->size++] = gap ? GAP_SYMBOL : event.path;
        if (s->size > NEST_SIZE_MAX)
            break;
    }
    control_close(events);
    return s->size > NEST_SIZE_MAX ? too_long(name, path) : EXIT_DONE;
}

static void close_stream(stream *s)
{
    free(s->symbols);
    if (s->app)
        program_close(s->app);
    if (s->file)
        container_close(s->file);
    input_close(s->in);
}

static nest *find(const stream *s, const options *o)
{
    bool tell = s->size > 2000000 && isatty(STDERR_FILENO);
    if (tell)
        fprintf(stderr, "finding the loops of %zu symbols ...", s->size);
    nest *n = o->method == GREEDY         ? nest_greedy(s->symbols, s->size)
              : o->method == NEAR_OPTIMAL ? nest_near_optimal(s->symbols, s->size)
              : o->method == WINDOW ? nest_windowed(s->symbols, s->size, (uint32_t)o->window, (uint32_t)o->depth)
                                    : nest_optimal(s->symbols, s->size);
    if (tell)
        fputs("\r\033[K", stderr);
    return n;
}

static void print_json(const nest *n, const options *o, stream *s)
{
    nest_stats stats = nest_measure(n);
    char *text = nest_to_text(n, s->in && o->format == INPUT_CHARS, name_symbol, s);
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_integer(j, "length", (int64_t)stats.length);
    json_integer(j, "symbols", (int64_t)stats.symbols);
    json_integer(j, "loops", stats.loops);
    json_integer(j, "depth", stats.depth);
    json_string(j, "nest", text);
    if (o->tree)
        nest_tree_json(n, o->min_share, s->app, j);
    json_end_object(j);
    json_finish(j);
    free(text);
}

static void print(const nest *n, const options *o, stream *s)
{
    if (o->as_json) {
        print_json(n, o, s);
    } else if (o->tree) {
        nest_tree_print(n, o->min_share, s->app, stdout);
    } else {
        nest_print(n, s->in && o->format == INPUT_CHARS, name_symbol, s, stdout);
        putchar('\n');
    }
}

/* Names are kept in the file where the symbols are not numbers of the format themselves. */
static int write_binary(const char *name, const nest *n, const options *o, stream *s)
{
    bool named = s->in && (o->format == INPUT_TEXT || o->format == INPUT_I64);
    if (nest_file_write(o->binary, n, named ? name_symbol : NULL, s))
        return EXIT_DONE;
    return command_fail(name, EXIT_INPUT, "cannot write '%s': %s", o->binary, strerror(errno));
}

static int run(const char *name, const char *path, const options *o)
{
    stream s = {0};
    bool contained = input_is_container(path);
    int status = contained ? read_container(name, path, o->elf, &s) : read_raw(name, path, o->format, &s);
    if (status == EXIT_DONE && !contained && o->elf)
        status = command_fail(name, EXIT_USAGE, "--elf goes with a container");
    if (status == EXIT_DONE) {
        nest *n = find(&s, o);
        print(n, o, &s);
        if (o->binary)
            status = write_binary(name, n, o, &s);
        nest_free(n);
    }
    if (status == EXIT_DONE && s.file && container_gap_count(s.file)) {
        container_print_gaps(s.file, name);
        status = EXIT_GAPS;
    }
    close_stream(&s);
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
    expansion e = {file, o->format};
    int status = EXIT_DONE;
    if (!nest_expand(nest_file_nest(file), write_symbol, &e) && !ferror(stdout))
        status = command_fail(name, EXIT_INPUT, "%s: a symbol does not fit the format", o->expand);
    nest_file_free(file);
    return status;
}

/* ---- the command line ---- */

static bool set_method(const char *name, options *o, method m)
{
    if (o->method_given && o->method != m) {
        command_fail(name, EXIT_USAGE, "more than one method is given");
        return false;
    }
    o->method_given = true;
    o->method = m;
    return true;
}

static bool set_share(const char *name, options *o, const char *text)
{
    char *end;
    o->min_share = strtod(text, &end);
    if (end != text && !*end && o->min_share >= 0 && o->min_share <= 100)
        return true;
    command_fail(name, EXIT_USAGE, "--min-share wants a percentage, not '%s'", text);
    return false;
}

static const struct option longs[] = {
    {"optimal", no_argument, NULL, 'o'},         {"greedy", no_argument, NULL, 'g'},
    {"near-optimal", no_argument, NULL, 'n'},    {"window", required_argument, NULL, 'w'},
    {"depth", required_argument, NULL, 'd'},     {"format", required_argument, NULL, 'f'},
    {"json", no_argument, NULL, 'j'},            {"tree", no_argument, NULL, 't'},
    {"min-share", required_argument, NULL, 's'}, {"elf", required_argument, NULL, 'e'},
    {"binary", required_argument, NULL, 'b'},    {"expand", required_argument, NULL, 'x'},
    {"help", no_argument, NULL, 'h'},            {NULL, 0, NULL, 0}};

/* False, and a message: the option is wrong. */
static bool take_option(const char *name, int c, options *o)
{
    switch (c) {
    case 'o':
        return set_method(name, o, OPTIMAL);
    case 'g':
        return set_method(name, o, GREEDY);
    case 'n':
        return set_method(name, o, NEAR_OPTIMAL);
    case 'w':
        return set_method(name, o, WINDOW) && command_number(name, "--window", optarg, WEFT_LOOPNEST_WINDOW_MIN, WEFT_LOOPNEST_WINDOW_MAX,
                                                                  &o->window);
    case 'd':
        return command_number(name, "--depth", optarg, 1, WEFT_LOOPNEST_DEPTH_MAX, &o->depth);
    case 'f':
        if (input_format_parse(optarg, &o->format))
            return true;
        command_fail(name, EXIT_USAGE, "there is no format '%s'", optarg);
        return false;
    case 's':
        return set_share(name, o, optarg);
    case 'j':
        return o->as_json = true;
    case 't':
        return o->tree = true;
    case 'e':
        o->elf = optarg;
        return true;
    case 'b':
        o->binary = optarg;
        return true;
    case 'x':
        o->expand = optarg;
        return true;
    default:
        return false;
    }
}

int command_loops(int argc, char **argv)
{
    options o = {.format = INPUT_TEXT, .depth = WEFT_LOOPNEST_DEPTH_MAX, .min_share = 0.1};
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        if (c == 'h') {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (!take_option(argv[0], c, &o))
            return EXIT_USAGE;
    }
    if (o.expand && optind == argc)
        return expand(argv[0], &o);
    if (o.expand || argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "wants one input; see --help");
    return run(argv[0], argv[optind], &o);
}
