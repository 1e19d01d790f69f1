/* SPDX-License-Identifier: MIT */
#include "tools/weft/diff_show.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/inspect/part_cause.h"
#include "tools/weft/diff_screen.h"
#include "tools/weft/inspected.h"

enum { LINES_MAX = 512, AROUND = 6 };

/* Where a side stands. */
typedef struct spot {
    bool known;
    uint32_t id;
    const char *function, *file;
    uint32_t line;
} spot;

static const char *unit_of(const part_side *s)
{
    return s->app ? "paths" : s->by_lines ? "lines" : "instructions";
}

/* The line in which a path leaves what another path does; of an instruction its own. */
static spot spot_of(const part_side *s, const part_step *step, const part_side *other, const part_step *there)
{
    static descriptor_line own[LINES_MAX], others[LINES_MAX];
    spot at = {.known = step};
    if (!step)
        return at;
    at.id = step->id;
    if (!s->app) {
        const image_symbol *f = image_function(&s->im->symbols, step->id);
        const image_line *line = image_line_at(s->im, step->id);
        at.function = f ? f->name : NULL;
        at.file = line ? line->file : NULL;
        at.line = line ? line->line : 0;
        return at;
    }
    const descriptor_function *f = descriptors_of_path(program_descriptors(s->app), step->id);
    size_t count = program_path_lines(s->app, step->id, own, LINES_MAX), i = 0;
    size_t more = there ? program_path_lines(other->app, there->id, others, LINES_MAX) : 0;
    count = count < LINES_MAX ? count : LINES_MAX;
    while (i + 1 < count && i < more && i < LINES_MAX && own[i].line == others[i].line)
        i++;
    at.function = f ? f->name : NULL;
    at.file = count ? own[i].file : f ? f->file : NULL;
    at.line = count ? own[i].line : f ? f->first_line : 0;
    return at;
}

static void spots_of(const part_context *c, const part_side *a, const part_side *b, uint64_t index, spot at[2])
{
    const part_step *x = part_step_at(&c->at[0], index), *y = part_step_at(&c->at[1], index);
    at[0] = spot_of(a, x, b, y);
    at[1] = spot_of(b, y, a, x);
}

/* ---- lines for people ---- */

static void print_spot(FILE *out, const char *head, const part_side *s, const spot *at)
{
    fprintf(out, "  %s  ", head);
    if (!at->known) {
        fputs("nothing more\n", out);
        return;
    }
    if (s->app)
        fprintf(out, "path %" PRIu32 "  ", at->id);
    else
        fprintf(out, "0x%08" PRIx32 "  ", at->id);
    text_print(out, at->function ? at->function : "?");
    if (at->file) {
        fputs("  ", out);
        text_print(out, text_base(at->file));
        fprintf(out, ":%" PRIu32, at->line);
    }
    fputc('\n', out);
}

static void print_around(FILE *out, const part_context *c, const part_side *a, const part_side *b)
{
    char head[32];
    spot at[2];
    uint64_t first = c->common > AROUND ? c->common - AROUND : 0;
    for (uint64_t i = first; i < c->common; i++) {
        spots_of(c, a, b, i, at);
        snprintf(head, sizeof head, "%10" PRIu64 "    ", i);
        print_spot(out, head, a, &at[0]);
    }
    for (unsigned side = 0; side < 2; side++)
        for (uint64_t i = c->common; i < c->common + AROUND; i++) {
            spots_of(c, a, b, i, at);
            snprintf(head, sizeof head, "%10" PRIu64 "  %s ", i, side ? "B" : "A");
            if (at[side].known)
                print_spot(out, head, side ? b : a, &at[side]);
        }
}

static void register_text(unsigned reg, char text[8])
{
    if (reg < 15)
        snprintf(text, 8, "r%u", reg);
    else
        snprintf(text, 8, "flags");
}

static void print_setter(FILE *out, const part_side *s, const part_operand *at)
{
    const image_line *line = image_line_at(s->im, at->setter);
    fprintf(out, ", at 0x%08" PRIx32, at->setter);
    if (!line || !line->file)
        return;
    fputs("  ", out);
    text_print(out, text_base(line->file));
    fprintf(out, ":%" PRIu32, line->line);
}

