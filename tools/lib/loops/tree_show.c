/* SPDX-License-Identifier: MIT */
/* A tree of loops as lines, as JSON, and as a summary. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/loops/tree_data.h"

enum {
    SPANS_MAX = 4,    /* source places given per loop */
    PATHS_MAX = 64,   /* paths of the body that are asked for them */
    SUMMARY_TEXT = 64 /* characters of a body's first symbols */
};

static double share_of(const nest_tree *t, const group *g)
{
    return g->symbols / (double)t->nest->length;
}

/* The group after `at` in the order of the tree; NONE: that was the last. `down`: those in it come, too. */
static uint32_t next_group(const nest_tree *t, uint32_t at, bool down)
{
    if (down && t->groups[at].child != NONE)
        return t->groups[at].child;
    while (at != NONE && t->groups[at].sibling == NONE)
        at = t->groups[at].parent;
    return at == NONE ? NONE : t->groups[at].sibling;
}

/* ---- what a loop runs ---- */

/* Lines first..last of a function. */
typedef struct span {
    const char *file, *function;
    uint32_t first, last;
} span;

static void widen(span *spans, size_t *count, const char *function, const descriptor_line *line)
{
    for (size_t i = 0; i < *count; i++)
        if (!strcmp(spans[i].file, line->file) && !strcmp(spans[i].function, function)) {
            spans[i].first = line->line < spans[i].first ? line->line : spans[i].first;
            spans[i].last = line->line > spans[i].last ? line->line : spans[i].last;
            return;
        }
    if (*count < SPANS_MAX)
        spans[(*count)++] = (span){line->file, function, line->line, line->line};
}

static void widen_by_path(const nest_tree *t, uint32_t path, span *spans, size_t *count)
{
    descriptor_line lines[64];
    places_function function;
    size_t found;
    if (!t->where.at(t->where.own, path, &function, lines, 64, &found))
        return;
    for (size_t i = 0; i < found; i++)
        if (lines[i].line && lines[i].file)
            widen(spans, count, function.name, lines + i);
}

/* The first `max` symbols of a loop's body, inner loops included, each iteration of those once; gives their number. */
static size_t first_symbols(const nest *n, uint32_t loop, uint32_t *symbols, size_t max)
{
    size_t count = 0, at[NEST_DEPTH_MAX + 1], end[NEST_DEPTH_MAX + 1];
    unsigned depth = 0;
    at[0] = n->loops[loop].first;
    end[0] = at[0] + n->loops[loop].size;
    while (count < max) {
        if (at[depth] == end[depth]) {
            if (!depth--)
                break;
            continue;
        }
        uint32_t item = n->items[at[depth]++];
        if (nest_is_loop(n, item)) {
            at[++depth] = nest_loop_of(n, item)->first;
            end[depth] = at[depth] + nest_loop_of(n, item)->size;
        } else {
            symbols[count++] = n->symbols[item];
        }
    }
    return count;
}

/* The source lines of the first paths in the body. */
static size_t find_spans(const nest_tree *t, uint32_t loop, span spans[SPANS_MAX])
{
    uint32_t paths[PATHS_MAX];
    size_t found = first_symbols(t->nest, loop, paths, PATHS_MAX), count = 0;
    for (size_t i = 0; i < found; i++)
        widen_by_path(t, paths[i], spans, &count);
    return count;
}

/* "function file.c:12-14, ..." */
static void write_spans(const nest_tree *t, uint32_t loop, bool folders, FILE *file)
{
    span spans[SPANS_MAX];
    size_t count = find_spans(t, loop, spans);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", file);
        text_print(file, spans[i].function);
        putc(' ', file);
        text_print(file, folders ? spans[i].file : text_base(spans[i].file));
        fprintf(file, ":%" PRIu32, spans[i].first);
        if (spans[i].last > spans[i].first)
            fprintf(file, "-%" PRIu32, spans[i].last);
    }
}

/* ---- lines ---- */

static void write_range(uint64_t least, uint64_t most, FILE *file)
{
    fprintf(file, "%" PRIu64, least);
    if (most > least)
        fprintf(file, "..%" PRIu64, most);
}

static void print_group(const nest_tree *t, const group *g, FILE *file)
{
    fprintf(file, "%6.2f%% %*s", 100 * share_of(t, g), 2 * (int)g->depth, "");
    write_range(g->least, g->most, file);
    fputs(" x ", file);
    write_range(g->body_least, g->body_most, file);
    fprintf(file, "  at %" PRIu64 ", ", g->start);
    if (g->places == 1) /* of one run, though loops around may run it again */
        fprintf(file, "%" PRIu64 " symbols", t->bodies[g->loop] * g->least);
    else
        fprintf(file, "%.0f symbols, %" PRIu64 " places", g->symbols, g->places);
    if (t->where.at) {
        fputs("  ", file);
        write_spans(t, g->loop, true, file);
    }
    putc('\n', file);
}

