/* SPDX-License-Identifier: MIT */
/* `weft wet why`: how a value came about (tools/lib/wet/why.h), for people, a line for each operation. */
#include "tools/lib/wet/why.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/sources.h"
#include "tools/lib/base/text.h"
#include "tools/lib/inspect/svd.h"
#include "tools/weft/command.h"
#include "tools/weft/device_name.h"
#include "tools/weft/wet_query.h"

enum { INDENT_MAX = 60 }; /* columns */

typedef struct printer {
    wet_file *f;
    sources *sources;
    FILE *out;
    unsigned columns; /* of a screen; 0: no line is cut */
    long long lines;
    uint32_t unknown; /* lines whose instruction is not decoded */
} printer;

/* ---- one line: names and source lines are foreign text ---- */

/* False: it is not there. */
static bool print_source(const printer *t, uint32_t instruction)
{
    char text[256];
    if (!sources_line(t->sources, wet_file_name(t->f, instruction), t->f->static_line[instruction], text, sizeof text))
        return false;
    fputs("   | ", t->out);
    text_print(t->out, text);
    return true;
}

static void print_place(const printer *t, uint32_t instruction)
{
    const char *file = wet_file_name(t->f, instruction), *function = wet_function_name(t->f, instruction);
    text_print(t->out, *function ? function : "?");
    if (!*file)
        return;
    fputs(" (", t->out);
    text_print(t->out, text_base(file));
    fprintf(t->out, ":%u)", t->f->static_line[instruction]);
}

/* A screen has no room for the instruction beside the source. */
static void print_event(const printer *t, const wet_why_line *line)
{
    char text[160];
    wet_text(t->f, line->instruction, text, sizeof text);
    fprintf(t->out, "%s%s   ", line->prefix, line->value);
    print_place(t, line->instruction);
    if (t->columns && print_source(t, line->instruction))
        return;
    fprintf(t->out, "   %s", text);
    if (!t->columns)
        print_source(t, line->instruction);
}

static void print_whole_line(const printer *t, const wet_why_line *line)
{
    unsigned step = t->columns ? 1 : 2, most = t->columns ? t->columns / 3 : INDENT_MAX;
    unsigned indent = step * line->depth < most ? step * line->depth : most;
    fprintf(t->out, "%8u  %*s", line->time, (int)indent, "");
    if (line->kind == WET_WHY_EVENT) {
        print_event(t, line);
    } else if (line->kind == WET_WHY_CALLER) {
        fputs("  called from ", t->out);
        print_place(t, line->instruction);
        print_source(t, line->instruction);
    } else {
        fprintf(t->out, "%s... and so on, round the same loop", line->prefix);
    }
}

static bool is_unknown(const wet_file *f, const wet_why_line *line)
{
    return line->kind == WET_WHY_EVENT && f->statics[line->instruction].insn.unknown;
}

static bool print_line(void *own, const wet_why_line *line)
{
    printer *t = own;
    t->unknown += is_unknown(t->f, line);
    char *text;
    size_t size;
    t->out = memory_stream(&text, &size);
    print_whole_line(t, line);
    fclose(t->out);
    text_line(stdout, t->columns ? t->columns : UINT_MAX, "", text, "");
    free(text);
    return --t->lines > 0;
}

static uint32_t print_why(wet_file *f, wet_start from, const wet_options *o, sources *from_folders, svd *registers)
{
    const wet_why_devices devices = {device_name, registers};
    unsigned columns = o->summary ? command_columns() : 0;
    printer t = {.f = f, .sources = from_folders, .columns = columns, .lines = o->lines};
    puts(columns ? "    time  value   function   | source, or the instruction"
                 : "    time  value   function   instruction   | source");
    if (t.lines > 0)
        wet_why_walk(f, from, (unsigned)o->depth, registers ? &devices : NULL, print_line, &t);
    if (t.lines <= 0)
        puts("          ... (more with --lines)");
    if (columns)
        puts("\n`weft wet why ... | cat` shows whole lines, with the instructions.");
    return t.unknown;
}

/* ---- JSON: each node holds what it came from ---- */

/* Nodes within nodes: twice as many levels of JSON, of which there are 128. */
enum { JSON_DEPTH_MAX = 60 };

typedef struct tree {
    wet_file *f;
    json *j;
    unsigned open;   /* nodes that are not ended */
    long long nodes; /* that may still be written */
    uint32_t unknown;
} tree;

static void end_nodes(tree *t, unsigned depth)
{
    for (; t->open > depth; t->open--) {
        json_end_array(t->j);
        json_end_object(t->j);
    }
}

static void put_instruction(const tree *t, uint32_t instruction)
{
    char text[512], place[700];
    const char *file = wet_file_name(t->f, instruction), *function = wet_function_name(t->f, instruction);
    snprintf(place, sizeof place, "%s", *function ? function : "?");
    if (*file)
        snprintf(place, sizeof place, "%s (%s:%u)", *function ? function : "?", text_base(file),
                 t->f->static_line[instruction]);
    json_string(t->j, "place", place);
    wet_text(t->f, instruction, text, sizeof text);
    json_string(t->j, "instruction", text);
}

static bool json_node(void *own, const wet_why_line *line)
{
    static const char *const kinds[] = {"operation", "caller", "loop"};
    char value[600];
    tree *t = own;
    t->unknown += is_unknown(t->f, line);
    /* The caller stands among what the operation before came from. */
    end_nodes(t, line->depth + (line->kind == WET_WHY_CALLER));
    json_object(t->j, NULL);
    json_unsigned(t->j, "time", line->time);
    json_string(t->j, "kind", kinds[line->kind]);
    put_instruction(t, line->instruction);
    snprintf(value, sizeof value, "%s%s", line->prefix, line->kind == WET_WHY_EVENT ? line->value : "");
    json_string(t->j, "value", value);
    json_array(t->j, "from");
    t->open++;
    if (line->kind == WET_WHY_CALLER)
        end_nodes(t, t->open - 1);
    return --t->nodes > 0;
}

static uint32_t json_why(wet_file *f, wet_start from, const wet_options *o, svd *registers)
{
    const wet_why_devices devices = {device_name, registers};
    tree t = {.f = f, .j = json_begin(stdout), .nodes = o->lines};
    json_object(t.j, NULL);
    json_array(t.j, "tree");
    unsigned depth = o->depth < JSON_DEPTH_MAX ? (unsigned)o->depth : JSON_DEPTH_MAX;
    wet_why_walk(f, from, depth, registers ? &devices : NULL, json_node, &t);
    end_nodes(&t, 0);
    json_end_array(t.j);
    json_bool(t.j, "more", t.nodes <= 0);
    if (t.unknown)
        json_integer(t.j, "undecoded", t.unknown);
    json_end_object(t.j);
    json_finish(t.j);
    return t.unknown;
}

int wet_why(const wet_options *o)
{
    char message[512];
    wet_start from;
    sources *folders = sources_open();
    svd *registers = o->svd ? svd_open(o->svd, message, sizeof message) : NULL;
    if (o->svd && !registers) {
        sources_close(folders);
        return command_fail("wet", EXIT_INPUT, "%s", message);
    }
    wet_file *f = wet_open_at(o, &from);
    if (f)
        f->alone = true;
    uint32_t unknown = 0;
    if (f && o->json)
        unknown = json_why(f, from, o, registers);
    else if (f)
        unknown = print_why(f, from, o, folders, registers);
    sources_close(folders);
    if (registers)
        svd_close(registers);
    return f ? wet_close_unknown(o, f, unknown) : EXIT_INPUT;
}
