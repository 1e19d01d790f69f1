/* SPDX-License-Identifier: MIT */
/* weft fleet: questions to merged profiles. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/fleet/asked.h"
#include "tools/lib/fleet/labels.h"
#include "tools/weft/command.h"
#include "tools/weft/options.h"

static const char help[] =
    "usage: weft fleet top [-k K] [--top N] [--label K=V,...] [--json] PROFILE...\n"
    "       weft fleet rare [-k K] [--fewer N] [--top N] [--label K=V,...] [--json] PROFILE...\n"
    "       weft fleet compare --before K=V,... --after K=V,... [--level P] [--all] [--json] PROFILE...\n"
    "       weft fleet uncovered [--label K=V,...] [--json] PROFILE...\n\n"
    "Asks merged profiles (weft merge).\n\n"
    "  top        the paths of all on which most instructions were spent\n"
    "  rare       paths that fewer than N devices took, and which (N to 17; default 2); no longer sequence around one\n"
    "  compare    which functions cost more or less per call, and on which paths; functions are matched by name and\n"
    "             file, paths by their lines. Noise is what recordings of a version differ by: Welch's t test, with\n"
    "             Holm's correction over all functions\n"
    "  uncovered  functions and lines that nobody has run\n\n"
    "  -k K           sequences of up to K paths (default 1)\n"
    "  --top N        at most N (default 20; rare: all)\n"
    "  --label K=V    only recordings with these labels\n"
    "  --elf APP.elf  an image, if it was not given to weft merge; may come several times\n"
    "  --level P      of compare: the chance that one or more of the findings are noise (default 0.01)\n"
    "  --all          of compare: also what did not change\n"
    "  --json         one JSON object: paths (each path, count, devices, more), functions, lines\n";

typedef struct fleet {
    const char *name, *label, *before, *after, *level;
    command_texts elf;
    long long k, top, fewer;
    double chance;
    bool as_json, everything;
    asked asked;
    merged *all;         /* of asked */
    fleet_images images; /* likewise */
    json *j;
} fleet;

/* ---- inputs ---- */

static int open_all(fleet *f, char **paths)
{
    char message[400];
    if (!asked_open(&f->asked, paths, f->elf.all, f->elf.count, message, sizeof message))
        return command_fail(f->name, EXIT_INPUT, "%s", message);
    f->all = f->asked.all;
    f->images = f->asked.images;
    return EXIT_DONE;
}

/* ---- top, rare ---- */

static void put_lines(fleet *f, const descriptors *known, uint32_t path)
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
    uint32_t count;
    const uint32_t *member = sets_members(&f->all->sets, r->set, &count);
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
        json_string(f->j, NULL, f->all->names.text[member[i]]);
    json_end_array(f->j);
    json_bool(f->j, "more", r->set == SETS_MORE);
    if (f->images.count > 1)
        json_string(f->j, "image", asked_image_text(&f->asked, r->image, text));
    put_lines(f, f->images.known[r->image], rows->paths[r->path]);
    json_end_object(f->j);
}

static void print_row(const fleet *f, const fleet_rows *rows, const fleet_row *r)
{
    uint32_t count;
    const uint32_t *member = sets_members(&f->all->sets, r->set, &count);
    printf("%12" PRIu64 " %12" PRIu64 "  ", r->count, r->cost);
    for (uint32_t i = 0; i < r->length; i++) {
        fputs(i ? " | " : "", stdout);
        fleet_print_path(f->images.known[r->image], rows->paths[r->path + i], stdout);
    }
    fputs("  [", stdout);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", stdout);
        text_print(stdout, f->all->names.text[member[i]]);
    }
    puts(r->set == SETS_MORE ? "more than 16 devices]" : "]");
}

static int ask_paths(fleet *f, bool rare)
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

/* ---- compare ---- */

static void put_real(json *j, const char *key, double value)
{
    if (!isnan(value) && !isinf(value))
        json_real(j, key, value);
}

