/* SPDX-License-Identifier: MIT */
/* weft hot: minimal hot subpaths of a stream. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/grammar/grammar.h"
#include "tools/lib/grammar/hot.h"
#include "tools/lib/image/places.h"
#include "tools/lib/input/source.h"
#include "tools/lib/input/terminals.h"
#include "tools/lib/machine/costs.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"
#include "tools/weft/symbol_stream.h"

static const char help[] =
    "usage: weft hot [--min-cost C] [--min-length A] [--max-length B] [--costs FILE] [--format F] [--json] IN\n\n"
    "Minimal hot subpaths, costliest first, a line each: COST, tab, COUNT, tab, the subpath. The cost of a subpath is "
    "the\n"
    "sum of its symbols' costs, times its occurrences; COUNT is exact, overlapping occurrences included. Minimal: no\n"
    "prefix of A symbols or more costs C. Of subpaths that overlap, some are left out; each of these overlaps one\n"
    "that is reported. On a terminal: a summary, the dozen costliest with their shares; overlaps count once there. IN "
    "is a\n"
    "recording (its paths, in recorded order; see weft paths), or a raw stream.\n\n"
    "  --min-cost C      report what costs C or more; default one percent of the whole stream\n"
    "  --min-length A    and is A symbols or longer; default 2\n"
    "  --max-length B    but not longer than B; default 16\n"
    "  --costs FILE      a line for each symbol: SYMBOL COST; symbols that are not listed cost 1\n"
    "  --elf APP.elf     of a recording: a symbol costs the machine instructions that its path executes in its\n"
    "                    function, without those of the probes; and the output names its lines. A summary takes the\n"
    "                    image beside IN by itself; recordings of instructions do so, too, and have exact costs\n"
    "  --context C       of a recording: only the paths of this context (a handler's name, thread, or a number);\n"
    "                    default all, in the order in which they ended\n"
    "  --function F      of a recording: only the paths of this function\n"
    "  --lookahead N     1: find them in the SEQUITUR(1) grammar; default 0\n"
    "  --format F        of a raw stream: text (default), chars, u8, u16, u32, i64\n"
    "  --summary         the summary, wherever it goes\n"
    "  --json            one JSON object: subpaths, each with path, count and cost; with --elf paths, and of how many "
    "of\n"
    "                    them the cost is the middle of two bounds (bounded) or estimated\n\n"
    "It takes at most 64 bytes per byte of IN and 1 GiB, or what --memory-limit says. What would take more is "
    "refused.\n";

typedef struct options {
    symbol_options symbols;
    long long min_cost, min_length, max_length, lookahead; /* min_cost < 0: one percent */
    const char *costs;
    bool as_json, summary;
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

