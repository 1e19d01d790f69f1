/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* the unlocked functions of stdio */
#include "tools/weft/paths_show.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/places.h"
#include "tools/lib/input/terminals.h"
#include "tools/weft/command.h"
#include "tools/weft/paths_lines.h"

/* ---- what was counted ---- */

void paths_counts_join(paths_counts *c)
{
    if (!c->host || !c->targets)
        return;
    sequences_add(c->host, c->targets);
    kipf_free(c->targets);
    c->targets = NULL;
}

void paths_counts_free(paths_counts *c)
{
    sequences_free(c->host);
    kipf_free(c->targets);
}

static uint64_t counts_events(const paths_counts *c)
{
    return (c->host ? sequences_events(c->host) : 0) + (c->targets ? kipf_events(c->targets) : 0);
}

static void counts_each(const paths_counts *c, unsigned depth, const uint32_t *rank, kipf_visit *visit, void *context)
{
    if (c->host)
        sequences_each(c->host, depth, rank, visit, context);
    else if (c->targets)
        kipf_each(c->targets, depth, rank, visit, context);
}

/* ---- a sequence ---- */

/* What prints the sequences. */
typedef struct printer {
    const input *in;
    const paths_options *o;
    const path_places *where; /* NULL: not known */
    json *j;                  /* NULL: lines */
    uint32_t *singles;        /* paths that were printed as sequences of one */
    size_t single_count, singles_max;
    uint64_t printed;
    uint64_t events; /* of a summary, the whole that shares are parts of; else 0 */
    path_lines lines;
} printer;

static void print_line(printer *p, const uint32_t *path, unsigned length, uint64_t count, char last)
{
    path_lines_add(&p->lines, path, length, count, last);
    fwrite_unlocked(p->lines.bytes, 1, p->lines.size, stdout);
    p->lines.size = 0;
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
    if (!p->where || length > 1)
        return;
    p->singles = memory_room(p->singles, p->single_count, &p->singles_max, sizeof *p->singles);
    p->singles[p->single_count++] = path[0];
}

/* "what runs   12.34%   5" */
static void print_summary_line(const printer *p, const uint32_t *path, unsigned length, uint64_t count)
{
    char *what, tail[64], times[32];
    size_t size;
    FILE *line = memory_stream(&what, &size);
    if (p->where)
        places_print_sequence(p->where, path, length, true, line);
    else
        terminals_show(p->in, p->o->format, path, length, line);
    fclose(line);
    snprintf(tail, sizeof tail, " %7.2f%% %11s", 100 * (double)count / (double)p->events, text_grouped(count, times));
    text_row(stdout, command_columns(), "", what, tail);
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
    print_line(p, path, length, count, p->where ? '\t' : '\n');
    if (p->where) {
        places_print_sequence(p->where, path, length, false, stdout);
        putchar_unlocked('\n');
    }
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
static uint64_t print_top(const paths_counts *c, const uint32_t *rank, printer *p, size_t top)
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

/* The same where the number of all sequences is not asked for. */
static void print_only_top(const paths_counts *c, const uint32_t *rank, printer *p, size_t top)
{
    if (!c->host || !sequences_top(c->host, (unsigned)p->o->k, rank, top, print_sequence, p))
        print_top(c, rank, p, top);
}

/* ---- what is printed ---- */

static void print_summary(const paths_counts *c, const uint32_t *rank, printer *p)
{
    enum { SEQUENCES = 18 }; /* with the other lines: 23, a screenful */
    size_t top = p->o->top == PATHS_ALL ? SEQUENCES : (size_t)p->o->top;
    p->events = counts_events(c);
    printf("%llu paths", (unsigned long long)p->events);
    printf(p->o->k > 1 ? " in sequences of up to %lld\n" : "\n", p->o->k);
    if (!p->events)
        return;
    putchar('\n');
    text_row(stdout, command_columns(), "", "WHAT RUNS", "    SHARE       TIMES");
    uint64_t all = print_top(c, rank, p, top);
    printf("\n%llu of %llu sequences.", (unsigned long long)(all < top ? all : top), (unsigned long long)all);
    puts(all > top ? " --top N shows N, `weft paths ... | cat` all." : "");
}

static void print_as_json(const paths_counts *c, const uint32_t *rank, printer *p)
{
    p->j = json_begin(stdout);
    json_object(p->j, NULL);
    json_integer(p->j, "k", p->o->k);
    json_unsigned(p->j, "events", counts_events(c));
    json_array(p->j, "paths");
    if (p->o->top == PATHS_ALL)
        counts_each(c, (unsigned)p->o->k, rank, print_sequence, p);
    else
        print_only_top(c, rank, p, (size_t)p->o->top);
    json_end_array(p->j);
    if (p->where) {
        json_array(p->j, "places");
        for (size_t i = 0; i < p->single_count; i++)
            places_json(p->where, p->singles[i], p->j);
        json_end_array(p->j);
    }
    json_end_object(p->j);
    json_finish(p->j);
}

void paths_show(const paths_counts *c, const input *in, const paths_options *o, const path_places *where)
{
    uint32_t *rank = in ? terminals_ranks(in, o->format) : NULL;
    printer p = {.in = in, .o = o, .where = where, .lines = {.in = in, .format = o->format}};
    if (o->as_json)
        print_as_json(c, rank, &p);
    else if (command_summary(o->summary, o->top != PATHS_ALL))
        print_summary(c, rank, &p);
    else if (o->top != PATHS_ALL)
        print_only_top(c, rank, &p, (size_t)o->top);
    else if (c->host && !where)
        paths_lines_print(c->host, (unsigned)o->k, rank, in, o->format);
    else
        counts_each(c, (unsigned)o->k, rank, print_sequence, &p);
    progress_end();
    free(p.singles);
    path_lines_free(&p.lines);
    free(rank);
}