static void print_cause(FILE *out, const part_context *c, const part_side *a, const part_side *b)
{
    part_operand of[2];
    char reg[8], other[8];
    if (!part_cause(c, a, b, of))
        return;
    register_text(of[0].reg, reg);
    register_text(of[1].reg, other);
    fprintf(out, "  since %s is %" PRIu32 " (0x%" PRIx32 ") in A", reg, of[0].value, of[0].value);
    if (a->by_lines)
        print_setter(out, a, &of[0]);
    fprintf(out, "%s and %s%s%" PRIu32 " (0x%" PRIx32 ") in B", a->by_lines ? "," : "", a->by_lines ? other : "",
            a->by_lines ? " is " : "", of[1].value, of[1].value);
    print_setter(out, b, &of[1]);
    fputc('\n', out);
}

static void print_context(FILE *out, const part_context *c, const part_side *a, const part_side *b, diff_options o)
{
    char name[VECTORS_NAME_MAX];
    spot at[2];
    text_print(out, vectors_name(a->im, c->number, name));
    if (c->cut) {
        fprintf(out, ": the same %" PRIu64 " %s, up to where something is missing (of %" PRIu64 " and %" PRIu64 ")\n",
                c->common, unit_of(a), c->a, c->b);
        return;
    }
    if (!c->parts) {
        fprintf(out, ": the same %" PRIu64 " %s\n", c->common, unit_of(a));
        return;
    }
    fprintf(out, ": part after %" PRIu64 " %s (of %" PRIu64 " and %" PRIu64 ")\n", c->common, unit_of(a), c->a, c->b);
    spots_of(c, a, b, c->common, at);
    print_spot(out, "A", a, &at[0]);
    print_spot(out, "B", b, &at[1]);
    print_cause(out, c, a, b);
    if (o.around)
        print_around(out, c, a, b);
}

static void print_row(const part_difference *d)
{
    const part_row *any = d->a ? d->a : d->b;
    if (!any)
        return;
    for (unsigned v = 0; v < 3 && diff_values[d->kind][v]; v++) {
        double a = d->a ? d->a->value[v] : 0, b = d->b ? d->b->value[v] : 0;
        int digits = diff_digits(d->kind, v);
        printf(" %12.*f %12.*f %+12.*f", digits, a, digits, b, digits, b - a);
    }
    fputs("  ", stdout);
    text_print(stdout, any->name);
    if (any->file && *any->file) {
        fputs("  ", stdout);
        text_print(stdout, text_base(any->file));
        printf(":%" PRIu32, any->line);
    }
    putchar('\n');
}

static void print_table(const part_result *r, part_kind kind, size_t top)
{
    size_t shown = 0, all = 0;
    for (size_t i = 0; i < r->row_count; i++) {
        if (r->row[i].kind != kind || all++ >= top)
            continue;
        if (!shown++) {
            printf("\n%s that differ:", diff_keys[kind]);
            for (unsigned v = 0; v < 3 && diff_values[kind][v]; v++)
                printf(" %s of A, of B, by;", diff_values[kind][v]);
            putchar('\n');
        }
        print_row(&r->row[i]);
    }
    if (all > shown)
        printf("  ... and %zu more (--top)\n", all - shown);
}

void diff_print(const part_result *r, part_side *a, part_side *b, diff_options o)
{
    enum { INDENT = 4 };
    char *lines;
    size_t size;
    FILE *out = memory_stream(&lines, &size);
    for (size_t i = 0; i < r->count; i++)
        print_context(out, &r->context[i], a, b, o);
    fclose(out);
    text_folded(stdout, o.columns ? o.columns : UINT_MAX, INDENT, lines);
    free(lines);
    for (unsigned kind = 0; kind < PART_KINDS; kind++)
        if (o.columns)
            diff_screen(r, (part_kind)kind, o.top, o.columns);
        else
            print_table(r, (part_kind)kind, o.top);
    if (!r->row_count)
        puts("no figure differs");
}

/* ---- JSON ---- */

static void put_known(json *j, const char *key, bool known, uint32_t number)
{
    if (known)
        json_integer(j, key, number);
    else
        json_null(j, key);
}

/* null: the side has nothing there. */
static void put_spot(json *j, const char *key, const part_side *s, const spot *at)
{
    if (!at->known) {
        json_null(j, key);
        return;
    }
    json_object(j, key);
    put_known(j, "path", s->app, at->id);
    put_known(j, "address", !s->app, at->id);
    json_string(j, "function", at->function);
    json_place(j, at->file, at->file ? at->line : 0);
    json_end_object(j);
}

