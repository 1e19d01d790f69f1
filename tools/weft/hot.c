/* SPDX-License-Identifier: MIT */
/* weft hot: minimal hot subpaths of a stream. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/grammar.h"
#include "tools/lib/grammar/hot.h"
#include "tools/lib/image/places.h"
#include "tools/lib/input/source.h"
#include "tools/lib/input/terminals.h"
#include "tools/lib/machine/costs.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

static const char help[] =
    "usage: weft hot --min-cost C --min-length A --max-length B [--costs FILE] [--format F] [--json] IN\n\n"
    "Minimal hot subpaths, costliest first, a line each: COST, tab, COUNT, tab, the subpath. The cost of a subpath is "
    "the\n"
    "sum of its symbols' costs, times its occurrences; COUNT is exact, overlapping occurrences included. Minimal: no\n"
    "prefix of A symbols or more costs C. Of those that overlap some are left out, but each overlaps one that is "
    "reported.\n\n"
    "  --min-cost C      report what costs C or more\n"
    "  --min-length A    and is A symbols or longer\n"
    "  --max-length B    but not longer than B\n"
    "  --costs FILE      a line for each symbol: SYMBOL COST; symbols that are not listed cost 1\n"
    "  --elf APP.elf     of a container: a symbol costs the machine instructions that its path executes in\n"
    "                    its function, but for those of the probes; and the output names its lines\n"
    "  --context C       of a container: only the paths of this context; default all, in the order in which they "
    "ended\n"
    "  --lookahead N     1: find them in the SEQUITUR(1) grammar; default 0\n"
    "  --format F        of a raw stream: text (default), chars, u8, u16, u32, i64\n"
    "  --json            one JSON object: subpaths, each with path, count and cost; with --elf paths, and of how\n"
    "                    many of them the cost is the middle of two bounds (bounded) or estimated\n";

typedef struct options {
    symbol_options symbols;
    long long min_cost, min_length, max_length, lookahead;
    const char *costs;
    bool as_json;
} options;

/* The index of the terminal that a token names, if the stream has it. */
static bool terminal_named(const grammar *g, const input *in, input_format format, const char *token, size_t *index)
{
    uint32_t symbol;
    int64_t number;
    if (format == INPUT_TEXT || format == INPUT_I64) {
        if (!input_find(in, token, &symbol))
            return false;
    } else if (format == INPUT_CHARS) {
        if (!token[0] || token[1])
            return false;
        symbol = (uint8_t)token[0];
    } else {
        if (!terminals_is_number(token, &number) || number < 0 || number > UINT32_MAX)
            return false;
        symbol = (uint32_t)number;
    }
    for (size_t i = 0; i < g->terminal_count; i++)
        if (g->terminals[i] == symbol) {
            *index = i;
            return true;
        }
    return false;
}

/* Reads lines SYMBOL COST; 0, or the number of the first line that is none. */
static size_t read_costs(FILE *file, const grammar *g, const input *in, input_format format, uint64_t *costs)
{
    char *line = NULL;
    size_t max = 0, number = 0, index, bad = 0;
    while (!bad && getline(&line, &max, file) >= 0) {
        number++;
        char *rest, *end;
        char *token = strtok_r(line, " \t\r\n", &rest);
        char *cost = strtok_r(NULL, " \t\r\n", &rest);
        if (!token)
            continue;
        errno = 0;
        bool is_number = cost && isdigit((unsigned char)*cost);
        uint64_t value = is_number ? strtoull(cost, &end, 10) : 0;
        if (!is_number || *end || errno || strtok_r(NULL, " \t\r\n", &rest))
            bad = number;
        else if (terminal_named(g, in, format, token, &index))
            costs[index] = value;
    }
    free(line);
    return bad;
}

static void print_places(const hot_path *p, program *app)
{
    putchar('\t');
    for (size_t s = 0; s < p->length; s++) {
        fputs(s ? " | " : "", stdout);
        places_print(app, p->symbols[s], stdout);
    }
}

static void print_path(const hot_path *p, const symbol_source *source, json *j)
{
    if (!j) {
        printf("%llu\t%llu\t", (unsigned long long)p->cost, (unsigned long long)p->count);
        terminals_print(source->in, source->options.format, p->symbols, p->length, stdout);
        if (source->app)
            print_places(p, source->app);
        putchar('\n');
        return;
    }
    json_object(j, NULL);
    json_array(j, "path");
    for (size_t s = 0; s < p->length; s++)
        terminals_json(source->in, source->options.format, p->symbols[s], j);
    json_end_array(j);
    json_integer(j, "count", (int64_t)p->count);
    json_integer(j, "cost", p->cost > INT64_MAX ? INT64_MAX : (int64_t)p->cost);
    if (source->app) {
        json_array(j, "places");
        for (size_t s = 0; s < p->length; s++)
            places_json(source->app, p->symbols[s], j);
        json_end_array(j);
    }
    json_end_object(j);
}

/* Of how many paths the ELF does not tell the cost exactly. */
typedef struct doubts {
    size_t bounded, estimated;
} doubts;

