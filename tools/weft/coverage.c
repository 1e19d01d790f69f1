/* SPDX-License-Identifier: MIT */
/* weft coverage: lines, branches and functions that ran, and that did not. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/text.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/coverage_screen.h"
#include "tools/weft/covered.h"
#include "tools/weft/fleet_input.h"
#include "tools/weft/options.h"

static const char help[] =
    "usage: weft coverage [--lines] [--context NAME] [--function NAME] [--label K=V,...] [--json]\n"
    "                     [--elf APP.elf] IN...\n\n"
    "Which lines, branches and functions ran, by source file; several recordings of the same image add up. Then the\n"
    "functions and lines that never ran. IN: recordings with probes; or full recordings and whole execution traces.\n\n"
    "  --elf APP.elf   the image that was traced (default: beside the first IN)\n"
    "  --label K=V,... of merged profiles (weft merge): only recordings with these labels\n"
    "  --lines         instead a line for each source line: count, tab, file:line\n"
    "  --context NAME  only what ran in one context: a handler's name, thread, or a number\n"
    "  --function NAME only this function\n"
    "  --summary       what fits a screen, as on a terminal\n"
    "  --json          one JSON object: files (each file, lines, branches, functions), lines_hit, lines_all, ...\n\n"
    "A line counts how often control came to it. With probes, lines are those of functions with probes, and branches\n"
    "those of the source; else lines are those of the image's line table, and branches those of the machine code.\n";

/* ---- lines for people ---- */

static void print_share(size_t hit, size_t all)
{
    printf(" %6zu /%6zu %6.1f%%", hit, all, all ? 100.0 * (double)hit / (double)all : 100.0);
}

static void print_part(const coverage *all, const coverage_part *p)
{
    coverage_hits hits = coverage_hits_of(all, p);
    print_share(hits.lines, p->line_end - p->line);
    print_share(hits.branches, p->branch_end - p->branch);
    print_share(hits.functions, p->function_end - p->function);
    fputs("  ", stdout);
    text_print(stdout, p->file);
    putchar('\n');
}

/* The lines of a file that never ran, runs of neighbouring ones of the table as one range. */
static void print_missing(const coverage *all, const coverage_part *p)
{
    bool any = false;
    for (size_t i = p->line, end; i < p->line_end; i = end) {
        for (end = i; end < p->line_end && !all->line[end].count; end++)
            ;
        if (end == i) {
            end++;
            continue;
        }
        if (!any)
            text_print(stdout, p->file);
        printf(any ? "," : ":");
        printf(end - i > 1 ? "%" PRIu32 "-%" PRIu32 : "%" PRIu32, all->line[i].line, all->line[end - 1].line);
        any = true;
    }
    if (any)
        putchar('\n');
}

static void print_functions(const coverage *all)
{
    puts("\nfunctions that were not called:");
    for (size_t i = 0; i < all->function_count; i++) {
        const coverage_function *f = &all->function[i];
        if (f->count)
            continue;
        fputs("    ", stdout);
        text_print(stdout, f->name);
        fputs("  ", stdout);
        text_print(stdout, f->file);
        printf(":%" PRIu32 "\n", f->line);
    }
}

static void print_all(const coverage *all)
{
    printf("%23s %23s %23s  file\n", "lines", "branches", "functions");
    for (coverage_part p = {0}; coverage_next(all, &p);)
        print_part(all, &p);
    print_share(all->lines_hit, all->line_count);
    print_share(all->branches_hit, all->branch_count);
    print_share(all->functions_hit, all->function_count);
    puts("  all");
    print_functions(all);
    puts("\nlines that never ran:");
    for (coverage_part p = {0}; coverage_next(all, &p);)
        print_missing(all, &p);
}

static void print_lines(const coverage *all)
{
    for (size_t i = 0; i < all->line_count; i++) {
        printf("%" PRIu64 "\t", all->line[i].count);
        text_print(stdout, all->line[i].file);
        printf(":%" PRIu32 "\n", all->line[i].line);
    }
}