static void put_cause(json *j, const part_context *c, const part_side *a, const part_side *b)
{
    part_operand of[2];
    char reg[8];
    if (!c->parts || !part_cause(c, a, b, of)) {
        json_null(j, "cause");
        return;
    }
    register_text(of[0].reg, reg);
    json_object(j, "cause");
    json_integer(j, "branch", of[0].branch);
    json_integer(j, "pc", of[0].setter);
    json_string(j, "register", reg);
    json_integer(j, "a", of[0].value);
    json_integer(j, "b", of[1].value);
    if (a->by_lines) {
        register_text(of[1].reg, reg);
        json_integer(j, "branch_b", of[1].branch);
        json_integer(j, "pc_b", of[1].setter);
        json_string(j, "register_b", reg);
    }
    json_end_object(j);
}

static void put_around(json *j, const part_context *c, const part_side *a, const part_side *b)
{
    spot at[2];
    uint64_t first = c->common > AROUND ? c->common - AROUND : 0;
    json_array(j, "around");
    for (uint64_t i = first; i < c->common + AROUND; i++) {
        spots_of(c, a, b, i, at);
        if (!at[0].known && !at[1].known)
            continue;
        json_object(j, NULL);
        json_unsigned(j, "index", i);
        put_spot(j, "a", a, &at[0]);
        put_spot(j, "b", b, &at[1]);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_context(json *j, const part_context *c, const part_side *a, const part_side *b, diff_options o)
{
    char name[VECTORS_NAME_MAX];
    spot at[2] = {{0}, {0}};
    json_object(j, NULL);
    json_integer(j, "context", c->number);
    json_string(j, "name", vectors_name(a->im, c->number, name));
    json_bool(j, "equal", !c->parts && !c->cut);
    json_bool(j, "cut", c->cut);
    json_unsigned(j, "common", c->common);
    json_unsigned(j, "count_a", c->a);
    json_unsigned(j, "count_b", c->b);
    if (c->parts)
        spots_of(c, a, b, c->common, at);
    put_spot(j, "a", a, &at[0]);
    put_spot(j, "b", b, &at[1]);
    put_cause(j, c, a, b);
    if (o.around && c->parts)
        put_around(j, c, a, b);
    json_end_object(j);
}

static void put_values(json *j, const char *key, part_kind kind, const part_row *row)
{
    json_object(j, key);
    for (unsigned v = 0; v < 3 && diff_values[kind][v]; v++)
        json_real(j, diff_values[kind][v], row ? row->value[v] : 0);
    json_end_object(j);
}

static void put_table(json *j, const part_result *r, part_kind kind, size_t top)
{
    size_t all = 0;
    json_array(j, diff_keys[kind]);
    for (size_t i = 0; i < r->row_count; i++) {
        const part_difference *d = &r->row[i];
        const part_row *any = d->a ? d->a : d->b;
        if (d->kind != kind || all++ >= top)
            continue;
        json_object(j, NULL);
        json_string(j, "name", any->name);
        bool placed = any->file && *any->file;
        json_place(j, placed ? any->file : NULL, placed ? any->line : 0);
        put_values(j, "a", kind, d->a);
        put_values(j, "b", kind, d->b);
        json_end_object(j);
    }
    json_end_array(j);
}

void diff_put(const part_result *r, part_side *a, part_side *b, diff_options o)
{
    const part_context *first = part_first(r);
    spot at[2] = {{0}, {0}};
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_bool(j, "equal", !first && !a->lost && !b->lost);
    json_string(j, "unit", unit_of(a));
    json_unsigned(j, "gaps", (a->lost + b->lost));
    if (a->estimated || b->estimated) {
        json_object(j, "estimated");
        json_unsigned(j, "a", a->estimated);
        json_unsigned(j, "b", b->estimated);
        json_end_object(j);
    }
    json_unsigned(j, "common", (first ? first->common : r->common));
    if (first)
        spots_of(first, a, b, first->common, at);
    put_spot(j, "a", a, &at[0]);
    put_spot(j, "b", b, &at[1]);
    put_known(j, "context", first, first ? first->number : 0);
    json_array(j, "contexts");
    for (size_t i = 0; i < r->count; i++)
        put_context(j, &r->context[i], a, b, o);
    json_end_array(j);
    for (unsigned kind = 0; kind < PART_KINDS; kind++)
        put_table(j, r, (part_kind)kind, o.top);
    json_end_object(j);
    json_finish(j);
}