void nest_tree_print(const nest_tree *t, double min_share, FILE *file)
{
    for (uint32_t at = t->first; at != NONE;) {
        const group *g = t->groups + at;
        bool shown = 100 * share_of(t, g) >= min_share;
        if (shown)
            print_group(t, g, file);
        at = next_group(t, at, shown);
    }
}

static void json_spans(const nest_tree *t, uint32_t loop, json *j)
{
    span spans[SPANS_MAX];
    size_t count = find_spans(t, loop, spans);
    json_array(j, "lines");
    for (size_t i = 0; i < count; i++) {
        json_object(j, NULL);
        json_string(j, "function", spans[i].function);
        json_string(j, "file", spans[i].file);
        json_integer(j, "first", spans[i].first);
        json_integer(j, "last", spans[i].last);
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_group(const nest_tree *t, const group *g, json *j)
{
    json_object(j, NULL);
    json_integer(j, "depth", g->depth + 1);
    json_integer(j, "start", (int64_t)g->start);
    json_integer(j, "iterations", g->least);
    json_integer(j, "body", (int64_t)t->bodies[g->loop]);
    json_integer(j, "span", (int64_t)(t->bodies[g->loop] * t->nest->loops[g->loop].iterations));
    json_real(j, "share", share_of(t, g));
    json_integer(j, "iterations_max", g->most);
    json_integer(j, "places", (int64_t)g->places);
    if (t->where.at)
        json_spans(t, g->loop, j);
    json_end_object(j);
}

void nest_tree_json(const nest_tree *t, double min_share, json *j)
{
    json_array(j, "tree");
    for (uint32_t at = t->first; at != NONE;) {
        const group *g = t->groups + at;
        bool shown = 100 * share_of(t, g) >= min_share;
        if (shown)
            json_group(t, g, j);
        at = next_group(t, at, shown);
    }
    json_end_array(j);
}

/* ---- the summary ---- */

static int by_share(const void *left, const void *right)
{
    const group *l = *(const group *const *)left, *r = *(const group *const *)right;
    if (l->symbols != r->symbols)
        return l->symbols < r->symbols ? 1 : -1;
    return (l > r) - (l < r); /* a loop before those in it */
}

/* Which groups are the `count` largest, by index. A loop's share is not less than that of those in it, so that the
 * loops around a chosen one are chosen, too. */
static bool *choose(const nest_tree *t, size_t count)
{
    bool *chosen = memory_zero(t->count, sizeof *chosen);
    const group **order = memory_zero(t->count, sizeof *order);
    for (size_t i = 0; i < t->count; i++)
        order[i] = t->groups + i;
    if (t->count)
        qsort(order, t->count, sizeof *order, by_share);
    for (size_t i = 0; i < t->count && i < count; i++)
        chosen[order[i] - t->groups] = true;
    free(order);
    return chosen;
}

/* "a b c ...", of the body's first symbols. */
static void write_symbols(const nest_tree *t, uint32_t loop, FILE *file)
{
    uint32_t symbols[SUMMARY_TEXT];
    char buffer[24];
    size_t count = first_symbols(t->nest, loop, symbols, SUMMARY_TEXT), written = 0;
    for (size_t i = 0; i < count && written < SUMMARY_TEXT; i++) {
        const char *name = t->name(t->context, symbols[i], buffer);
        fputs(i ? " " : "", file);
        text_print(file, name);
        written += strlen(name) + 1;
    }
}

/* What runs is cut so that the line fits. */
static void summary_line(const nest_tree *t, const group *g, unsigned columns, FILE *file)
{
    char *what, *rounds, head[1 + 2 * NEST_DEPTH_MAX], tail[128], places[32];
    size_t size, rounds_size;
    FILE *body = memory_stream(&what, &size), *numbers = memory_stream(&rounds, &rounds_size);
    if (t->where.at)
        write_spans(t, g->loop, false, body);
    else
        write_symbols(t, g->loop, body);
    write_range(g->least, g->most, numbers);
    fputs(" x ", numbers);
    write_range(g->body_least, g->body_most, numbers);
    fclose(body);
    fclose(numbers);
    snprintf(head, sizeof head, "%*s", 2 * (int)g->depth, "");
    snprintf(tail, sizeof tail, " %7.2f%% %16.80s %9s", 100 * share_of(t, g), rounds, text_grouped(g->places, places));
    text_row(file, columns, head, what, tail);
    free(what);
    free(rounds);
}

void nest_tree_summary(const nest_tree *t, size_t count, unsigned columns, FILE *file)
{
    bool *chosen = choose(t, count);
    if (t->first != NONE) {
        putc('\n', file);
        text_row(file, columns, "", "WHAT RUNS", "    SHARE  TIMES x SYMBOLS    PLACES");
    }
    for (uint32_t at = t->first; at != NONE;) {
        if (chosen[at])
            summary_line(t, t->groups + at, columns, file);
        at = next_group(t, at, chosen[at]);
    }
    free(chosen);
}
