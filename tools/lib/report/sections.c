/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/sections.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/affine/text.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"

enum { LINES_MAX = 64, HOT_SHOWN = 15, WALKS_SHOWN = 12, POINTS_SHOWN = 512, NEST_TEXT = 2000 };
#define LOOP_SHARE 0.5 /* percent of the paths: loops with less are not shown */

/* ---- lines of a path ---- */

static int by_line(const void *a, const void *b)
{
    const descriptor_line *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

/* The lines of a block's instructions, and its function. */
static bool block_at(void *own, uint32_t block, places_function *function, descriptor_line *lines, size_t max,
                     size_t *count)
{
    const report_data *d = own;
    const image_symbol *f = image_function(&d->im->symbols, block);
    uint32_t end = structure_block_end(&d->run->structure, block);
    *count = 0;
    *function = (places_function){f ? f->name : "", NULL};
    for (uint32_t pc = block; pc < end && *count < max; pc += 2) {
        const image_line *line = image_line_at(d->im, pc);
        if (line && line->file && (!*count || line->line != lines[*count - 1].line))
            lines[(*count)++] = (descriptor_line){line->file, line->line};
    }
    return true;
}

/* Of paths, or of the blocks of a recording without paths. */
static path_places places_in(const report_data *d)
{
    return d->app ? path_places_of(d->app) : (path_places){(void *)d, block_at};
}

static size_t all_lines_of(const report_data *d, uint32_t symbol, const char **function, descriptor_line *lines)
{
    path_places where = places_in(d);
    places_function f = {"", NULL};
    size_t count = 0;
    where.at(where.own, symbol, &f, lines, LINES_MAX, &count);
    *function = f.name;
    return count;
}

/* The known lines of a path or block that stand in its first line's file, ascending, each once. */
static size_t lines_of(const report_data *d, uint32_t path, const char **function, descriptor_line lines[LINES_MAX])
{
    size_t found = all_lines_of(d, path, function, lines), count = 0;
    for (size_t i = 0; i < found && i < LINES_MAX; i++)
        if (lines[i].line && lines[i].file && (!count || lines[i].file == lines[0].file))
            lines[count++] = lines[i];
    if (count)
        qsort(lines, count, sizeof *lines, by_line);
    found = count;
    count = 0;
    for (size_t i = 0; i < found; i++)
        if (!count || lines[i].line != lines[count - 1].line)
            lines[count++] = lines[i];
    return count;
}

/* "12-14,17" */
static void write_lines(const descriptor_line *lines, size_t count, char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0, end; i < count && used + 24 < room; i = end) {
        for (end = i + 1; end < count && lines[end].line == lines[end - 1].line + 1;)
            end++;
        used += (size_t)snprintf(text + used, room - used, "%s%" PRIu32, i ? "," : "", lines[i].line);
        if (end > i + 1)
            used += (size_t)snprintf(text + used, room - used, "-%" PRIu32, lines[end - 1].line);
    }
}

/* The line of an instruction. */
static void put_line_at(const report_data *d, uint32_t pc, json *j)
{
    char text[24] = "";
    const image_symbol *f = image_function(&d->im->symbols, pc);
    const image_line *line = image_line_at(d->im, pc);
    if (line && line->file)
        snprintf(text, sizeof text, "%" PRIu32, line->line);
    json_array(j, NULL);
    json_string(j, NULL, f ? f->name : "");
    json_string(j, NULL, line && line->file ? line->file : "");
    json_string(j, NULL, text);
    json_end_array(j);
}

/* Of a path or a block. */
static void put_lines(const report_data *d, uint32_t symbol, json *j)
{
    descriptor_line lines[LINES_MAX];
    char text[200];
    const char *function;
    const descriptor_function *f = d->app ? descriptors_of_path(program_descriptors(d->app), symbol) : NULL;
    size_t count = lines_of(d, symbol, &function, lines);
    write_lines(lines, count, text, sizeof text);
    json_array(j, NULL);
    json_string(j, NULL, function);
    json_string(j, NULL, count ? lines[0].file : f && f->file ? f->file : "");
    json_string(j, NULL, text);
    json_end_array(j);
}

void report_lines_put(const report_data *d, uint32_t path, json *j)
{
    (d->app ? put_lines : put_line_at)(d, path, j);
}

/* ---- hot subpaths ---- */

static void put_source(const report_data *d, uint32_t path, json *j)
{
    descriptor_line lines[LINES_MAX];
    char text[160];
    const char *function;
    size_t count = lines_of(d, path, &function, lines);
    json_array(j, NULL);
    for (size_t i = 0; i < count; i++) {
        bool known = d->sources && sources_line(d->sources, lines[i].file, lines[i].line, text, sizeof text);
        json_integer(j, NULL, lines[i].line);
        json_string(j, NULL, known ? text : "");
    }
    json_end_array(j);
}

/* A path that stands several times in a row is listed once. */
static void put_hot(const report_data *d, const hot_path *p, uint64_t all, json *j)
{
    json_object(j, NULL);
    json_integer(j, "cost", (int64_t)p->cost);
    json_integer(j, "count", (int64_t)p->count);
    json_integer(j, "covered", (int64_t)p->covered);
    json_real(j, "share", all ? (double)p->covered / (double)all : 0);
    json_array(j, "steps");
    for (size_t i = 0, end; i < p->length; i = end) {
        for (end = i + 1; end < p->length && p->symbols[end] == p->symbols[i];)
            end++;
        json_array(j, NULL);
        json_integer(j, NULL, (int64_t)(end - i));
        put_lines(d, p->symbols[i], j);
        put_source(d, p->symbols[i], j);
        json_end_array(j);
    }
    json_end_array(j);
    json_end_object(j);
}