/* Reads lines SYMBOL COST; 0, or the number of the first line that is something else. */
static size_t read_costs(FILE *file, const grammar *g, const input *in, input_format format, uint64_t *costs)
{
    char *line = NULL;
    size_t max = 0, number = 0, index, bad = 0;
    for (ssize_t size; !bad && (size = getline(&line, &max, file)) >= 0;) {
        number++;
        if (memchr(line, 0, (size_t)size)) {
            bad = number; /* what follows the zero would not be read */
            break;
        }
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

static void print_line(const hot_path *p, const symbol_source *source)
{
    printf("%llu\t%llu\t", (unsigned long long)p->cost, (unsigned long long)p->count);
    terminals_print(source->in, source->options.format, p->symbols, p->length, stdout);
    if (source->named) {
        putchar('\t');
        places_print_sequence(&source->where, p->symbols, p->length, false, stdout);
    }
    putchar('\n');
}

static void print_json_path(const hot_path *p, const symbol_source *source, json *j)
{
    json_object(j, NULL);
    json_array(j, "path");
    for (size_t s = 0; s < p->length; s++)
        terminals_json(source->in, source->options.format, p->symbols[s], j);
    json_end_array(j);
    json_unsigned(j, "count", p->count);
    json_unsigned(j, "cost", p->cost);
    if (source->named) {
        json_array(j, "places");
        for (size_t s = 0; s < p->length; s++)
            places_json(&source->where, p->symbols[s], j);
        json_end_array(j);
    }
    json_end_object(j);
}

/* "what runs   12.34%   5   60" */
static void print_summary_line(const hot_path *p, const symbol_source *source, double cost)
{
    char *what, tail[96], times[32], covered[32];
    size_t size;
    FILE *text = memory_stream(&what, &size);
    if (source->named)
        places_print_sequence(&source->where, p->symbols, p->length, true, text);
    else
        terminals_show(source->in, source->options.format, p->symbols, p->length, text);
    fclose(text);
    snprintf(tail, sizeof tail, " %7.2f%% %11s %13s", cost > 0 ? 100 * (double)p->covered / cost : 0,
             text_grouped(p->count, times), text_grouped(p->covered, covered));
    text_row(stdout, command_columns(), "", what, tail);
    free(what);
}

/* Of how many paths the ELF does not give the exact cost. */
typedef struct doubts {
    size_t bounded, estimated;
} doubts;

/* What is found, and what it is found in. */
typedef struct result {
    const symbol_source *source;
    const grammar *g;
    hot_paths paths; /* the symbols are values */
    uint64_t stream_cost;
    doubts doubts;
} result;

static void print_json(const result *r)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_array(j, "subpaths");
    for (size_t i = 0; i < r->paths.count; i++)
        print_json_path(r->paths.all + i, r->source, j);
    json_end_array(j);
    if (r->source->named) {
        json_unsigned(j, "paths", r->g->terminal_count);
        json_unsigned(j, "bounded", r->doubts.bounded);
        json_unsigned(j, "estimated", r->doubts.estimated);
    }
    json_end_object(j);
    json_finish(j);
}

static int by_covered(const void *left, const void *right)
{
    const hot_path *l = left, *r = right;
    if (l->covered != r->covered)
        return l->covered < r->covered ? 1 : -1;
    return (l->cost < r->cost) - (l->cost > r->cost);
}

enum {
    SUMMARY_PATHS = 12, /* lines of a summary */
    RANKED_PATHS = 64   /* the costliest, of which these are taken */
};

/* Where occurrences overlap, a summary counts what they share once. */
static void rank_summary(result *r, const uint64_t *costs)
{
    size_t count = r->paths.count < RANKED_PATHS ? r->paths.count : RANKED_PATHS;
    hot_cover(r->g, costs, r->paths.all, count);
    if (count)
        qsort(r->paths.all, count, sizeof *r->paths.all, by_covered);
}

static void print_summary(const result *r, const hot_options *find)
{
    size_t count = r->paths.count;
    printf("%" PRIu64 " symbols, cost %" PRIu64 ": %zu hot subpaths\nof %zu to %zu symbols that cost %" PRIu64
           " or more\n",
           r->g->length, r->stream_cost, count, find->min_length, find->max_length, find->min_cost);
    putchar('\n');
    if (count)
        text_row(stdout, command_columns(), "", "WHAT RUNS", "    SHARE       TIMES   COST OF ALL");
    for (size_t i = 0; i < count && i < SUMMARY_PATHS; i++)
        print_summary_line(r->paths.all + i, r->source, (double)r->stream_cost);
    if (count > SUMMARY_PATHS)
        printf("\n%d of %zu. `weft hot ... | cat` shows all, a lower --min-cost more.\n", SUMMARY_PATHS, count);
    else
        puts("\nA lower --min-cost shows more.");
}

static void print(const result *r, const hot_options *find, const options *o)
{
    for (size_t i = 0; i < r->paths.count; i++)
        for (size_t s = 0; s < r->paths.all[i].length; s++)
            r->paths.all[i].symbols[s] = r->g->terminals[r->paths.all[i].symbols[s]];
    if (o->as_json)
        print_json(r);
    else if (command_summary(o->summary, false))
        print_summary(r, find);
    else
        for (size_t i = 0; i < r->paths.count; i++)
            print_line(r->paths.all + i, r->source);
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

/* What the file says that symbols cost. The exit status. */
static int set_costs_of_file(const char *name, const grammar *g, const symbol_source *source, const char *path,
                             uint64_t *costs)
{
    size_t size, bad = 0;
    void *bytes = memory_read(path, &size); /* not of a device without an end: it may be one line */
    if (!bytes)
        return command_fail(name, EXIT_INPUT, "cannot read '%s': %s", path, strerror(errno));
    FILE *file = fmemopen(bytes, size, "r");
    if (file) {
        bad = read_costs(file, g, source->in, source->options.format, costs);
        fclose(file);
    }
    free(bytes);
    if (!file && size)
        return command_fail(name, EXIT_HOST, "cannot read '%s': %s", path, strerror(errno));
    return bad ? command_fail(name, EXIT_INPUT, "%s: line %zu is not 'SYMBOL COST'", path, bad) : EXIT_DONE;
}

/* Sets what each terminal costs: 1, or what the program says, or the file. The exit status. */
static int set_costs(const char *name, result *r, const options *o, uint64_t *costs)
{
    const symbol_feed *feed = &r->source->feed;
    path_costs *instructions = r->source->app ? costs_open(r->source->app) : NULL;
    for (size_t i = 0; i < r->g->terminal_count; i++)
        costs[i] = feed->cost ? feed->cost(feed->own, r->g->terminals[i]) : 1;
    if (instructions)
        r->doubts = set_path_costs(name, r->g, instructions, costs);
    costs_close(instructions);
    return o->costs ? set_costs_of_file(name, r->g, r->source, o->costs, costs) : EXIT_DONE;
}

/* Costs beyond this are not exact (hot.h), and JSON has no larger integers. */
static bool costs_fit(const result *r)
{
    bool fit = r->stream_cost <= INT64_MAX;
    for (size_t i = 0; i < r->paths.count; i++)
        fit &= r->paths.all[i].cost <= INT64_MAX;
    return fit;
}

/* The search, with costs that are set. */
static int find_and_print(const char *name, result *r, const options *o, const uint64_t *costs, uint64_t memory)
{
    hot_options find = {.min_length = (size_t)o->min_length, .max_length = (size_t)o->max_length, .costs = costs};
    find.levels = HOT_LEVELS;
    find.memory = memory;
    r->stream_cost = hot_stream_cost(r->g, costs);
    find.min_cost = o->min_cost >= 0 ? (uint64_t)o->min_cost : r->stream_cost / 100 + (r->stream_cost % 100 != 0);
    hot_status found = hot_find(r->g, &find, &r->paths);
    if (found == HOT_FOUND && !costs_fit(r)) {
        hot_free(&r->paths);
        return command_fail(name, EXIT_INPUT, "the costs add up to more than %" PRId64, INT64_MAX);
    }
    if (found == HOT_FOUND && !o->as_json && command_summary(o->summary, false))
        rank_summary(r, costs);
    if (found == HOT_FOUND)
        print(r, &find, o);
    hot_free(&r->paths);
    if (found == HOT_TOO_LONG)
        return command_fail(name, EXIT_INPUT,
                            "the stream is too long for subpaths of %lld symbols; give a lower --max-length",
                            o->max_length);
    if (found == HOT_TOO_MUCH)
        return command_fail(name, EXIT_INPUT,
                            "finding subpaths of %lld symbols takes %" PRIu64 " bytes, more than %" PRIu64
                            "; give a lower --max-length or a larger --memory-limit",
                            o->max_length, r->paths.bytes, memory);
    return EXIT_DONE;
}

static int report(const char *name, const char *path, const grammar *g, const symbol_source *source, const options *o)
{
    uint64_t *costs = memory_zero(g->terminal_count, sizeof *costs);
    result r = {.source = source, .g = g};
    int status = set_costs(name, &r, o, costs);
    if (status == EXIT_DONE)
        status = find_and_print(name, &r, o, costs, command_memory(path));
    free(costs);
    return status;
}

static int find_hot(const char *name, const char *path, const options *o)
{
    symbol_source source;
    int status;
    grammar *g = symbol_stream_grammar(&source, name, path, &o->symbols, o->lookahead, false, NULL, &status);
    if (!g)
        return status;
    status = report(name, path, g, &source, o);
    grammar_free(g);
    return symbol_stream_close(&source, name, status);
}

int command_hot(int argc, char **argv)
{
    enum { LENGTH_MAX = 1000000 };
    options o = {.symbols = {.format = INPUT_TEXT}, .min_cost = -1, .min_length = 2, .max_length = 16};
    const command_option list[] = {{"json", .flag = &o.as_json},
                                   {"format", .format = &o.symbols.format},
                                   {"elf", .text = &o.symbols.elf},
                                   {"context", .text = &o.symbols.choice.context},
                                   {"function", .text = &o.symbols.choice.function},
                                   {"lookahead", .number = &o.lookahead, .max = 1},
                                   {"min-cost", .number = &o.min_cost, .max = LLONG_MAX},
                                   {"min-length", .number = &o.min_length, .min = 1, .max = LENGTH_MAX},
                                   {"max-length", .number = &o.max_length, .min = 1, .max = LENGTH_MAX},
                                   {"costs", .text = &o.costs},
                                   {"summary", .flag = &o.summary},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (o.min_length > o.max_length)
        return command_fail(argv[0], EXIT_USAGE, "--min-length is more than --max-length");
    if (argc - optind != 1)
        return command_fail(argv[0], EXIT_USAGE, "takes one input; see --help");
    symbol_stream_image(&o.symbols, argv[optind], command_summary(o.summary, o.as_json));
    return find_hot(argv[0], argv[optind], &o);
}
