/* SPDX-License-Identifier: MIT */
/* `weft wet slice`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/weft/command.h"
#include "tools/weft/wet_query.h"

/* A source line (or an instruction without one) of the slice. */
typedef struct slice_line {
    uint32_t instruction; /* one of its instructions */
    uint64_t count;
} slice_line;

typedef struct instance_list {
    wet_file *f;
    json *j;
} instance_list;

static void list_execution(void *context, uint32_t node, uint32_t instance, uint64_t operations)
{
    instance_list *c = context;
    const wet_node *n = &c->f->nodes[node].n;
    uint32_t last = WET_NONE, time = wet_time(c->f, node, instance);
    for (uint64_t rest = operations; rest; rest &= rest - 1) {
        uint32_t index = n->operation_statement[__builtin_ctzll(rest)];
        const wet_statement *s = &c->f->statements[n->statements[index]];
        if (index == last || c->f->statics[s->instruction].exception)
            continue;
        last = index;
        json_object(c->j, NULL);
        json_integer(c->j, "t", time);
        wet_json_instruction(c->j, c->f, s->instruction);
        json_end_object(c->j);
        json_next(c->j);
    }
}

static const wet_file *sorting;

static int line_order(const void *a, const void *b)
{
    uint32_t x = ((const slice_line *)a)->instruction, y = ((const slice_line *)b)->instruction;
    int files = strcmp(wet_file_name(sorting, x), wet_file_name(sorting, y));
    if (files)
        return files;
    if (sorting->static_line[x] != sorting->static_line[y])
        return sorting->static_line[x] < sorting->static_line[y] ? -1 : 1;
    return sorting->statics[x].insn.pc < sorting->statics[y].insn.pc ? -1 : 1;
}

static bool same_line(const wet_file *f, uint32_t x, uint32_t y)
{
    return f->static_file[x] && f->static_file[x] == f->static_file[y] && f->static_line[x] == f->static_line[y];
}

/* Source lines with their instances; instructions without a line are left out unless `all`. */
static slice_line *lines_make(const wet_file *f, const wet_slice *slice, bool all, size_t *count)
{
    slice_line *lines = memory_zero(f->static_count + 1, sizeof *lines);
    size_t n = 0, kept = 0;
    for (uint32_t i = 0; i < f->static_count; i++)
        if (slice->counts[i] && (all || f->static_file[i]))
            lines[n++] = (slice_line){i, slice->counts[i]};
    sorting = f;
    if (n)
        qsort(lines, n, sizeof *lines, line_order);
    for (size_t i = 0; i < n; i++) {
        if (!all && kept && same_line(f, lines[kept - 1].instruction, lines[i].instruction))
            lines[kept - 1].count += lines[i].count;
        else
            lines[kept++] = lines[i];
    }
    *count = kept;
    return lines;
}

static void slice_json(const wet_file *f, const wet_slice *slice)
{
    size_t count;
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_integer(j, "statements", slice->statements);
    json_unsigned(j, "instances", slice->instances);
    if (slice->unknown)
        json_integer(j, "undecoded", slice->unknown);
    slice_line *lines = lines_make(f, slice, false, &count);
    json_array(j, "lines");
    for (size_t i = 0; i < count; i++) {
        json_object(j, NULL);
        json_string(j, "file", wet_file_name(f, lines[i].instruction));
        json_integer(j, "line", f->static_line[lines[i].instruction]);
        json_string(j, "function", wet_function_name(f, lines[i].instruction));
        json_unsigned(j, "instances", lines[i].count);
        json_end_object(j);
    }
    json_end_array(j);
    free(lines);
    lines = lines_make(f, slice, true, &count);
    json_array(j, "instructions");
    for (size_t i = 0; i < count; i++) {
        json_object(j, NULL);
        wet_json_instruction(j, f, lines[i].instruction);
        json_unsigned(j, "instances", lines[i].count);
        json_end_object(j);
    }
    json_end_array(j);
    free(lines);
    json_end_object(j);
    json_finish(j);
}

