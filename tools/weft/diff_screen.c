/* SPDX-License-Identifier: MIT */
#include "tools/weft/diff_screen.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/base/text.h"

enum { NAME_LEAST = 12 };

const char *const diff_keys[PART_KINDS] = {"functions", "paths", "loops", "latencies", "accesses"};
const char *const diff_values[PART_KINDS][3] = {{"calls", "self", NULL},
                                                {"count", "instructions", NULL},
                                                {"entered", "turns", NULL},
                                                {"count", "mean", "max"},
                                                {"loads", "stores", NULL}};

int diff_digits(part_kind kind, unsigned value)
{
    return kind == PART_LATENCY && value == 1;
}

static unsigned values_of(part_kind kind)
{
    return diff_values[kind][2] ? 3 : 2;
}

/* Bytes of a figure, and of its change. */
static int figure_width(part_kind kind)
{
    return values_of(kind) == 3 ? 6 : 9;
}

static int change_width(part_kind kind)
{
    return values_of(kind) == 3 ? 6 : 8;
}

static int name_width(part_kind kind, unsigned columns)
{
    int taken = (int)values_of(kind) * (2 * figure_width(kind) + change_width(kind) + 3);
    return (int)columns > taken + NAME_LEAST ? (int)columns - taken : NAME_LEAST;
}

/* At most `width` digits: thousands and millions beyond that. */
static void print_figure(double value, int width, int digits)
{
    static const char units[] = " kMGTPE";
    unsigned unit = 0;
    char text[64];
    int size = snprintf(text, sizeof text, "%.*f", digits, value);
    for (; size > width && units[unit + 1]; unit++) {
        value /= 1000;
        size = snprintf(text, sizeof text, "%.*f%c", value < 10, value, units[unit + 1]);
    }
    printf(" %*s", width, text);
}

static void print_change(double a, double b, int width)
{
    double percent = a ? 100 * (b - a) / a : 0;
    char text[64];
    if (a == b)
        snprintf(text, sizeof text, "=");
    else if (!a || !b)
        snprintf(text, sizeof text, b ? "new" : "gone");
    else if (percent < 1000)
        snprintf(text, sizeof text, "%+.*f%%", percent < 100, percent);
    else
        snprintf(text, sizeof text, ">10x");
    printf(" %*s", width, text);
}

static void screen_name(const part_row *row, int width)
{
    char text[640];
    if (row->file && *row->file)
        snprintf(text, sizeof text, "%s %s:%" PRIu32, row->name, text_base(row->file), row->line);
    else
        snprintf(text, sizeof text, "%s", row->name);
    text_cell(stdout, (unsigned)width, text);
}

static void screen_row(const part_difference *d, unsigned columns)
{
    const part_row *any = d->a ? d->a : d->b;
    if (!any)
        return;
    screen_name(any, name_width(d->kind, columns));
    for (unsigned v = 0; v < values_of(d->kind); v++) {
        double a = d->a ? d->a->value[v] : 0, b = d->b ? d->b->value[v] : 0;
        int digits = diff_digits(d->kind, v);
        print_figure(a, figure_width(d->kind), digits);
        print_figure(b, figure_width(d->kind), digits);
        print_change(a, b, change_width(d->kind));
    }
    putchar('\n');
}

static void screen_head(part_kind kind, unsigned columns)
{
    printf("\n%-*s", name_width(kind, columns), diff_keys[kind]);
    for (unsigned v = 0; v < values_of(kind); v++) {
        char text[32];
        snprintf(text, sizeof text, "%s A, B", diff_values[kind][v]);
        printf(" %*s %*s", 2 * figure_width(kind) + 1, text, change_width(kind), "change");
    }
    putchar('\n');
}

void diff_screen(const part_result *r, part_kind kind, size_t top, unsigned columns)
{
    size_t all = 0;
    for (size_t i = 0; i < r->row_count; i++) {
        if (r->row[i].kind != kind || all++ >= top)
            continue;
        if (all == 1)
            screen_head(kind, columns);
        screen_row(&r->row[i], columns);
    }
    if (all > top)
        printf("  ... and %zu more (--top)\n", all - top);
}
