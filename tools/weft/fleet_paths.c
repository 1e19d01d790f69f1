/* SPDX-License-Identifier: MIT */
/* `weft fleet top`, `weft fleet rare`. */
#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/base/text.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_ask.h"

enum { DEVICES_FEW = 4 }; /* from 4 on they are not listed if they are all */

void fleet_put_lines(fleet *f, const descriptors *known, uint32_t path)
{
    descriptor_line lines[64];
    const descriptor_function *of = known ? descriptors_of_path(known, path) : NULL;
    if (!of)
        return;
    size_t count = fleet_path_lines(known, path, lines, 64);
    json_string(f->j, "function", of->name);
    json_string(f->j, "file", of->file);
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
    json_array(f->j, "devices");
    for (uint32_t i = 0; i < count; i++)
        json_string(f->j, NULL, device[i]);
    json_end_array(f->j);
    json_bool(f->j, "more", r->set == SETS_MORE);
    if (f->images.count > 1)
        json_string(f->j, "image", asked_image_text(&f->asked, r->image, text));
    fleet_put_lines(f, f->images.known[r->image], rows->paths[r->path]);
    json_end_object(f->j);
}

static void print_row(const fleet *f, const fleet_rows *rows, const fleet_row *r)
{
    bool whole;
    const char *device[SETS_MEMBERS_MAX];
    uint32_t count = fleet_devices(f->all, r->set, device, &whole);
    printf("%12" PRIu64 " %12" PRIu64 "  ", r->count, r->cost);
    for (uint32_t i = 0; i < r->length; i++) {
        fputs(i ? " | " : "", stdout);
        fleet_print_path(f->images.known[r->image], rows->paths[r->path + i], stdout);
    }
    fputs("  [", stdout);
    if (whole && count >= DEVICES_FEW) {
        printf("all %" PRIu32 " devices]\n", count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", stdout);
        text_print(stdout, device[i]);
    }
    puts(r->set == SETS_MORE ? "more than 16 devices]" : "]");
}

int fleet_ask_paths(fleet *f, bool rare)
{
    fleet_rows rows = {0};
    if (!fleet_paths(f->all, f->label, (unsigned)f->k, rare ? (uint32_t)f->fewer : 0, &rows)) {
        fleet_rows_free(&rows);
        return command_fail(f->name, EXIT_INPUT, "some recordings were merged for sequences shorter than -k");
    }
    fleet_rows_by_cost(&rows);
    size_t top = f->top ? (size_t)f->top : rare ? rows.count : 20;
    if (f->as_json)
        json_array(f->j, "paths");
    else
        printf("%12s %12s  path  [devices]\n", "count", "instructions");
    for (size_t i = 0; i < rows.count && i < top; i++)
        if (f->as_json)
            put_row(f, &rows, &rows.row[i]);
        else
            print_row(f, &rows, &rows.row[i]);
    if (f->as_json) {
        json_end_array(f->j);
        json_unsigned(f->j, "all", rows.count);
    }
    fleet_rows_free(&rows);
    return EXIT_DONE;
}
