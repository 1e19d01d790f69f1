/* SPDX-License-Identifier: MIT */
/* weft paths: the k-iteration path forest of raw streams or containers. */
#define _GNU_SOURCE /* qsort_r */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/activations.h"
#include "tools/lib/kipf.h"
#include "tools/lib/memory.h"
#include "tools/lib/places.h"
#include "tools/lib/progress.h"
#include "tools/lib/terminals.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

enum { K_MAX = 64 };

static const char help[] =
    "usage: weft paths -k K [--top N] [--format F] [--elf APP.elf] [--from control|profile] [--json] IN...\n\n"
    "How often each sequence of up to K consecutive paths was taken, a line each: COUNT, tab, the sequence; sorted by\n"
    "sequence. Several inputs add up, all of them raw streams or all containers.\n\n"
    "  -k K         longest sequence, 1 to 64\n"
    "  --top N      only the N most frequent sequences\n"
    "  --format F   of raw streams: text (default), chars, u8, u16, u32, i64; in text and chars the token * starts\n"
    "               anew, as at the entry of a routine\n"
    "  --elf APP.elf       of containers: where the paths lie in the source, as a third column; and, for the control\n"
    "                      stream, where routines are entered\n"
    "  --from control      count the control stream, even if there is a profile that the target counted itself\n"
    "  --from profile      count the profile; the default where there is one\n"
    "  --json       one JSON object: paths, each with path and count; events\n";

typedef struct entry {
    uint64_t count;
    size_t start; /* in the table's symbols */
    uint32_t length;
} entry;

typedef struct table {
    entry *entries;
    size_t count, count_max;
    uint32_t *symbols;
    size_t size, size_max;
    const uint32_t *rank; /* NULL: symbols are their own rank */
} table;

static void add(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    table *t = context;
    if (t->count == t->count_max) {
        t->count_max = 2 * t->count_max + 64;
        t->entries = memory_grow(t->entries, t->count_max, sizeof *t->entries);
    }
    if (t->size + length > t->size_max) {
        t->size_max = 2 * t->size_max + length + 256;
        t->symbols = memory_grow(t->symbols, t->size_max, sizeof *t->symbols);
    }
    memcpy(t->symbols + t->size, path, length * sizeof *path);
    t->entries[t->count++] = (entry){.count = count, .start = t->size, .length = length};
    t->size += length;
}

static int by_path(const void *left, const void *right, void *context)
{
    const table *t = context;
    const entry *l = left, *r = right;
    for (uint32_t i = 0; i < l->length && i < r->length; i++) {
        uint32_t a = t->symbols[l->start + i], b = t->symbols[r->start + i];
        if (a != b)
            return (t->rank ? t->rank[a] < t->rank[b] : a < b) ? -1 : 1;
    }
    return (l->length > r->length) - (l->length < r->length);
}

static int by_count(const void *left, const void *right, void *context)
{
    const entry *l = left, *r = right;
    if (l->count != r->count)
        return l->count > r->count ? -1 : 1;
    return by_path(left, right, context);
}

typedef struct options {
    long long k, top;
    input_format format;
    bool as_json;
    const char *elf, *from; /* from: NULL: choose */
} options;

/* Feeds the symbols of one raw stream; false: it ended with an error. */
static bool feed_raw(kipf *forest, input *in, input_format format)
{
    static uint32_t block[4096];
    kipf_activation activation = {0};
    size_t size;
    while ((size = input_symbols(in, block, sizeof block / sizeof *block)) > 0) {
        uint32_t star = '*';
        bool marked = format == INPUT_CHARS || (format == INPUT_TEXT && input_find(in, "*", &star));
        for (size_t i = 0; i < size; i++)
            if (marked && block[i] == star)
                activation = (kipf_activation){0};
            else
                kipf_push(forest, &activation, block[i]);
        progress_show("paths", kipf_events(forest), "events");
    }
    progress_end();
    return !input_error(in);
}

/* Where the paths lie that stand alone in the table, which are all of them unless --top cut it. */
static void json_places(const table *t, program *app, json *j)
{
    json_array(j, "places");
    for (size_t i = 0; i < t->count; i++)
        if (t->entries[i].length == 1)
            places_json(app, t->symbols[t->entries[i].start], j);
    json_end_array(j);
}

static void print(const table *t, const input *in, const options *o, uint64_t events, program *app)
{
    json *j = o->as_json ? json_begin(stdout) : NULL;
    if (j) {
        json_object(j, NULL);
        json_integer(j, "k", o->k);
        json_integer(j, "events", (int64_t)events);
        json_array(j, "paths");
    }
    for (size_t i = 0; i < t->count; i++) {
        const entry *e = t->entries + i;
        if (!j) {
            printf("%llu\t", (unsigned long long)e->count);
            terminals_print(in, o->format, t->symbols + e->start, e->length, stdout);
            for (uint32_t s = 0; app && s < e->length; s++) {
                fputs(s ? " | " : "\t", stdout);
                places_print(app, t->symbols[e->start + s], stdout);
            }
            putchar('\n');
            continue;
        }
        json_object(j, NULL);
        json_array(j, "path");
        for (uint32_t s = 0; s < e->length; s++)
            terminals_json(in, o->format, t->symbols[e->start + s], j);
        json_end_array(j);
        json_integer(j, "count", (int64_t)e->count);
        json_end_object(j);
    }
    if (j) {
        json_end_array(j);
        if (app)
            json_places(t, app, j);
        json_end_object(j);
        json_finish(j);
    }
}

