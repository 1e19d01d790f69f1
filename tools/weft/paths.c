/* SPDX-License-Identifier: MIT */
/* weft paths: the k-iteration path forest of raw streams or containers. */
#define _GNU_SOURCE /* the unlocked functions of stdio */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/text.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/image/places.h"
#include "tools/lib/input/terminals.h"
#include "tools/lib/profile/activations.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/profile/sequences.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/script.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_input.h"
#include "tools/weft/options.h"

enum { K_MAX = 64 };
#define ALL LLONG_MAX /* of --top */

static const char help[] =
    "usage: weft paths -k K [--top N] [--format F] [--elf APP.elf] [--from control|profile] [--json] IN...\n\n"
    "How often each sequence of up to K consecutive paths was taken, a line each: COUNT, tab, the sequence; sorted by\n"
    "sequence. Several inputs add up, all of them raw streams or all containers. On a terminal: a summary, the 20 "
    "most\n"
    "frequent sequences with their shares.\n\n"
    "  -k K                longest sequence, 1 to 64\n"
    "  --top N             only the N most frequent sequences, sorted by count\n"
    "  --format F          of raw streams: text (default), chars, u8, u16, u32, i64; in text and chars the token *\n"
    "                      starts anew, as at the entry of a routine\n"
    "  --elf APP.elf       of containers: where the paths lie in the source, as a third column; and, for the control\n"
    "                      stream, where routines are entered: sequences of two or more need that\n"
    "  --from control      count the control stream, even if there is a profile that the target counted itself\n"
    "  --from profile      count the profile; the default where there is one\n"
    "  --context C         of containers: only this context (a handler's name, thread, or a number)\n"
    "  --function F        of containers: only this function\n"
    "  --summary           the summary, wherever it goes; with --top N of N sequences\n"
    "  --json              one JSON object: paths, each with path and count; events\n";

typedef struct options {
    long long k, top;
    input_format format;
    bool as_json, summary;
    const char *elf, *from; /* from: NULL: choose */
    event_choice choice;
} options;

/* What was counted: on the host, or by targets; or both, which is joined before it is read. */
typedef struct counts {
    sequences *host;
    kipf *targets;
} counts;

static uint64_t counts_events(const counts *c)
{
    return (c->host ? sequences_events(c->host) : 0) + (c->targets ? kipf_events(c->targets) : 0);
}

static void counts_join(counts *c)
{
    if (!c->host || !c->targets)
        return;
    sequences_add(c->host, c->targets);
    kipf_free(c->targets);
    c->targets = NULL;
}

static void counts_each(const counts *c, unsigned depth, const uint32_t *rank, kipf_visit *visit, void *context)
{
    if (c->host)
        sequences_each(c->host, depth, rank, visit, context);
    else if (c->targets)
        kipf_each(c->targets, depth, rank, visit, context);
}

static void counts_free(counts *c)
{
    sequences_free(c->host);
    kipf_free(c->targets);
}

/* Feeds the symbols of one raw stream; false: it ended with an error. */
static bool feed_raw(sequences *all, input *in, input_format format)
{
    static uint32_t block[4096];
    uint32_t place = 0;
    size_t size;
    while ((size = input_symbols(in, block, sizeof block / sizeof *block)) > 0) {
        uint32_t star = '*';
        bool marked = format == INPUT_CHARS || (format == INPUT_TEXT && input_find(in, "*", &star));
        for (size_t i = 0; i < size; i++)
            if (marked && block[i] == star)
                place = 0;
            else
                sequences_push(all, &place, block[i]);
        progress_show(sequences_events(all), "events");
    }
    progress_end();
    return !input_error(in);
}

/* The text of the last line's sequence. Most sequences are the one before and one path more, so only the end of the
 * text is made anew. */
typedef struct text {
    uint32_t path[K_MAX];
    size_t end[K_MAX + 1]; /* of the text of the first N paths */
    unsigned length;
    char *bytes;
    size_t max;
} text;

/* What prints the sequences. */
typedef struct printer {
    const input *in;
    const options *o;
    program *app;
    json *j;           /* NULL: lines */
    uint32_t *singles; /* paths that were printed as sequences of one */
    size_t single_count, singles_max;
    uint64_t printed;
    uint64_t events; /* of a summary, the whole that shares are parts of; else 0 */
    text text;
} printer;

