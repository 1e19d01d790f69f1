/* SPDX-License-Identifier: MIT */
#include "tools/lib/loops/tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SPANS_MAX = 4 /* source places told for a loop */, PATHS_MAX = 64 /* paths that are asked for them */ };

typedef struct tree {
    const nest *nest;
    const uint64_t *bodies; /* symbols in one iteration of each loop */
    double min_share;
    program *app;
    FILE *file;
    json *json;
    double times[NEST_DEPTH_MAX + 1]; /* how often the loops around run this one */
} tree;

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

/* The source lines of the first paths in the body, inner loops included. */
static size_t find_spans(const tree *t, uint32_t loop, span spans[SPANS_MAX])
{
    const nest *n = t->nest;
    size_t count = 0, stack[NEST_DEPTH_MAX + 1], end[NEST_DEPTH_MAX + 1];
    unsigned depth = 0, paths = 0;
    stack[0] = n->loops[loop].first;
    end[0] = stack[0] + n->loops[loop].size;
    while (paths < PATHS_MAX) {
        if (stack[depth] == end[depth]) {
            if (!depth--)
                break;
            continue;
        }
        uint32_t item = n->items[stack[depth]++];
        if (nest_is_loop(n, item)) {
            stack[++depth] = nest_loop_of(n, item)->first;
            end[depth] = stack[depth] + nest_loop_of(n, item)->size;
            continue;
        }
        descriptor_line lines[64];
        uint32_t path = n->symbols[item];
        const descriptor_function *f = descriptors_of_path(program_descriptors(t->app), path);
        size_t found = f ? program_path_lines(t->app, path, lines, 64) : 0;
        for (size_t i = 0; i < found && i < 64; i++)
            if (lines[i].line && lines[i].file)
                widen(spans, &count, f->name, lines + i);
        paths++;
    }
    return count;
}

static void print_loop(const tree *t, uint32_t loop, uint64_t at, unsigned depth, double share)
{
    const nest_loop *l = t->nest->loops + loop;
    fprintf(t->file, "%6.2f%% %*s%" PRIu32 " x %" PRIu64 "  at %" PRIu64 ", %" PRIu64 " symbols", 100 * share,
            2 * (int)depth, "", l->iterations, t->bodies[loop], at, t->bodies[loop] * l->iterations);
    span spans[SPANS_MAX];
    size_t count = t->app ? find_spans(t, loop, spans) : 0;
    for (size_t i = 0; i < count; i++) {
        fprintf(t->file, "%s%s %s:%" PRIu32, i ? ", " : "  ", spans[i].function, spans[i].file, spans[i].first);
        if (spans[i].last > spans[i].first)
            fprintf(t->file, "-%" PRIu32, spans[i].last);
    }
    putc('\n', t->file);
}

static void json_loop(const tree *t, uint32_t loop, uint64_t at, unsigned depth, double share)
{
    const nest_loop *l = t->nest->loops + loop;
    json_object(t->json, NULL);
    json_integer(t->json, "depth", depth + 1);
    json_integer(t->json, "start", (int64_t)at);
    json_integer(t->json, "iterations", l->iterations);
    json_integer(t->json, "body", (int64_t)t->bodies[loop]);
    json_integer(t->json, "span", (int64_t)(t->bodies[loop] * l->iterations));
    json_real(t->json, "share", share);
    if (t->app) {
        span spans[SPANS_MAX];
        size_t count = find_spans(t, loop, spans);
        json_array(t->json, "lines");
        for (size_t i = 0; i < count; i++) {
            json_object(t->json, NULL);
            json_string(t->json, "function", spans[i].function);
            json_string(t->json, "file", spans[i].file);
            json_integer(t->json, "first", spans[i].first);
            json_integer(t->json, "last", spans[i].last);
            json_end_object(t->json);
        }
        json_end_array(t->json);
    }
    json_end_object(t->json);
}

static void enter(void *context, uint32_t loop, uint64_t at, unsigned depth)
{
    tree *t = context;
    const nest_loop *l = t->nest->loops + loop;
    double share = t->times[depth] * (double)t->bodies[loop] * l->iterations / (double)t->nest->length;
    t->times[depth + 1] = t->times[depth] * l->iterations;
    if (100 * share < t->min_share)
        return;
    if (t->json)
        json_loop(t, loop, at, depth, share);
    else
        print_loop(t, loop, at, depth, share);
}

static void walk(tree *t)
{
    uint64_t *bodies = nest_body_lengths(t->nest);
    nest_visitor v = {.context = t, .enter = enter};
    t->bodies = bodies;
    t->times[0] = 1;
    nest_walk(t->nest, &v);
    free(bodies);
}

void nest_tree_print(const nest *n, double min_share, program *app, FILE *file)
{
    tree t = {.nest = n, .min_share = min_share, .app = app, .file = file};
    walk(&t);
}

void nest_tree_json(const nest *n, double min_share, program *app, json *j)
{
    tree t = {.nest = n, .min_share = min_share, .app = app, .json = j};
    json_array(j, "tree");
    walk(&t);
    json_end_array(j);
}