static int by_covered(const void *a, const void *b)
{
    uint64_t x = ((const hot_path *)a)->covered, y = ((const hot_path *)b)->covered;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The costliest ones, in the order of the shares that are shown. */
void report_hot_put(const report_data *d, json *j)
{
    hot_paths found = {0};
    uint64_t all = 0;
    bool done = d->run->structure.grammar->length && structure_hot(&d->run->structure, HOT_SHOWN, &found, &all);
    size_t shown = found.count < HOT_SHOWN ? found.count : HOT_SHOWN;
    if (shown)
        qsort(found.all, shown, sizeof *found.all, by_covered);
    json_object(j, "hot");
    json_string(j, "what", d->app ? "path" : "block");
    json_integer(j, "paths", (int64_t)d->run->structure.paths);
    json_integer(j, "read", done ? (int64_t)d->run->structure.ruled : 0);
    json_integer(j, "found", (int64_t)found.count);
    json_array(j, "subpaths");
    for (size_t i = 0; i < shown; i++)
        put_hot(d, &found.all[i], all, j);
    json_end_array(j);
    json_end_object(j);
    if (done)
        hot_free(&found);
}

/* ---- loops ---- */

static const char *name_path(void *context, uint32_t symbol, char buffer[24])
{
    (void)context;
    snprintf(buffer, 24, "%" PRIu32, symbol);
    return buffer;
}

void report_loops_put(const report_data *d, json *j)
{
    const structure *s = &d->run->structure;
    json_object(j, "loops");
    json_string(j, "what", d->app ? "path" : "block");
    json_integer(j, "paths", (int64_t)s->paths);
    json_integer(j, "read", (int64_t)s->looped);
    if (s->nest->length) {
        path_places where = places_in(d);
        nest_tree *tree = nest_tree_new(s->nest, &where, name_path, NULL);
        nest_tree_json(tree, LOOP_SHARE, j);
        nest_tree_free(tree);
    }
    json_end_object(j);
}

/* ---- walks ---- */

static void put_nest(const affine_nest *loops, json *j)
{
    char *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    affine_print_addresses(loops, out);
    fclose(out);
    if (size > NEST_TEXT)
        text[NEST_TEXT] = 0;
    json_string(j, "nest", text);
    free(text);
}

/* A site of a recording with probes. */
static void put_traced(const report_data *d, const walk *w, json *j)
{
    const descriptors *known = program_descriptors(d->app);
    const descriptor_site *site = descriptors_site(known, w->site);
    const descriptor_function *f = descriptors_of_site(known, w->site);
    json_string(j, "function", f ? f->name : "");
    json_string(j, "file", site && site->place.file ? site->place.file : "");
    json_integer(j, "line", site ? site->place.line : 0);
    json_string(j, "text", site && site->text ? site->text : "");
}

/* An instruction that accesses memory. */
static void put_instruction(const report_data *d, const walk *w, json *j)
{
    char text[24];
    const image_symbol *f = image_function(&d->im->symbols, w->site);
    const image_line *line = image_line_at(d->im, w->site);
    snprintf(text, sizeof text, "at 0x%08" PRIx32, w->site);
    json_string(j, "function", f ? f->name : "");
    json_string(j, "file", line && line->file ? line->file : "");
    json_integer(j, "line", line ? line->line : 0);
    json_string(j, "text", text);
}

static void put_site(const report_data *d, const walk *w, json *j)
{
    uint32_t offset = 0, above;
    const image_symbol *object = image_object(&d->im->symbols, w->low, &offset);
    const image_symbol *last = image_object(&d->im->symbols, w->high, &above);
    json_integer(j, "site", w->site);
    if (d->app)
        put_traced(d, w, j);
    else
        put_instruction(d, w, j);
    json_string(j, "object", object ? object->name : "");
    json_string(j, "last", last && last != object ? last->name : "");
    json_bool(j, "within", object && last == object);
    json_integer(j, "offset", object ? offset : 0);
}

static void put_walk(const report_data *d, const walk *w, json *j)
{
    const affine_nest *longest = &w->model.nest[0];
    json_object(j, NULL);
    put_site(d, w, j);
    json_bool(j, "store", w->store);
    json_integer(j, "size", w->size);
    json_integer(j, "accesses", (int64_t)w->count);
    json_integer(j, "low", w->low);
    json_integer(j, "high", w->high);
    json_integer(j, "kept", w->kept);
    json_integer(j, "affine", (int64_t)model_affine(&w->model));
    json_integer(j, "nests", (int64_t)w->model.nests);
    for (size_t i = 0; i < w->model.nests; i++)
        if (w->model.nest[i].depth && (!longest->depth || w->model.nest[i].accesses > longest->accesses))
            longest = &w->model.nest[i];
    if (longest->depth)
        put_nest(longest, j);
    json_array(j, "points");
    for (uint32_t i = 0; i < w->kept && i < POINTS_SHOWN; i++)
        json_integer(j, NULL, w->address[i]);
    json_end_array(j);
    json_end_object(j);
}

void report_walks_put(const report_data *d, json *j)
{
    walks *w = &d->run->walks;
    walks_model(w, WALKS_SHOWN);
    json_object(j, "walks");
    json_integer(j, "sites", (int64_t)w->count);
    json_array(j, "shown");
    for (size_t i = 0; i < w->count && w->all[i].modelled && w->all[i].count > 1; i++) /* one access is not a walk */
        put_walk(d, &w->all[i], j);
    json_end_array(j);
    json_end_object(j);
}