static const char *verdict_of(const fleet *f, const fleet_change *c)
{
    if (!c->line_before || !c->line_after)
        return c->line_before ? "gone" : "new";
    if (!c->result.tested)
        return "untested";
    return c->p >= f->chance ? "same" : c->result.after > c->result.before ? "slower" : "faster";
}

static bool is_changed(const fleet *f, const fleet_change *c)
{
    return c->result.tested && c->p < f->chance;
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
            put_lines(f, known, p->path);
            json_end_object(f->j);
            continue;
        }
        printf("%14.2f %14.2f %9s           ", before, after, "");
        fleet_print_path(known, p->path, stdout);
        putchar('\n');
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
    json_string(f->j, "verdict", verdict_of(f, c));
    put_real(f->j, "before", c->result.before);
    put_real(f->j, "after", c->result.after);
    put_real(f->j, "p", c->p);
    json_unsigned(f->j, "recordings_before", c->before.recordings);
    json_unsigned(f->j, "recordings_after", c->after.recordings);
    if (is_changed(f, c))
        put_paths(f, c);
    json_end_object(f->j);
}

static void print_change(fleet *f, const fleet_change *c)
{
    double change = 100 * (c->result.after / c->result.before - 1);
    printf("%14.2f %14.2f %+8.1f%% %9.2g  %-8s ", c->result.before, c->result.after, change, c->p, verdict_of(f, c));
    text_print(stdout, c->name);
    putchar('\n');
    if (is_changed(f, c))
        put_paths(f, c);
}

static int ask_compare(fleet *f)
{
    size_t count, changed = 0, tested = 0;
    fleet_change *all = fleet_compare(f->all, &f->images, f->before, f->after, &count);
    for (size_t i = 0; i < count; i++) {
        changed += is_changed(f, &all[i]);
        tested += all[i].result.tested;
    }
    if (f->as_json)
        json_array(f->j, "functions");
    else
        printf("%14s %14s %9s %9s  instructions per call\n", "before", "after", "change", "p");
    for (size_t i = 0; i < count; i++) {
        bool shown = f->everything || is_changed(f, &all[i]) || !all[i].line_before || !all[i].line_after;
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
        printf("\n%zu of %zu functions that could be tested changed, at a level of %g for all together\n", changed,
               tested, f->chance);
    }
    free(all);
    return tested || !count ? EXIT_DONE
                            : command_fail(f->name, EXIT_INPUT,
                                           "nothing can be tested: each version wants two recordings that call the "
                                           "same function, merged with --elf");
}

/* ---- uncovered ---- */

static void show_uncovered(fleet *f, const coverage *c, const char *of, bool lines)
{
    size_t count = lines ? c->line_count : c->function_count;
    for (size_t i = 0; i < count; i++) {
        const char *file = lines ? c->line[i].file : c->function[i].file;
        uint32_t line = lines ? c->line[i].line : c->function[i].line;
        if (lines ? c->line[i].count : c->function[i].count)
            continue;
        if (!f->as_json) {
            text_print(stdout, file);
            printf(":%" PRIu32, line);
            if (!lines) {
                fputs("  ", stdout);
                text_print(stdout, c->function[i].name);
            }
            putchar('\n');
            continue;
        }
        json_object(f->j, NULL);
        if (!lines)
            json_string(f->j, "name", c->function[i].name);
        json_string(f->j, "file", file);
        json_integer(f->j, "line", line);
        if (f->images.count > 1)
            json_string(f->j, "image", of);
        json_end_object(f->j);
    }
}

static int ask_uncovered(fleet *f)
{
    char text[40];
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
    for (int lines = 0; lines < 2; lines++) {
        if (f->as_json)
            json_array(f->j, lines ? "lines" : "functions");
        else
            puts(lines ? "\nlines that nobody has run:" : "functions that nobody has called:");
        for (uint32_t n = 0; n < f->images.count; n++)
            if (of[n])
                show_uncovered(f, of[n], asked_image_text(&f->asked, n, text), lines);
        if (f->as_json)
            json_end_array(f->j);
    }
    if (f->as_json) {
        json_unsigned(f->j, "lines_hit", hit);
        json_unsigned(f->j, "lines_all", all);
    } else {
        printf("\n%zu of %zu lines ran\n", hit, all);
    }
    for (size_t n = 0; n < f->images.count; n++)
        coverage_free(of[n]);
    free(of);
    return unknown ? command_fail(f->name, EXIT_INPUT, "%zu images are not known: give --elf APP.elf", unknown)
                   : EXIT_DONE;
}

