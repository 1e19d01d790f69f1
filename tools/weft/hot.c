/* SPDX-License-Identifier: MIT */
/* weft hot: minimal hot subpaths of a stream. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/grammar.h"
#include "tools/lib/hot.h"
#include "tools/lib/memory.h"
#include "tools/lib/terminals.h"
#include "tools/weft/command.h"

static const char help[] =
    "usage: weft hot --min-cost C --min-length A --max-length B [--costs FILE] [--format F] [--json] IN\n\n"
    "Minimal hot subpaths, costliest first, a line each: COST, tab, COUNT, tab, the subpath. The cost of a subpath is the\n"
    "sum of its symbols' costs, times its occurrences; COUNT is exact, overlapping occurrences included.\n\n"
    "  --min-cost C      report what costs C or more\n"
    "  --min-length A    and is A symbols or longer\n"
    "  --max-length B    but not longer than B\n"
    "  --costs FILE      a line for each symbol: SYMBOL COST; symbols that are not listed cost 1\n"
    "  --lookahead N     1: find them in the SEQUITUR(1) grammar; default 0\n"
    "  --format F        of a raw stream: text (default), chars, u8, u16, u32, i64\n"
    "  --json            one JSON object: subpaths, each with path, count and cost\n";

typedef struct options {
    long long min_cost, min_length, max_length;
    const char *costs;
    input_format format;
    bool as_json, lookahead;
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
        uint64_t value = cost && isdigit((unsigned char)*cost) ? strtoull(cost, &end, 10) : 0;
        if (!cost || !isdigit((unsigned char)*cost) || *end || errno || strtok_r(NULL, " \t\r\n", &rest))
            bad = number;
        else if (terminal_named(g, in, format, token, &index))
            costs[index] = value;
    }
    free(line);
    return bad;
}

static void print(const hot_path *paths, size_t count, const grammar *g, const input *in, const options *o)
{
    json *j = o->as_json ? json_begin(stdout) : NULL;
    if (j) {
        json_object(j, NULL);
        json_array(j, "subpaths");
    }
    for (size_t i = 0; i < count; i++) {
        const hot_path *p = paths + i;
        for (size_t s = 0; s < p->length; s++)
            p->symbols[s] = g->terminals[p->symbols[s]];
        if (!j) {
            printf("%llu\t%llu\t", (unsigned long long)p->cost, (unsigned long long)p->count);
            terminals_print(in, o->format, p->symbols, p->length, stdout);
            putchar('\n');
            continue;
        }
        json_object(j, NULL);
        json_array(j, "path");
        for (size_t s = 0; s < p->length; s++)
            terminals_json(in, o->format, p->symbols[s], j);
        json_end_array(j);
        json_integer(j, "count", (int64_t)p->count);
        json_integer(j, "cost", p->cost > INT64_MAX ? INT64_MAX : (int64_t)p->cost);
        json_end_object(j);
    }
    if (j) {
        json_end_array(j);
        json_end_object(j);
        json_finish(j);
    }
}

static int report(const char *name, const grammar *g, const input *in, const options *o)
{
    uint64_t *costs = memory_grow(NULL, g->terminal_count, sizeof *costs);
    for (size_t i = 0; i < g->terminal_count; i++)
        costs[i] = 1;
    size_t bad = 0;
    if (o->costs) {
        FILE *file = fopen(o->costs, "r");
        if (!file) {
            free(costs);
            return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", o->costs, strerror(errno));
        }
        bad = read_costs(file, g, in, o->format, costs);
        fclose(file);
    }
    if (!bad) {
        hot_options find = {(uint64_t)o->min_cost, (size_t)o->min_length, (size_t)o->max_length, costs};
        size_t count;
        hot_path *paths = hot_find(g, &find, &count);
        print(paths, count, g, in, o);
        hot_free(paths, count);
    }
    free(costs);
    return bad ? command_fail(name, EXIT_INPUT, "%s: line %zu is not 'SYMBOL COST'", o->costs, bad) : EXIT_DONE;
}

static int raw_hot(const char *name, const char *path, const options *o)
{
    static uint32_t block[8192];
    input *in = input_open(path, o->format);
    if (!in)
        return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", path, strerror(errno));
    grammar_builder *builder = grammar_builder_new(o->lookahead);
    size_t size;
    while ((size = input_symbols(in, block, sizeof block / sizeof *block)) > 0)
        grammar_push(builder, block, size);
    grammar *g = grammar_finish(builder);
    int status = input_error(in) ? command_fail(name, EXIT_INPUT, "%s: %s", path, input_error(in))
                                 : report(name, g, in, o);
    grammar_free(g);
    input_close(in);
    return status;
}

/* False, and a message: an option is wrong. */
static bool parse(int argc, char **argv, options *o)
{
    static const struct option longs[] = {{"json", no_argument, NULL, 'j'},
                                          {"format", required_argument, NULL, 'f'},
                                          {"lookahead", required_argument, NULL, 'l'},
                                          {"min-cost", required_argument, NULL, 'c'},
                                          {"min-length", required_argument, NULL, 'a'},
                                          {"max-length", required_argument, NULL, 'b'},
                                          {"costs", required_argument, NULL, 'o'},
                                          {NULL, 0, NULL, 0}};
    enum { LENGTH_MAX = 1000000 };
    long long number;
    int c;
    bool well = true;
    while (well && (c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        switch (c) {
        case 'j':
            o->as_json = true;
            break;
        case 'f':
            well = input_format_parse(optarg, &o->format);
            if (!well)
                command_fail(argv[0], EXIT_USAGE, "there is no format '%s'", optarg);
            break;
        case 'l':
            well = command_number(argv[0], "--lookahead", optarg, 0, 1, &number);
            o->lookahead = well && number;
            break;
        case 'c':
            well = command_number(argv[0], "--min-cost", optarg, 0, LLONG_MAX, &o->min_cost);
            break;
        case 'a':
            well = command_number(argv[0], "--min-length", optarg, 1, LENGTH_MAX, &o->min_length);
            break;
        case 'b':
            well = command_number(argv[0], "--max-length", optarg, 1, LENGTH_MAX, &o->max_length);
            break;
        case 'o':
            o->costs = optarg;
            break;
        default:
            well = false;
        }
    }
    return well;
}

int command_hot(int argc, char **argv)
{
    options o = {.format = INPUT_TEXT, .min_cost = -1};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help")) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
    if (!parse(argc, argv, &o))
        return EXIT_USAGE;
    if (o.min_cost < 0 || !o.min_length || !o.max_length)
        return command_fail(argv[0], EXIT_USAGE, "--min-cost, --min-length and --max-length are wanted; see --help");
    if (o.min_length > o.max_length)
        return command_fail(argv[0], EXIT_USAGE, "--min-length is more than --max-length");
    if (argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "exactly one input is wanted; see --help");
    return raw_hot(argv[0], argv[optind], &o);
}
