/* SPDX-License-Identifier: MIT */
/* `weft wet misses`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/wet/history_pack.h"
#include "tools/lib/wet/history_tally.h"
#include "tools/weft/command.h"
#include "tools/weft/wet_query.h"

#define ROWS 10 /* of a table for people */

static const char *const plurals[MISSES_KINDS] = {"branches", "loads", "stores", "fetches"};
static const char *const singulars[MISSES_KINDS] = {"branch", "load", "store", "fetch"};

/* What is answered. */
typedef struct answer {
    wet_file *f;
    const wet_history *h;
    bool kept; /* the file holds it */
    bool summary;
    wet_by by;
    wet_tallies tallies;
    uint64_t bytes[MISSES_KINDS];
    long long rows;
} answer;

static uint64_t sum(const uint64_t *all)
{
    return all[MISSES_BRANCH] + all[MISSES_LOAD] + all[MISSES_STORE] + all[MISSES_FETCH];
}

static double bytes_per_statement(const answer *a)
{
    return (double)sum(a->bytes) / (double)(a->f->executed ? a->f->executed : 1);
}

/* ---- rows ---- */

typedef struct row {
    uint32_t group;
    uint64_t misses, executions;
} row;

static int row_order(const void *a, const void *b)
{
    const row *x = a, *y = b;
    if (x->misses != y->misses)
        return x->misses > y->misses ? -1 : 1;
    if (x->executions != y->executions)
        return x->executions > y->executions ? -1 : 1;
    return x->group < y->group ? -1 : 1;
}

/* Groups that executed, those that missed most first. */
static row *rows_make(const answer *a, size_t *count)
{
    row *rows = memory_zero(a->tallies.group_count + 1, sizeof *rows);
    *count = 0;
    for (uint32_t i = 0; i < a->tallies.group_count; i++) {
        row r = {i, 0, 0};
        for (unsigned kind = 0; kind < MISSES_KINDS; kind++) {
            r.misses += a->tallies.groups[i].of[kind].misses;
            r.executions += a->tallies.groups[i].of[kind].executions;
        }
        if (r.executions)
            rows[(*count)++] = r;
    }
    if (*count)
        qsort(rows, *count, sizeof *rows, row_order);
    if (a->rows && *count > (size_t)a->rows)
        *count = (size_t)a->rows;
    return rows;
}

/* "" where there is none: what is in no object. */
static const char *object_name(const answer *a, uint32_t group)
{
    return group < a->f->symbol_count ? a->f->symbols[group].name : "";
}

/* ---- JSON ---- */

static void json_counts(json *j, const wet_tally *t)
{
    for (unsigned kind = 0; kind < MISSES_KINDS; kind++) {
        if (!t->of[kind].executions)
            continue;
        json_object(j, plurals[kind]);
        json_unsigned(j, "executions", t->of[kind].executions);
        json_unsigned(j, "misses", t->of[kind].misses);
        json_end_object(j);
    }
}

static void json_group(json *j, const answer *a, uint32_t group)
{
    if (a->by == WET_BY_STATEMENT || (a->by == WET_BY_LINE && !a->f->static_file[group])) {
        wet_json_instruction(j, a->f, group);
    } else if (a->by == WET_BY_OBJECT) {
        json_string(j, "object", object_name(a, group));
    } else {
        json_string(j, "file", wet_file_name(a->f, group));
        json_integer(j, "line", a->f->static_line[group]);
        json_string(j, "function", wet_function_name(a->f, group));
    }
}

static void json_rows(json *j, const answer *a)
{
    size_t count;
    row *rows = rows_make(a, &count);
    json_array(j, a->by == WET_BY_STATEMENT ? "statements" : a->by == WET_BY_LINE ? "lines" : "objects");
    for (size_t i = 0; i < count; i++) {
        json_object(j, NULL);
        json_group(j, a, rows[i].group);
        json_counts(j, &a->tallies.groups[rows[i].group]);
        json_end_object(j);
    }
    json_end_array(j);
    free(rows);
}