/* ---- JSON ---- */

static void put_branches(json *j, const coverage *all, const coverage_part *p)
{
    json_array(j, "branches");
    for (size_t i = p->branch; i < p->branch_end; i++) {
        const coverage_branch *b = &all->branch[i];
        if (b->ways == 2 && b->way == 1)
            continue; /* the other way of a condition that stands in the list */
        json_object(j, NULL);
        json_integer(j, "line", b->line);
        json_integer(j, "block", b->block);
        json_integer(j, "way", b->way);
        json_integer(j, "ways", b->ways);
        json_unsigned(j, "taken", b->count);
        json_unsigned(j, "not_taken", b->others);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_part(json *j, const coverage *all, const coverage_part *p)
{
    json_object(j, NULL);
    json_string(j, "file", p->file);
    json_array(j, "lines");
    for (size_t i = p->line; i < p->line_end; i++) {
        json_object(j, NULL);
        json_integer(j, "line", all->line[i].line);
        json_unsigned(j, "count", all->line[i].count);
        json_end_object(j);
    }
    json_end_array(j);
    put_branches(j, all, p);
    json_array(j, "functions");
    for (size_t i = p->function; i < p->function_end; i++) {
        json_object(j, NULL);
        json_string(j, "name", all->function[i].name);
        json_integer(j, "line", all->function[i].line);
        json_unsigned(j, "count", all->function[i].count);
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}

static void put_all(const coverage *all, uint64_t lost)
{
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_array(j, "files");
    for (coverage_part p = {0}; coverage_next(all, &p);)
        put_part(j, all, &p);
    json_end_array(j);
    json_unsigned(j, "lines_hit", all->lines_hit);
    json_unsigned(j, "lines_all", all->line_count);
    json_unsigned(j, "branches_hit", all->branches_hit);
    json_unsigned(j, "branches_all", all->branch_count);
    json_unsigned(j, "functions_hit", all->functions_hit);
    json_unsigned(j, "functions_all", all->function_count);
    if (all->instructions)
        json_unsigned(j, "instructions", all->instructions);
    else
        json_unsigned(j, "paths", all->paths);
    json_unsigned(j, "lost", lost);
    json_end_object(j);
    json_finish(j);
}

/* What did not run and what is lost look alike in the tables. */
static void print_lost(const export_loss *loss)
{
    fputs("\nParts of the run are lost", stdout);
    if (loss->paths)
        printf(" (%s%" PRIu64 " paths)", loss->at_least ? "at least " : "", loss->paths);
    puts(".\nWhat stands here as not called or never run may have run.");
}

int command_coverage(int argc, char **argv)
{
    const char *elf = NULL, *label = NULL;
    event_choice choice = {0};
    bool as_json = false, lines = false, summary = false;
    const command_option list[] = {{"elf", .text = &elf},
                                   {"label", .text = &label},
                                   {"json", .flag = &as_json},
                                   {"lines", .flag = &lines},
                                   {"context", .text = &choice.context},
                                   {"function", .text = &choice.function},
                                   {"summary", .flag = &summary},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (optind == argc)
        return command_fail(argv[0], EXIT_USAGE, "takes recordings (see weft coverage --help)");
    elf = elf_beside(elf, argv[optind]);
    if (!elf)
        return elf_missing(argv[0], argv[optind]);
    if ((status = fleet_choose(argv[0], label, argv + optind)) != EXIT_DONE)
        return status;
    covered run;
    status = covered_read(&run, argv[0], elf, argv + optind, choice);
    if (status == EXIT_DONE || status == EXIT_GAPS) {
        if (as_json)
            put_all(run.all, run.loss.paths);
        else if (lines)
            print_lines(run.all);
        else if (command_summary(summary, false))
            coverage_screen(run.all, "coverage", command_columns());
        else
            print_all(run.all);
        if (status == EXIT_GAPS && !as_json && !lines)
            print_lost(&run.loss);
    }
    covered_close(&run);
    return status;
}
