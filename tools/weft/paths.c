/* SPDX-License-Identifier: MIT */
/* weft paths: the k-iteration path forest of raw streams or containers. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/image/places.h"
#include "tools/lib/input/terminals.h"
#include "tools/lib/profile/activations.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/script.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

enum { K_MAX = 64 };
#define ALL LLONG_MAX /* of --top */

static const char help[] =
    "usage: weft paths -k K [--top N] [--format F] [--elf APP.elf] [--from control|profile] [--json] IN...\n\n"
    "How often each sequence of up to K consecutive paths was taken, a line each: COUNT, tab, the sequence; sorted by\n"
    "sequence. Several inputs add up, all of them raw streams or all containers.\n\n"
    "  -k K         longest sequence, 1 to 64\n"
    "  --top N      only the N most frequent sequences\n"
    "  --format F   of raw streams: text (default), chars, u8, u16, u32, i64; in text and chars the token * starts\n"
    "               anew, as at the entry of a routine\n"
    "  --elf APP.elf       of containers: where the paths lie in the source, as a third column; and, for the control\n"
    "                      stream, where routines are entered: sequences of two or more need that\n"
    "  --from control      count the control stream, even if there is a profile that the target counted itself\n"
    "  --from profile      count the profile; the default where there is one\n"
    "  --json       one JSON object: paths, each with path and count; events\n";

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
        progress_show(kipf_events(forest), "events");
    }
    progress_end();
    return !input_error(in);
}

/* What prints the sequences, in their order. */
typedef struct printer {
    const input *in;
    const options *o;
    program *app;
    json *j;           /* NULL: lines */
    uint32_t *singles; /* paths that were printed as sequences of one */
    size_t single_count, singles_max;
    uint64_t printed;
} printer;

static void print_json(printer *p, const uint32_t *path, unsigned length, uint64_t count)
{
    json_object(p->j, NULL);
    json_array(p->j, "path");
    for (unsigned s = 0; s < length; s++)
        terminals_json(p->in, p->o->format, path[s], p->j);
    json_end_array(p->j);
    json_integer(p->j, "count", (int64_t)count);
    json_end_object(p->j);
    if (!p->app || length > 1)
        return;
    if (p->single_count == p->singles_max) {
        p->singles_max = 2 * p->singles_max + 64;
        p->singles = memory_grow(p->singles, p->singles_max, sizeof *p->singles);
    }
    p->singles[p->single_count++] = path[0];
}

static void print_sequence(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    printer *p = context;
    progress_printed(++p->printed, "sequences");
    if (p->j) {
        print_json(p, path, length, count);
        return;
    }
    printf("%llu\t", (unsigned long long)count);
    terminals_print(p->in, p->o->format, path, length, stdout);
    for (unsigned s = 0; p->app && s < length; s++) {
        fputs(s ? " | " : "\t", stdout);
        places_print(p->app, path[s], stdout);
    }
    putchar('\n');
}

/* ---- the most frequent ones ---- */

/* The largest counts, the least of them on top. */
typedef struct heap {
    uint64_t *count;
    size_t used, max, top;
} heap;

static void sift_down(heap *h)
{
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < h->used; at = child) {
        child += child + 1 < h->used && h->count[child + 1] < h->count[child];
        if (h->count[at] <= h->count[child])
            break;
        uint64_t moved = h->count[at];
        h->count[at] = h->count[child];
        h->count[child] = moved;
    }
}

static void add_count(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    heap *h = context;
    (void)path;
    (void)length;
    if (h->used == h->top) {
        if (h->used && count > h->count[0]) {
            h->count[0] = count;
            sift_down(h);
        }
        return;
    }
    if (h->used == h->max) {
        h->max = 2 * h->max + 64;
        h->count = memory_grow(h->count, h->max, sizeof *h->count);
    }
    size_t at = h->used++;
    for (; at && h->count[(at - 1) / 2] > count; at = (at - 1) / 2)
        h->count[at] = h->count[(at - 1) / 2];
    h->count[at] = count;
}

/* Prints what is counted more often than `least`, and the first `equal` of those that are counted as often. */
typedef struct sieve {
    printer *printer;
    uint64_t least;
    size_t equal;
} sieve;

static void print_frequent(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    sieve *s = context;
    if (count < s->least || (count == s->least && s->equal == 0))
        return;
    s->equal -= count == s->least;
    print_sequence(s->printer, path, length, count);
}

/* Twice through the forest, so that no sequence is kept. */
static void print_top(const kipf *forest, const uint32_t *rank, printer *p)
{
    heap h = {.top = (size_t)p->o->top};
    kipf_each(forest, (unsigned)p->o->k, rank, add_count, &h);
    sieve s = {.printer = p, .least = h.used ? h.count[0] : 0};
    for (size_t i = 0; i < h.used; i++)
        s.equal += h.count[i] == s.least;
    if (h.used)
        kipf_each(forest, (unsigned)p->o->k, rank, print_frequent, &s);
    free(h.count);
}

static void report(const kipf *forest, const input *in, const options *o, program *app)
{
    uint32_t *rank = in ? terminals_ranks(in, o->format) : NULL;
    printer p = {.in = in, .o = o, .app = app, .j = o->as_json ? json_begin(stdout) : NULL};
    if (p.j) {
        json_object(p.j, NULL);
        json_integer(p.j, "k", o->k);
        json_integer(p.j, "events", (int64_t)kipf_events(forest));
        json_array(p.j, "paths");
    }
    if (o->top == ALL)
        kipf_each(forest, (unsigned)o->k, rank, print_sequence, &p);
    else
        print_top(forest, rank, &p);
    if (p.j)
        json_end_array(p.j);
    if (p.j && app) {
        json_array(p.j, "places");
        for (size_t i = 0; i < p.single_count; i++)
            places_json(app, p.singles[i], p.j);
        json_end_array(p.j);
    }
    if (p.j) {
        json_end_object(p.j);
        json_finish(p.j);
    }
    progress_end();
    free(p.singles);
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
    uint64_t unread = 0;
    if (!from_profile && (error = container_without_paths(file)))
        ;
    else if (app && !program_fits(app, file, message, sizeof message))
        error = message;
    else if (from_profile && !has_profile)
        error = "it holds no profile";
    else if (from_profile && (uint64_t)o->k > profile_k)
        error = "its profile was made for shorter sequences";
    else if (!from_profile && !app && o->k > 1)
        error = "it holds no profile, and where routines are entered only the program tells: --elf APP.elf, or -k 1";
    if (!error && !*forest)
        *forest = kipf_new(from_profile ? (unsigned)profile_k : o->k < 2 ? 2 : (unsigned)o->k);
    if (!error)
        error = from_profile ? activations_feed_profile(file, *forest) : activations_feed(file, app, *forest, &unread);
    int status = error ? command_fail(name, EXIT_INPUT, "%s: %s", path, error) : EXIT_DONE;
    if (!error && control_print_gaps(file, unread, name))
        status = EXIT_GAPS;
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
    options o = {.top = ALL, .format = INPUT_TEXT};
    const command_option list[] = {{"k", .number = &o.k, .min = 1, .max = K_MAX},
                                   {"top", .number = &o.top, .max = ALL - 1},
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
    if (o.elf || o.from)
        return command_fail(argv[0], EXIT_USAGE, "--elf and --from go with containers");
    return raw_paths(argv[0], argv + optind, &o);
}