static void show_json(const answer *a)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_string(j, "model", a->h->text);
    json_bool(j, "kept", a->kept);
    for (unsigned kind = 0; kind < MISSES_KINDS; kind++) {
        json_object(j, plurals[kind]);
        json_unsigned(j, "executions", a->tallies.total.of[kind].executions);
        json_unsigned(j, "misses", a->tallies.total.of[kind].misses);
        json_unsigned(j, "waited", a->h->waited[kind]);
        json_unsigned(j, "bytes", a->bytes[kind]);
        json_end_object(j);
    }
    json_real(j, "bytes_per_statement", bytes_per_statement(a));
    json_rows(j, a);
    json_end_object(j);
    json_finish(j);
}

/* ---- text ---- */

/* `screen`: the file without its folder. */
static void text_group(const answer *a, uint32_t group, bool screen, char *text, size_t size)
{
    char name[512], what[160];
    if (a->by == WET_BY_OBJECT) {
        text_safe(text, size, *object_name(a, group) ? object_name(a, group) : "(no object)");
        return;
    }
    text_safe(name, sizeof name, wet_function_name(a->f, group));
    if (a->by == WET_BY_STATEMENT || !a->f->static_file[group]) {
        wet_text(a->f, group, what, sizeof what);
        snprintf(text, size, "0x%08x  %-20s %s", a->f->statics[group].insn.pc, name, what);
    } else {
        char file[1024];
        const char *whole = wet_file_name(a->f, group);
        text_safe(file, sizeof file, screen ? text_base(whole) : whole);
        snprintf(text, size, "%s:%u  %s", file, a->f->static_line[group], name);
    }
}

static void text_rows(const answer *a)
{
    size_t count;
    char text[2048];
    row *rows = rows_make(a, &count);
    puts("misses of branches      loads     stores    fetches");
    for (size_t i = 0; i < count; i++) {
        const wet_count *of = a->tallies.groups[rows[i].group].of;
        text_group(a, rows[i].group, false, text, sizeof text);
        printf("%18llu %10llu %10llu %10llu  %s\n", (unsigned long long)of[MISSES_BRANCH].misses,
               (unsigned long long)of[MISSES_LOAD].misses, (unsigned long long)of[MISSES_STORE].misses,
               (unsigned long long)of[MISSES_FETCH].misses, text);
    }
    free(rows);
}

/* Names first, in the columns of the terminal. */
static void screen_rows(const answer *a)
{
    enum { FIGURE = 9, LEAST = 24 };
    size_t count;
    unsigned columns = command_columns();
    unsigned room = columns > MISSES_KINDS * FIGURE + LEAST ? columns - MISSES_KINDS * FIGURE : LEAST;
    char text[2048];
    row *rows = rows_make(a, &count);
    printf("%-*s", (int)room, "misses");
    for (unsigned kind = 0; kind < MISSES_KINDS; kind++)
        printf(" %*s", FIGURE - 1, plurals[kind]);
    putchar('\n');
    for (size_t i = 0; i < count; i++) {
        const wet_count *of = a->tallies.groups[rows[i].group].of;
        text_group(a, rows[i].group, true, text, sizeof text);
        text_cell(stdout, room, text);
        for (unsigned kind = 0; kind < MISSES_KINDS; kind++)
            printf(" %*llu", FIGURE - 1, (unsigned long long)of[kind].misses);
        putchar('\n');
    }
    free(rows);
}

static void show_text(const answer *a)
{
    enum { INDENT = 4 };
    char text[2048], line[2200];
    text_safe(text, sizeof text, a->h->text);
    snprintf(line, sizeof line, "%s%s\n", text, a->kept ? " (kept in the file)" : "");
    text_folded(stdout, command_width(a->summary), INDENT, line);
    puts("            executions         misses        %  cycles waited      bytes");
    for (unsigned kind = 0; kind < MISSES_KINDS; kind++) {
        const wet_count *c = &a->tallies.total.of[kind];
        printf("%-8s %13llu %14llu %8.3f %14llu %10llu\n", plurals[kind], (unsigned long long)c->executions,
               (unsigned long long)c->misses, c->executions ? 100.0 * (double)c->misses / (double)c->executions : 0.0,
               (unsigned long long)a->h->waited[kind], (unsigned long long)a->bytes[kind]);
    }
    printf("%.5f bytes per statement\n\n", bytes_per_statement(a));
    if (a->summary)
        screen_rows(a);
    else
        text_rows(a);
}