/* ---- the command ---- */

static int ask(fleet *f, const char *question)
{
    merged_totals t = merged_totals_of(f->all);
    int status;
    if (f->as_json) {
        f->j = json_begin(stdout);
        json_object(f->j, NULL);
        json_unsigned(f->j, "recordings", t.recordings);
    }
    if (!strcmp(question, "compare"))
        status = ask_compare(f);
    else if (!strcmp(question, "uncovered"))
        status = ask_uncovered(f);
    else
        status = ask_paths(f, !strcmp(question, "rare"));
    if (f->as_json) {
        json_unsigned(f->j, "lost", t.lost);
        json_end_object(f->j);
        json_finish(f->j);
    }
    if (status == EXIT_DONE && t.gapped)
        status = command_fail(f->name, EXIT_GAPS,
                              "gap: %" PRIu64 " of %" PRIu64 " recordings have gaps, %" PRIu64 " paths are lost",
                              t.gapped, t.recordings, t.lost);
    return status;
}

static int check(fleet *f, const char *question, int inputs)
{
    static const char *const questions[] = {"top", "rare", "compare", "uncovered"};
    const char *const given[] = {f->label, f->before, f->after};
    char message[200], *end;
    bool known = false;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        known |= !strcmp(question, questions[i]);
    if (!known)
        return command_fail(f->name, EXIT_USAGE, "there is no question '%s': top, rare, compare or uncovered",
                            question);
    if (inputs < 1)
        return command_fail(f->name, EXIT_USAGE, "no profile is named; see --help");
    if (!strcmp(question, "compare") && (!*f->before || !*f->after))
        return command_fail(f->name, EXIT_USAGE, "compare wants --before K=V,... and --after K=V,...");
    for (size_t i = 0; i < 3; i++) {
        labels l;
        bool good = labels_parse(&l, given[i], message, sizeof message);
        bool device = l.device != NULL;
        labels_free(&l);
        if (!good || device)
            return command_fail(f->name, EXIT_USAGE, "'%s': %s", given[i],
                                device ? "recordings are not kept apart by device" : message);
    }
    f->chance = strtod(f->level, &end);
    if (*end || !(f->chance > 0 && f->chance < 1))
        return command_fail(f->name, EXIT_USAGE, "--level wants a chance, such as 0.01, not '%s'", f->level);
    return EXIT_DONE;
}

int command_fleet(int argc, char **argv)
{
    fleet f = {.name = argv[0], .label = "", .before = "", .after = "", .level = "0.01", .k = 1, .fewer = 2};
    const command_option list[] = {{"k", .number = &f.k, .min = 1, .max = MERGED_K_MAX},
                                   {"top", .number = &f.top, .min = 1, .max = 1 << 30},
                                   {"fewer", .number = &f.fewer, .min = 1, .max = SETS_MEMBERS_MAX + 1},
                                   {"label", .text = &f.label},
                                   {"before", .text = &f.before},
                                   {"after", .text = &f.after},
                                   {"level", .text = &f.level},
                                   {"elf", .texts = &f.elf},
                                   {"all", .flag = &f.everything},
                                   {"json", .flag = &f.as_json},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    const char *question = status == OPTIONS_READ && optind < argc ? argv[optind] : "";
    if (status == OPTIONS_READ)
        status = check(&f, question, argc - optind - 1);
    if (status == EXIT_DONE && *question)
        status = open_all(&f, argv + optind + 1);
    if (status == EXIT_DONE && *question)
        status = ask(&f, question);
    asked_close(&f.asked);
    free(f.elf.all);
    return status;
}