static void append_path(printer *p, unsigned at, uint32_t path)
{
    char buffer[24] = {(char)path};
    text *t = &p->text;
    bool chars = p->o->format == INPUT_CHARS, space = at && !chars;
    const char *name = chars ? buffer : input_name(p->in, path, buffer);
    size_t size = chars ? 1 : strlen(name), start = t->end[at];
    t->bytes = memory_room(t->bytes, start + size, &t->max, 1);
    t->bytes[start] = ' ';
    memcpy(t->bytes + start + space, name, size);
    t->path[at] = path;
    t->end[at + 1] = start + space + size;
}

/* COUNT, tab, the sequence, as terminals_print writes it; without a newline. */
static void print_line(printer *p, const uint32_t *path, unsigned length, uint64_t count)
{
    char digits[24];
    size_t at = sizeof digits;
    text *t = &p->text;
    unsigned same = 0;
    while (same < t->length && same < length && t->path[same] == path[same])
        same++;
    for (; same < length; same++)
        append_path(p, same, path[same]);
    t->length = length;
    digits[--at] = '\t';
    do
        digits[--at] = (char)('0' + count % 10);
    while (count /= 10);
    fwrite_unlocked(digits + at, 1, sizeof digits - at, stdout);
    fwrite_unlocked(t->bytes, 1, t->end[length], stdout);
}

static void print_json(printer *p, const uint32_t *path, unsigned length, uint64_t count)
{
    json_object(p->j, NULL);
    json_array(p->j, "path");
    for (unsigned s = 0; s < length; s++)
        terminals_json(p->in, p->o->format, path[s], p->j);
    json_end_array(p->j);
    json_unsigned(p->j, "count", count);
    json_end_object(p->j);
    if (!p->app || length > 1)
        return;
    p->singles = memory_room(p->singles, p->single_count, &p->singles_max, sizeof *p->singles);
    p->singles[p->single_count++] = path[0];
}

static void print_places(const printer *p, const uint32_t *path, unsigned length, FILE *file)
{
    for (unsigned s = 0; s < length; s++) {
        fputs(s ? " | " : "", file);
        places_print(p->app, path[s], file);
    }
}

/* "12.34% what runs  5 times" */
static void print_summary_line(const printer *p, const uint32_t *path, unsigned length, uint64_t count)
{
    char *what, head[32], tail[32];
    size_t size;
    FILE *line = open_memstream(&what, &size);
    if (!line)
        memory_grow(NULL, SIZE_MAX, 2); /* ends the program */
    if (p->app)
        print_places(p, path, length, line);
    else
        terminals_print(p->in, p->o->format, path, length, line);
    if (fclose(line))
        memory_grow(NULL, SIZE_MAX, 2);
    snprintf(head, sizeof head, "%6.2f%% ", 100 * (double)count / (double)p->events);
    snprintf(tail, sizeof tail, "  %llu times", (unsigned long long)count);
    text_line(stdout, command_columns(), head, what, tail);
    free(what);
}

static void print_sequence(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    printer *p = context;
    progress_printed(++p->printed, "sequences");
    if (p->j) {
        print_json(p, path, length, count);
        return;
    }
    if (p->events) {
        print_summary_line(p, path, length, count);
        return;
    }
    print_line(p, path, length, count);
    if (p->app) {
        putchar('\t');
        print_places(p, path, length, stdout);
    }
    putchar_unlocked('\n');
}

/* ---- the most frequent ones ---- */

/* The largest counts, the least of them on top. */
typedef struct heap {
    uint64_t *count;
    size_t used, max, top;
    uint64_t all; /* sequences seen */
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
    h->all++;
    if (h->used == h->top) {
        if (h->used && count > h->count[0]) {
            h->count[0] = count;
            sift_down(h);
        }
        return;
    }
    h->count = memory_room(h->count, h->used, &h->max, sizeof *h->count);
    size_t at = h->used++;
    for (; at && h->count[(at - 1) / 2] > count; at = (at - 1) / 2)
        h->count[at] = h->count[(at - 1) / 2];
    h->count[at] = count;
}

/* Keeps what is counted more often than `least`, and the first `equal` of those that are counted as often. */
typedef struct frequent {
    uint64_t count;
    size_t path; /* the first of its symbols */
    unsigned length;
} frequent;

typedef struct sieve {
    uint64_t least;
    size_t equal;
    frequent *kept; /* in the order of the sequences */
    size_t used, max;
    uint32_t *symbols;
    size_t symbol_count, symbols_max;
} sieve;