/* ---- each miss ---- */

typedef struct printer {
    wet_file *f;
    json *j;
} printer;

static bool print_miss(void *context, const wet_miss *miss)
{
    printer *p = context;
    uint32_t offset;
    json_object(p->j, NULL);
    json_integer(p->j, "t", miss->time);
    json_string(p->j, "kind", singulars[miss->kind]);
    if (miss->kind == MISSES_LOAD || miss->kind == MISSES_STORE) {
        const image_symbol *object = wet_object_at(p->f, miss->address, &offset);
        json_integer(p->j, "to", miss->address);
        if (object) {
            json_string(p->j, "object", object->name);
            json_integer(p->j, "offset", offset);
        }
    }
    json_object(p->j, "at");
    wet_json_instruction(p->j, p->f,
                         p->f->statements[p->f->nodes[miss->at.node].n.statements[miss->at.statement]].instruction);
    json_end_object(p->j);
    json_end_object(p->j);
    json_next(p->j);
    return !ferror(stdout);
}

/* ---- the command ---- */

static bool by_read(const char *text, wet_by *by)
{
    static const char *const names[] = {"statement", "line", "object"};
    for (unsigned i = 0; i < 3; i++)
        if (!text || !strcmp(text, names[i])) {
            *by = (wet_by)i;
            return true;
        }
    return false;
}

/* The history that the file keeps, where it is of the model; else it is made. NULL: a message was printed, *status. */
static wet_history *history_of(const wet_options *o, wet_file *f, bool *kept, int *status)
{
    char message[512], text[MISSES_TEXT_MAX] = "";
    if (!o->model && !f->kept) {
        *status = command_fail("wet", EXIT_USAGE, "misses wants --model M: %s keeps no history", o->file);
        return NULL;
    }
    misses_model *model = o->model ? misses_new(o->model, message, sizeof message) : NULL;
    if (o->model && !model) {
        *status = command_fail("wet", EXIT_USAGE, "%s", message);
        return NULL;
    }
    if (model) {
        snprintf(text, sizeof text, "%s", misses_text(model));
        misses_free(model);
    }
    *kept = f->kept && (!o->model || !strcmp(text, f->kept->text));
    return *kept ? wet_history_kept(f) : wet_history_run(f, o->model, message, sizeof message);
}

static void answer_show(const wet_options *o, answer *a, const wet_selection *what)
{
    if (o->each) {
        printer p = {a->f, json_begin(stdout)};
        wet_history_each(a->f, a->h, what, o->backward, print_miss, &p);
        json_finish(p.j);
        return;
    }
    wet_history_sizes(a->h, a->f->tier, a->bytes);
    a->tallies = wet_history_tally(a->f, a->h, what, a->by);
    if (o->json)
        show_json(a);
    else
        show_text(a);
    wet_tallies_free(&a->tallies);
}

int wet_show_misses(const wet_options *o)
{
    char message[512];
    wet_place place = {0};
    wet_selection what = {o->at ? &place : NULL, (uint32_t)o->from, (uint32_t)o->to};
    answer a = {.rows = o->top ? o->top : o->json ? 0 : ROWS, .summary = o->summary};
    int status = EXIT_DONE;
    if (o->each ? o->by || o->top : o->backward)
        return command_fail("wet", EXIT_USAGE, "--backward goes with --each, --by and --top without it");
    if (!by_read(o->by, &a.by))
        return command_fail("wet", EXIT_USAGE, "--by is statement, line or object, not '%s'", o->by);
    if (!(a.f = wet_open(o)))
        return EXIT_INPUT;
    if (o->at && !wet_place_of(o, a.f, &place, message, sizeof message))
        return wet_close(o, a.f, command_fail("wet", EXIT_INPUT, "%s", message));
    wet_history *h = NULL;
    if (place.nth)
        status = command_fail("wet", EXIT_USAGE, "misses counts all instances: --at takes no #N here");
    else
        h = history_of(o, a.f, &a.kept, &status);
    a.h = h;
    if (h) {
        answer_show(o, &a, &what);
        wet_history_free(h);
    }
    wet_place_free(&place);
    return wet_close(o, a.f, status);
}