static void slice_text(const wet_file *f, const wet_slice *slice, bool forward)
{
    size_t count;
    char text[160], file[4096], function[1024];
    printf("%s slice: %u statements, %llu instances\n", forward ? "forward" : "backward", slice->statements,
           (unsigned long long)slice->instances);
    slice_line *lines = lines_make(f, slice, false, &count);
    for (size_t i = 0; i < count; i++) {
        text_safe(file, sizeof file, wet_file_name(f, lines[i].instruction));
        text_safe(function, sizeof function, wet_function_name(f, lines[i].instruction));
        printf("%12llu  %s:%u  %s\n", (unsigned long long)lines[i].count, file, f->static_line[lines[i].instruction],
               function);
    }
    free(lines);
    lines = lines_make(f, slice, true, &count);
    for (size_t i = 0; i < count; i++) {
        wet_text(f, lines[i].instruction, text, sizeof text);
        text_safe(function, sizeof function, wet_function_name(f, lines[i].instruction));
        printf("%12llu  0x%08x  %-24s %s\n", (unsigned long long)lines[i].count,
               f->statics[lines[i].instruction].insn.pc, function, text);
    }
    free(lines);
}

/* ---- a screenful: what each function has of the slice ---- */

enum { SCREEN_ROWS = 20 };

/* Lines of one function and file, which follow each other in their order. */
typedef struct slice_part {
    const slice_line *line, *end;
    uint64_t count;
} slice_part;

static bool same_part(const wet_file *f, uint32_t x, uint32_t y)
{
    return f->static_file[x] == f->static_file[y] && !strcmp(wet_function_name(f, x), wet_function_name(f, y));
}

static int by_count(const void *left, const void *right)
{
    const slice_part *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

/* Those with the most instances first; `parts` has room for one of each line. */
static size_t parts_make(const wet_file *f, const slice_line *lines, size_t count, slice_part *parts)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!i || !same_part(f, lines[i - 1].instruction, lines[i].instruction))
            parts[n++] = (slice_part){lines + i, lines + i, 0};
        parts[n - 1].end = lines + i + 1;
        parts[n - 1].count += lines[i].count;
    }
    if (n)
        qsort(parts, n, sizeof *parts, by_count);
    return n;
}

/* "main file.c:12-14,17" */
static void print_part(const wet_file *f, const slice_part *p, FILE *out)
{
    text_print(out, wet_function_name(f, p->line->instruction));
    fputc(' ', out);
    text_print(out, text_base(wet_file_name(f, p->line->instruction)));
    for (const slice_line *l = p->line, *next; l < p->end; l = next) {
        uint32_t first = f->static_line[l->instruction], last = first;
        for (next = l + 1; next < p->end && f->static_line[next->instruction] == last + 1; next++)
            last++;
        fprintf(out, last > first ? "%c%u-%u" : "%c%u", l == p->line ? ':' : ',', first, last);
    }
}

static void screen_part(const wet_file *f, const slice_part *p, const wet_slice *slice)
{
    char *what, head[32], tail[48];
    size_t size;
    FILE *out = memory_stream(&what, &size);
    print_part(f, p, out);
    fclose(out);
    snprintf(head, sizeof head, "%6.2f%% ", 100.0 * (double)p->count / (double)slice->instances);
    snprintf(tail, sizeof tail, "  %" PRIu64 " times", p->count);
    text_line(stdout, command_columns(), head, what, tail);
    free(what);
}

static void slice_screen(const wet_file *f, const wet_slice *slice, bool forward)
{
    size_t count;
    slice_line *lines = lines_make(f, slice, false, &count);
    slice_part *parts = memory_zero(count + 1, sizeof *parts);
    size_t n = parts_make(f, lines, count, parts);
    printf("%s slice: %u statements of %zu lines, %llu instances\n\n", forward ? "forward" : "backward",
           slice->statements, count, (unsigned long long)slice->instances);
    if (n)
        puts(" share  function, its lines in the slice, instances");
    for (size_t i = 0; i < n && i < SCREEN_ROWS; i++)
        screen_part(f, &parts[i], slice);
    if (n > SCREEN_ROWS)
        printf("... and %zu more functions\n", n - SCREEN_ROWS);
    puts("\n`weft wet slice ... | cat` shows each line and instruction.");
    free(parts);
    free(lines);
}

int wet_show_slice(const wet_options *o)
{
    wet_start from;
    wet_file *f = wet_open_at(o, &from);
    if (!f)
        return EXIT_INPUT;
    instance_list list = {f, o->instances ? json_begin(stdout) : NULL};
    wet_slice *slice = wet_slice_run(f, from, o->forward, o->instances ? list_execution : NULL, &list);
    if (o->instances)
        json_finish(list.j);
    else if (o->json)
        slice_json(f, slice);
    else if (o->summary)
        slice_screen(f, slice, o->forward);
    else
        slice_text(f, slice, o->forward);
    uint32_t unknown = slice->unknown;
    wet_slice_free(slice);
    return wet_close_unknown(o, f, unknown);
}