static void keep_frequent(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    sieve *s = context;
    if (count < s->least || (count == s->least && s->equal == 0))
        return;
    s->equal -= count == s->least;
    s->kept = memory_room(s->kept, s->used, &s->max, sizeof *s->kept);
    s->kept[s->used++] = (frequent){count, s->symbol_count, length};
    s->symbols = memory_room(s->symbols, s->symbol_count + length - 1, &s->symbols_max, sizeof *s->symbols);
    memcpy(s->symbols + s->symbol_count, path, length * sizeof *path);
    s->symbol_count += length;
}

static int by_count(const void *left, const void *right)
{
    const frequent *l = left, *r = right;
    if (l->count != r->count)
        return l->count < r->count ? 1 : -1;
    return (l->path > r->path) - (l->path < r->path); /* then in the order of the sequences */
}

/* Twice through the forest, so that only what is printed is kept. Gives the number of all sequences. */
static uint64_t print_top(const counts *c, const uint32_t *rank, printer *p, size_t top)
{
    heap h = {.top = top};
    counts_each(c, (unsigned)p->o->k, rank, add_count, &h);
    sieve s = {.least = h.used ? h.count[0] : 0};
    for (size_t i = 0; i < h.used; i++)
        s.equal += h.count[i] == s.least;
    if (h.used)
        counts_each(c, (unsigned)p->o->k, rank, keep_frequent, &s);
    if (s.used)
        qsort(s.kept, s.used, sizeof *s.kept, by_count);
    for (size_t i = 0; i < s.used; i++)
        print_sequence(p, s.symbols + s.kept[i].path, s.kept[i].length, s.kept[i].count);
    free(h.count);
    free(s.kept);
    free(s.symbols);
    return h.all;
}

/* ---- what is printed ---- */

static void print_summary(const counts *c, const uint32_t *rank, printer *p)
{
    enum { SEQUENCES = 20 };
    size_t top = p->o->top == ALL ? SEQUENCES : (size_t)p->o->top;
    p->events = counts_events(c);
    printf("%llu paths in sequences of up to %lld\n", (unsigned long long)p->events, p->o->k);
    if (!p->events)
        return;
    puts("\n share  what runs  occurrences");
    uint64_t all = print_top(c, rank, p, top);
    printf("\n%llu of %llu sequences.", (unsigned long long)(all < top ? all : top), (unsigned long long)all);
    puts(all > top ? " `weft paths -k K --top N` shows N, `weft paths ... | cat` all." : "");
}

static void print_as_json(const counts *c, const uint32_t *rank, printer *p)
{
    p->j = json_begin(stdout);
    json_object(p->j, NULL);
    json_integer(p->j, "k", p->o->k);
    json_unsigned(p->j, "events", counts_events(c));
    json_array(p->j, "paths");
    if (p->o->top == ALL)
        counts_each(c, (unsigned)p->o->k, rank, print_sequence, p);
    else
        print_top(c, rank, p, (size_t)p->o->top);
    json_end_array(p->j);
    if (p->app) {
        json_array(p->j, "places");
        for (size_t i = 0; i < p->single_count; i++)
            places_json(p->app, p->singles[i], p->j);
        json_end_array(p->j);
    }
    json_end_object(p->j);
    json_finish(p->j);
}

static void report(const counts *c, const input *in, const options *o, program *app)
{
    uint32_t *rank = in ? terminals_ranks(in, o->format) : NULL;
    printer p = {.in = in, .o = o, .app = app};
    if (o->as_json)
        print_as_json(c, rank, &p);
    else if (command_summary(o->summary, o->top != ALL))
        print_summary(c, rank, &p);
    else if (o->top == ALL)
        counts_each(c, (unsigned)o->k, rank, print_sequence, &p);
    else
        print_top(c, rank, &p, (size_t)o->top);
    progress_end();
    free(p.singles);
    free(p.text.bytes);
    free(rank);
}

static int raw_paths(const char *name, char **files, const options *o)
{
    input *in = input_open(*files, o->format);
    counts all = {.host = sequences_new(o->k < 2 ? 2 : (unsigned)o->k)};
    int status = EXIT_DONE;
    for (char **file = files; *file && status == EXIT_DONE; file++) {
        if (!in || (file != files && !input_open_next(in, *file)))
            status = command_fail(name, EXIT_INPUT, "cannot read '%s': %s", *file, strerror(errno));
        else if (!feed_raw(all.host, in, o->format))
            status = command_fail(name, EXIT_INPUT, "%s: %s", *file, input_error(in));
    }
    if (status == EXIT_DONE)
        report(&all, in, o, NULL);
    counts_free(&all);
    input_close(in);
    return status;
}

