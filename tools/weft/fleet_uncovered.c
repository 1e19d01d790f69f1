/* SPDX-License-Identifier: MIT */
/* `weft fleet uncovered`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/weft/command.h"
#include "tools/weft/coverage_screen.h"
#include "tools/weft/fleet_ask.h"

/* Returns how many there are. */
static size_t show_uncovered(fleet *f, const coverage *c, const char *of, bool lines)
{
    size_t shown = 0;
    size_t count = lines ? c->line_count : c->function_count;
    for (size_t i = 0; i < count; i++) {
        const char *file = lines ? c->line[i].file : c->function[i].file;
        uint32_t line = lines ? c->line[i].line : c->function[i].line;
        if (lines ? c->line[i].count : c->function[i].count)
            continue;
        shown++;
        if (!f->as_json) {
            text_print(stdout, file);
            printf(":%" PRIu32, line);
            if (!lines) {
                fputs("  ", stdout);
                text_print(stdout, c->function[i].name);
            }
            if (f->images.count > 1)
                printf("  image %.16s", of);
            putchar('\n');
            continue;
        }
        json_object(f->j, NULL);
        if (!lines)
            json_string(f->j, "name", c->function[i].name);
        json_string(f->j, "file", file);
        json_integer(f->j, "line", line);
        json_string(f->j, "image", of);
        json_end_object(f->j);
    }
    return shown;
}

/* All of one kind, of all images. */
static void show_kind(fleet *f, coverage *const *of, bool lines)
{
    char text[40];
    size_t shown = 0;
    if (f->as_json)
        json_array(f->j, lines ? "lines" : "functions");
    else
        puts(lines ? "\nlines that nobody has run:" : "functions that nobody has called:");
    for (uint32_t n = 0; n < f->images.count; n++)
        if (of[n])
            shown += show_uncovered(f, of[n], asked_image_text(&f->asked, n, text), lines);
    if (!shown && !f->as_json)
        puts("none");
    if (f->as_json)
        json_end_array(f->j);
}

static void show_screens(fleet *f, coverage *const *of)
{
    char text[40];
    for (uint32_t n = 0; n < f->images.count; n++) {
        if (!of[n])
            continue;
        if (f->images.count > 1)
            printf("image %.16s\n", asked_image_text(&f->asked, n, text));
        coverage_screen(of[n], "fleet uncovered", command_columns());
    }
}

static void show_all(fleet *f, coverage *const *of, size_t hit, size_t all)
{
    if (f->summary) {
        show_screens(f, of);
        return;
    }
    for (int lines = 0; lines < 2; lines++)
        show_kind(f, of, lines);
    if (f->as_json) {
        json_unsigned(f->j, "lines_hit", hit);
        json_unsigned(f->j, "lines_all", all);
    } else {
        printf("\n%zu of %zu lines ran\n", hit, all);
    }
}

int fleet_ask_uncovered(fleet *f)
{
    coverage **of = memory_zero(f->images.count + 1, sizeof *of);
    size_t hit = 0, all = 0, unknown = 0;
    for (uint32_t n = 0; n < f->images.count; n++) {
        if (!asked_has(&f->asked, n, f->label))
            continue;
        of[n] = asked_coverage(&f->asked, n, f->label);
        unknown += !of[n];
        if (!of[n])
            continue;
        hit += of[n]->lines_hit;
        all += of[n]->line_count;
    }
    show_all(f, of, hit, all);
    for (size_t n = 0; n < f->images.count; n++)
        coverage_free(of[n]);
    free(of);
    return unknown ? command_fail(f->name, EXIT_INPUT, "%zu images are not known: give --elf APP.elf", unknown)
                   : EXIT_DONE;
}