static void report(const kipf *forest, const input *in, const options *o, program *app)
{
    table t = {0};
    uint32_t *rank = in ? terminals_ranks(in, o->format) : NULL;
    t.rank = rank;
    kipf_each(forest, (unsigned)o->k, add, &t);
    if ((size_t)o->top < t.count) {
        qsort_r(t.entries, t.count, sizeof *t.entries, by_count, &t);
        t.count = (size_t)o->top;
    }
    if (t.count)
        qsort_r(t.entries, t.count, sizeof *t.entries, by_path, &t);
    print(&t, in, o, kipf_events(forest), app);
    free(t.entries);
    free(t.symbols);
    free(rank);
}

static int raw_paths(const char *name, char **files, const options *o)
{
    input *in = input_open(*files, o->format);
    kipf *forest = kipf_new(o->k < 2 ? 2 : (unsigned)o->k);
    int status = EXIT_DONE;
    for (char **file = files; *file && status == EXIT_DONE; file++) {
        if (!in || (file != files && !input_open_next(in, *file)))
            status = command_fail(name, EXIT_INPUT, "cannot read '%s': %s", *file, strerror(errno));
        else if (!feed_raw(forest, in, o->format))
            status = command_fail(name, EXIT_INPUT, "%s: %s", *file, input_error(in));
    }
    if (status == EXIT_DONE)
        report(forest, in, o, NULL);
    kipf_free(forest);
    input_close(in);
    return status;
}

/* Adds one container to the forest, which is made by the first. The exit status. */
static int add_container(const char *name, const char *path, const options *o, program *app, kipf **forest)
{
    char message[300];
    uint64_t profile_k = 0;
    container *file = container_open(path, message, sizeof message);
    if (!file)
        return command_fail(name, EXIT_INPUT, "%s", message);
    const char *error = NULL;
    bool has_profile = container_meta(file, WEFT_META_KSF_K, &profile_k) && profile_k >= 2 && profile_k <= 64;
    bool from_profile = o->from ? *o->from == 'p' : has_profile;
    size_t parts;
    if (app && !program_fits(app, file, message, sizeof message))
        error = message;
    else if (from_profile && !has_profile)
        error = "it holds no profile";
    else if (from_profile && (uint64_t)o->k > profile_k)
        error = "its profile was made for shorter sequences";
    else if (!from_profile && !app)
        error = "it holds no profile, and without --elf nothing tells where routines are entered";
    if (!error && !*forest)
        *forest = kipf_new(from_profile ? (unsigned)profile_k : o->k < 2 ? 2 : (unsigned)o->k);
    if (!error)
        error = from_profile ? activations_feed_profile(file, *forest, &parts) : activations_feed(file, app, *forest);
    int status = error ? command_fail(name, EXIT_INPUT, "%s: %s", path, error) : EXIT_DONE;
    if (!error && container_gap_count(file)) {
        container_print_gaps(file, name);
        status = EXIT_GAPS;
    }
    container_close(file);
    return status;
}

static int container_paths(const char *name, char **files, options *o)
{
    char message[300];
    program *app = o->elf ? program_open(o->elf, message, sizeof message) : NULL;
    if (o->elf && !app)
        return command_fail(name, EXIT_INPUT, "%s", message);
    kipf *forest = NULL;
    int status = EXIT_DONE;
    for (char **file = files; *file && status != EXIT_INPUT; file++) {
        int added = input_is_container(*file)
                        ? add_container(name, *file, o, app, &forest)
                        : command_fail(name, EXIT_INPUT, "'%s' is no container, as the first input is", *file);
        status = added == EXIT_DONE ? status : added;
    }
    o->format = INPUT_U32;
    if (status != EXIT_INPUT)
        report(forest, NULL, o, app);
    kipf_free(forest);
    program_close(app);
    return status;
}

int command_paths(int argc, char **argv)
{
    options o = {.top = LLONG_MAX, .format = INPUT_TEXT};
    const command_option list[] = {{"k", .number = &o.k, .min = 1, .max = K_MAX},
                                   {"top", .number = &o.top, .max = LLONG_MAX},
                                   {"format", .format = &o.format},
                                   {"json", .flag = &o.as_json},
                                   {"elf", .text = &o.elf},
                                   {"from", .text = &o.from},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (o.from && strcmp(o.from, "control") && strcmp(o.from, "profile"))
        return command_fail(argv[0], EXIT_USAGE, "--from wants 'control' or 'profile', not '%s'", o.from);
    if (!o.k)
        return command_fail(argv[0], EXIT_USAGE, "-k K is missing; see --help");
    if (optind == argc)
        return command_fail(argv[0], EXIT_USAGE, "no input is named; see --help");
    if (input_is_container(argv[optind]))
        return container_paths(argv[0], argv + optind, &o);
    return raw_paths(argv[0], argv + optind, &o);
}
