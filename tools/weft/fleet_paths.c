/* SPDX-License-Identifier: MIT */
/* `weft fleet top`, `weft fleet rare`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_ask.h"

enum {
    DEVICES_FEW = 4, /* devices: 4 or more are not listed if they are all of the profile's */
    SCREEN_ROWS = 10
};

void fleet_put_lines(fleet *f, const descriptors *known, uint32_t path)
{
    descriptor_line lines[64];
    const descriptor_function *of = known ? descriptors_of_path(known, path) : NULL;
    size_t count = of ? fleet_path_lines(known, path, lines, 64) : 0;
    json_string(f->j, "function", of ? of->name : NULL);
    json_string(f->j, "file", of ? of->file : NULL);
    json_array(f->j, "lines");
    for (size_t i = 0; i < count && i < 64; i++)
        json_integer(f->j, NULL, lines[i].line);
    json_end_array(f->j);
}

static void put_row(fleet *f, const fleet_rows *rows, const fleet_row *r)
{
    char text[40];
    bool whole;
    const char *device[SETS_MEMBERS_MAX];
    uint32_t count = fleet_devices(f->all, r->set, device, &whole);
    json_object(f->j, NULL);
    json_array(f->j, "path");
    for (uint32_t i = 0; i < r->length; i++)
        json_integer(f->j, NULL, rows->paths[r->path + i]);
    json_end_array(f->j);
    json_unsigned(f->j, "count", r->count);
    if (r->cost)
        json_unsigned(f->j, "instructions", r->cost);
    else
        json_null(f->j, "instructions");
    json_array(f->j, "devices");
    for (uint32_t i = 0; i < count; i++)
        json_string(f->j, NULL, device[i]);
    json_end_array(f->j);
    json_bool(f->j, "more", r->set == SETS_MORE);
    json_string(f->j, "image", asked_image_text(&f->asked, r->image, text));
    fleet_put_lines(f, f->images.known[r->image], rows->paths[r->path]);
    json_end_object(f->j);
}

static void print_path(const fleet *f, const fleet_rows *rows, const fleet_row *r, FILE *out)
{
    for (uint32_t i = 0; i < r->length; i++) {
        fputs(i ? " | " : "", out);
        fleet_print_path(f->images.known[r->image], rows->paths[r->path + i], out);
    }
}

static void print_devices(const fleet *f, const fleet_row *r, FILE *out)
{
    bool whole;
    const char *device[SETS_MEMBERS_MAX];
    uint32_t count = fleet_devices(f->all, r->set, device, &whole);
    fputs("  [", out);
    if (whole && count >= DEVICES_FEW) {
        fprintf(out, "all %" PRIu32 " devices]", count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        text_print(out, device[i]);
    }
    fputs(r->set == SETS_MORE ? "more than 16 devices]" : "]", out);
}

static void print_row(const fleet *f, const fleet_rows *rows, const fleet_row *r)
{
    char cost[24] = "-"; /* not known */
    if (r->cost)
        snprintf(cost, sizeof cost, "%" PRIu64, r->cost);
    printf("%12" PRIu64 " %12s  ", r->count, cost);
    print_path(f, rows, r, stdout);
    print_devices(f, r, stdout);
    putchar('\n');
}

/* The path in one line; its devices, which may be many, in lines below. */
static void show_row(const fleet *f, const fleet_rows *rows, const fleet_row *r, uint64_t all)
{
    char *what, *devices, head[32], tail[48];
    size_t size;
    unsigned columns = command_columns();
    FILE *out = memory_stream(&what, &size);
    print_path(f, rows, r, out);
    fclose(out);
    out = memory_stream(&devices, &size);
    fprintf(out, "%7s", "");
    print_devices(f, r, out);
    fclose(out);
    snprintf(head, sizeof head, "%7s  ", "-"); /* not known */
    if (r->cost && all)
        snprintf(head, sizeof head, "%6.2f%%  ", 100.0 * (double)r->cost / (double)all);
    snprintf(tail, sizeof tail, "  %" PRIu64 " times", r->count);
    text_line(stdout, columns, head, what, tail);
    text_folded(stdout, columns, 1, devices);
    free(what);
    free(devices);
}

static void put_rows(fleet *f, const fleet_rows *rows, size_t top)
{
    json_array(f->j, "paths");
    for (size_t i = 0; i < top; i++)
        put_row(f, rows, &rows->row[i]);
    json_end_array(f->j);
    json_unsigned(f->j, "all", rows->count);
}

static void print_rows(const fleet *f, const fleet_rows *rows, size_t top)
{
    printf("%12s %12s  path  [devices]\n", "count", "instructions");
    for (size_t i = 0; i < top; i++)
        print_row(f, rows, &rows->row[i]);
}

static void show_rows(const fleet *f, const fleet_rows *rows, size_t top)
{
    uint64_t all = 0;
    for (size_t i = 0; i < rows->count; i++)
        all += rows->row[i].cost;
    if (top)
        puts("  share  path, how often  [devices]");
    for (size_t i = 0; i < top; i++)
        show_row(f, rows, &rows->row[i], all);
    if (top < rows->count)
        printf("%zu of %zu; --top %zu shows all.\n", top, rows->count, rows->count);
    else
        printf("%zu in all.\n", top);
}

int fleet_ask_paths(fleet *f, bool rare)
{
    fleet_rows rows = {0};
    if (!fleet_paths(f->all, f->label, (unsigned)f->k, rare ? (uint32_t)f->fewer : 0, &rows)) {
        fleet_rows_free(&rows);
        return command_fail(f->name, EXIT_INPUT, FLEET_TOO_SHORT);
    }
    fleet_rows_by_cost(&rows);
    size_t usual = f->summary ? SCREEN_ROWS : rare ? rows.count : 20;
    size_t top = f->top ? (size_t)f->top : usual;
    top = top < rows.count ? top : rows.count;
    if (f->as_json)
        put_rows(f, &rows, top);
    else if (f->summary)
        show_rows(f, &rows, top);
    else
        print_rows(f, &rows, top);
    fleet_rows_free(&rows);
    return EXIT_DONE;
}