/* Adds one container. The exit status. */
static int add_container(const char *name, const char *path, const options *o, program *app, counts *all)
{
    char message[300];
    uint64_t profile_k = 0;
    container *file = container_open(path, message, sizeof message);
    if (!file)
        return command_fail(name, EXIT_INPUT, "%s", message);
    const char *error = NULL;
    event_filter wanted = {0};
    bool has_profile = container_meta(file, WEFT_META_KSF_K, &profile_k) && profile_k >= 2 && profile_k <= 64;
    bool chosen = o->choice.context || o->choice.function;
    bool from_profile = o->from ? *o->from == 'p' : has_profile && !chosen;
    uint64_t unread = 0;
    if (!from_profile && (error = container_without_paths(file)))
        ;
    else if (app && !program_fits(app, file, message, sizeof message))
        error = message;
    else if (!event_filter_open(&wanted, o->choice, file, app, message, sizeof message))
        error = message;
    else if (from_profile && chosen)
        error = "a profile does not tell contexts apart: --context and --function go with --from control";
    else if (from_profile && !has_profile)
        error = "it has no profile";
    else if (from_profile && (uint64_t)o->k > profile_k)
        error = "its profile was made for shorter sequences";
    else if (!from_profile && !app && o->k > 1)
        error = "it has no profile, and only the program says where routines are entered: give --elf APP.elf, or -k 1";
    if (!error && from_profile && !all->targets)
        all->targets = kipf_new((unsigned)profile_k);
    if (!error && !from_profile && !all->host)
        all->host = sequences_new(o->k < 2 ? 2 : (unsigned)o->k);
    if (!error)
        error = from_profile ? activations_feed_profile(file, all->targets)
                             : activations_count(file, app, &wanted, all->host, &unread);
    int status = error ? command_fail(name, EXIT_INPUT, "%s: %s", path, error) : EXIT_DONE;
    if (!error && control_print_gaps(file, unread, name))
        status = EXIT_GAPS;
    event_filter_close(&wanted);
    container_close(file);
    return status;
}

/* The same for a merged profile. */
static int add_merged(const char *name, const char *path, const options *o, program *app, counts *sum)
{
    char message[300];
    merged *all;
    uint32_t number;
    if (o->choice.context || o->choice.function)
        return command_fail(name, EXIT_USAGE, "%s: a merged profile does not tell contexts apart, nor functions", path);
    int status = fleet_input(&all, &number, name, path, app);
    if (status == EXIT_DONE && !restore_forest(all, number, (unsigned)o->k, &sum->targets, message, sizeof message))
        status = command_fail(name, EXIT_INPUT, "%s: %s", path, message);
    else if (status == EXIT_DONE)
        status = fleet_warn(all, number, name, path);
    merged_free(all);
    return status;
}

static int container_paths(const char *name, char **files, options *o)
{
    char message[300];
    if (o->k > 1)
        o->elf = elf_beside(o->elf, files[0]);
    program *app = o->elf ? program_open(o->elf, message, sizeof message) : NULL;
    if (o->elf && !app)
        return command_fail(name, EXIT_INPUT, "%s", message);
    counts all = {0};
    int status = EXIT_DONE;
    for (char **file = files; *file && status != EXIT_INPUT; file++) {
        int added = profile_is(*file) ? add_merged(name, *file, o, app, &all)
                    : input_is_container(*file)
                        ? add_container(name, *file, o, app, &all)
                        : command_fail(name, EXIT_INPUT, "'%s' is not a container, but the first input is", *file);
        status = added == EXIT_DONE ? status : added;
    }
    o->format = INPUT_U32;
    counts_join(&all);
    if (status != EXIT_INPUT)
        report(&all, NULL, o, app);
    counts_free(&all);
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
                                   {"context", .text = &o.choice.context},
                                   {"function", .text = &o.choice.function},
                                   {"summary", .flag = &o.summary},
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
    if (profile_is(argv[optind]) || input_is_container(argv[optind]))
        return container_paths(argv[0], argv + optind, &o);
    if (o.elf || o.from || o.choice.context || o.choice.function)
        return command_fail(argv[0], EXIT_USAGE, "--elf, --from, --context and --function go with containers");
    return raw_paths(argv[0], argv + optind, &o);
}
