/* SPDX-License-Identifier: MIT */
/* `weft fleet compare`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/fleet/labels.h"
#include "tools/lib/fleet/matching.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_ask.h"

static void put_real(json *j, const char *key, double value)
{
    if (!isnan(value) && !isinf(value))
        json_real(j, key, value);
    else
        json_null(j, key);
}

static bool is_changed(const fleet *f, const fleet_change *c)
{
    return c->result.tested && c->p < f->chance;
}

enum { FIGURE = 14 };
enum { SCREEN_FIGURE = 11, NUMBERS = 49, NAME_LEAST = 16, INDENT = 2 }; /* of a screen */

/* What numbers leave of a line of the screen. */
static unsigned name_width(void)
{
    unsigned columns = command_columns();
    return columns > NUMBERS + NAME_LEAST ? columns - NUMBERS : NAME_LEAST;
}

static void print_path_change(const fleet *f, const descriptors *known, uint32_t path, double before, double after)
{
    char *what;
    size_t size;
    if (!f->summary) {
        printf(" %14.2f %14.2f %8s            ", before, after, "");
        fleet_print_path(known, path, stdout);
        putchar('\n');
        return;
    }
    FILE *out = memory_stream(&what, &size);
    fleet_print_path(known, path, out);
    fclose(out);
    printf("%*s", INDENT, "");
    text_cell(stdout, name_width() - INDENT, what);
    printf(" %11.2f %11.2f\n", before, after);
    free(what);
}

static void put_paths(fleet *f, const fleet_change *c)
{
    enum { PATHS = 10 };
    size_t count;
    fleet_path_change *paths = fleet_compare_paths(f->all, &f->images, f->before, f->after, c, &count);
    if (f->as_json)
        json_array(f->j, "paths");
    for (size_t i = 0; i < count && i < PATHS; i++) {
        const fleet_path_change *p = &paths[i];
        const descriptors *known = NULL;
        for (size_t g = 0; g < f->all->group_count && !known; g++) {
            const descriptors *of = f->images.known[f->all->group[g]->image];
            if (of && labels_have(f->all->group[g]->labels, p->of_before ? f->before : f->after))
                known = of;
        }
        double before = p->price_before ? p->before * (p->price_before - 1) : 0;
        double after = p->price_after ? p->after * (p->price_after - 1) : 0;
        if (fabs(before - after) < 1e-9)
            break;
        if (f->as_json) {
            json_object(f->j, NULL);
            put_real(f->j, "before", before);
            put_real(f->j, "after", after);
            fleet_put_lines(f, known, p->path);
            json_end_object(f->j);
            continue;
        }
        print_path_change(f, known, p->path, before, after);
    }
    if (f->as_json)
        json_end_array(f->j);
    free(paths);
}

static void put_change(fleet *f, const fleet_change *c)
{
    json_object(f->j, NULL);
    json_string(f->j, "name", c->name);
    json_string(f->j, "file", c->file);
    json_integer(f->j, "line", c->line_after ? c->line_after : c->line_before);
    json_string(f->j, "verdict", fleet_verdict(c, f->chance));
    put_real(f->j, "before", c->result.before);
    put_real(f->j, "after", c->result.after);
    put_real(f->j, "p", c->p);
    json_unsigned(f->j, "recordings_before", c->before.recordings);
    json_unsigned(f->j, "recordings_after", c->after.recordings);
    if (is_changed(f, c))
        put_paths(f, c);
    else
        json_null(f->j, "paths");
    json_end_object(f->j);
}

/* A figure that only one of the versions has is not a number: "-". */
static void print_figure(const char *text, int width, double value)
{
    printf(" %*s", width, isnan(value) || isinf(value) ? "-" : text);
}

static void print_figures(const fleet_change *c, int width, int p_width)
{
    double change = 100 * (c->result.after / c->result.before - 1);
    char text[400];
    snprintf(text, sizeof text, "%.2f", c->result.before);
    print_figure(text, width, c->result.before);
    snprintf(text, sizeof text, "%.2f", c->result.after);
    print_figure(text, width, c->result.after);
    snprintf(text, sizeof text, "%+.1f%%", change);
    print_figure(text, 8, change);
    snprintf(text, sizeof text, "%.1g", c->p);
    print_figure(text, p_width, c->p);
}

/* "poll", or "poll (uart/port.c)" where another file of that name has a poll as well; from malloc. */
static char *name_of(const fleet_change *c)
{
    char *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    fputs(c->name ? c->name : "", out);
    if (c->parts > 1 && c->file)
        fprintf(out, " (%s)", matching_tail(c->file, c->parts));
    fclose(out);
    return text;
}

static void print_change(fleet *f, const fleet_change *c)
{
    char *name = name_of(c);
    if (f->summary) {
        text_cell(stdout, name_width(), name);
        print_figures(c, SCREEN_FIGURE, 6);
        printf(" %s\n", fleet_verdict(c, f->chance));
    } else {
        print_figures(c, FIGURE, 9);
        printf("  %-8s ", fleet_verdict(c, f->chance));
        text_print(stdout, name);
        putchar('\n');
    }
    free(name);
    if (is_changed(f, c))
        put_paths(f, c);
}

int fleet_ask_compare(fleet *f)
{
    char line[200];
    size_t count, changed = 0, tested = 0;
    fleet_change *all = fleet_compare(f->all, &f->images, f->before, f->after, &count);
    for (size_t i = 0; i < count; i++) {
        changed += is_changed(f, &all[i]);
        tested += all[i].result.tested;
    }
    if (f->as_json)
        json_array(f->j, "functions");
    else if (f->summary)
        printf("%-*s %11s %11s %8s %6s verdict\n", (int)name_width(), "INSTRUCTIONS PER CALL", "before", "after",
               "change", "p");
    else
        printf("%15s %14s %8s %9s  instructions per call\n", "before", "after", "change", "p");
    for (size_t i = 0; i < count; i++) {
        bool one = !all[i].unsure && (!all[i].line_before || !all[i].line_after);
        bool shown = f->everything || is_changed(f, &all[i]) || one;
        if (shown && f->as_json)
            put_change(f, &all[i]);
        else if (shown)
            print_change(f, &all[i]);
    }
    if (f->as_json) {
        json_end_array(f->j);
        json_unsigned(f->j, "tested", tested);
        json_unsigned(f->j, "changed", changed);
        json_real(f->j, "level", f->chance);
    } else {
        snprintf(line, sizeof line,
                 "%zu of %zu functions that could be tested changed, at a level of %g for all together\n", changed,
                 tested, f->chance);
        putchar('\n');
        text_folded(stdout, command_width(f->summary), 0, line);
    }
    free(all);
    if (!tested)
        return command_fail(f->name, EXIT_INPUT,
                            "nothing can be tested: each version needs two recordings that call the same function, "
                            "merged with --elf");
    uint64_t unpriced = fleet_unpriced(f->all, &f->images, f->before, f->after);
    return !unpriced ? EXIT_DONE
                     : command_fail(f->name, EXIT_GAPS,
                                    "gap: %llu recordings were merged without their image: what they called is not "
                                    "known, and they do not count here",
                                    (unsigned long long)unpriced);
}