static void print(hot_path *paths, size_t count, const grammar *g, const symbol_source *source, doubts d, bool as_json)
{
    json *j = as_json ? json_begin(stdout) : NULL;
    if (j) {
        json_object(j, NULL);
        json_array(j, "subpaths");
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t s = 0; s < paths[i].length; s++)
            paths[i].symbols[s] = g->terminals[paths[i].symbols[s]];
        print_path(paths + i, source, j);
    }
    if (j)
        json_end_array(j);
    if (j && source->app) {
        json_integer(j, "paths", (int64_t)g->terminal_count);
        json_integer(j, "bounded", (int64_t)d.bounded);
        json_integer(j, "estimated", (int64_t)d.estimated);
    }
    if (j) {
        json_end_object(j);
        json_finish(j);
    }
}

/* What is not certain about the costs goes to standard error. */
static doubts set_path_costs(const char *name, const grammar *g, path_costs *instructions, uint64_t *costs)
{
    doubts d = {0, 0};
    for (size_t i = 0; i < g->terminal_count; i++) {
        path_cost cost = costs_of(instructions, g->terminals[i]);
        costs[i] = ((uint64_t)cost.least + cost.most + 1) / 2;
        d.estimated += cost.estimated;
        d.bounded += !cost.estimated && cost.least != cost.most;
    }
    if (d.bounded)
        fprintf(stderr,
                "weft %s: %zu of %zu paths may take two ways in the machine code; they cost the middle of both\n", name,
                d.bounded, g->terminal_count);
    if (d.estimated)
        fprintf(stderr, "weft %s: the costs of %zu of %zu paths are estimated\n", name, d.estimated, g->terminal_count);
    return d;
}

/* Sets what each terminal costs: 1, or what the program says, or the file. The exit status. */
static int set_costs(const char *name, const grammar *g, const symbol_source *source, const options *o, uint64_t *costs,
                     doubts *d)
{
    path_costs *instructions = source->app ? costs_open(source->app) : NULL;
    for (size_t i = 0; i < g->terminal_count; i++)
        costs[i] = 1;
    if (instructions)
        *d = set_path_costs(name, g, instructions, costs);
    costs_close(instructions);
    if (!o->costs)
        return EXIT_DONE;
    FILE *file = fopen(o->costs, "r");
    if (!file)
        return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", o->costs, strerror(errno));
    size_t bad = read_costs(file, g, source->in, source->options.format, costs);
    int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed)
        return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", o->costs, strerror(failed));
    return bad ? command_fail(name, EXIT_INPUT, "%s: line %zu is not 'SYMBOL COST'", o->costs, bad) : EXIT_DONE;
}

static int report(const char *name, const grammar *g, const symbol_source *source, const options *o)
{
    uint64_t *costs = memory_zero(g->terminal_count, sizeof *costs);
    doubts d = {0, 0};
    int status = set_costs(name, g, source, o, costs, &d);
    if (status == EXIT_DONE) {
        hot_options find = {(uint64_t)o->min_cost, (size_t)o->min_length, (size_t)o->max_length, costs};
        hot_path *paths;
        size_t count;
        if (hot_find(g, &find, &paths, &count))
            print(paths, count, g, source, d, o->as_json);
        else
            status = command_fail(name, EXIT_INPUT,
                                  "the stream is too long for subpaths of %lld symbols; give a lower --max-length",
                                  o->max_length);
        hot_free(paths, count);
    }
    free(costs);
    return status;
}

static int find_hot(const char *name, const char *path, const options *o)
{
    char message[300];
    symbol_source source;
    if ((o->symbols.elf || o->symbols.context >= 0) && !input_is_container(path))
        return command_fail(name, EXIT_USAGE, "--elf and --context go with a container");
    if (!symbol_source_open(&source, path, &o->symbols, message, sizeof message))
        return command_fail(name, EXIT_INPUT, "%s", message);
    grammar *g = symbol_source_grammar(&source, o->lookahead, false);
    int status = symbol_source_error(&source)
                     ? command_fail(name, EXIT_INPUT, "%s: %s", path, symbol_source_error(&source))
                     : report(name, g, &source, o);
    if (status == EXIT_DONE && symbol_source_gaps(&source, name))
        status = EXIT_GAPS;
    grammar_free(g);
    symbol_source_close(&source);
    return status;
}

int command_hot(int argc, char **argv)
{
    enum { LENGTH_MAX = 1000000 };
    options o = {.symbols = {.format = INPUT_TEXT, .context = -1}, .min_cost = -1};
    const command_option list[] = {{"json", .flag = &o.as_json},
                                   {"format", .format = &o.symbols.format},
                                   {"elf", .text = &o.symbols.elf},
                                   {"context", .number = &o.symbols.context, .max = UINT32_MAX},
                                   {"lookahead", .number = &o.lookahead, .max = 1},
                                   {"min-cost", .number = &o.min_cost, .max = LLONG_MAX},
                                   {"min-length", .number = &o.min_length, .min = 1, .max = LENGTH_MAX},
                                   {"max-length", .number = &o.max_length, .min = 1, .max = LENGTH_MAX},
                                   {"costs", .text = &o.costs},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (o.min_cost < 0 || !o.min_length || !o.max_length)
        return command_fail(argv[0], EXIT_USAGE, "--min-cost, --min-length and --max-length are wanted; see --help");
    if (o.min_length > o.max_length)
        return command_fail(argv[0], EXIT_USAGE, "--min-length is more than --max-length");
    if (argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "exactly one input is wanted; see --help");
    return find_hot(argv[0], argv[optind], &o);
}
