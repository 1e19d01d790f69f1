/* SPDX-License-Identifier: MIT */
#include "tools/weft/coverage_screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"

enum { FILES = 10, FUNCTIONS = 5, TEXT = 400, NUMBERS = 60 };

typedef struct file {
    coverage_part part;
    coverage_hits hits;
    size_t order;
} file;

coverage_hits coverage_hits_of(const coverage *all, const coverage_part *p)
{
    coverage_hits hits = {0};
    for (size_t i = p->line; i < p->line_end; i++)
        hits.lines += all->line[i].count != 0;
    for (size_t i = p->branch; i < p->branch_end; i++)
        hits.branches += all->branch[i].count != 0;
    for (size_t i = p->function; i < p->function_end; i++)
        hits.functions += all->function[i].count != 0;
    return hits;
}

/* Most lines that ran first, then in the order of their names. */
static int by_hits(const void *left, const void *right)
{
    const file *a = left, *b = right;
    if (a->hits.lines != b->hits.lines)
        return a->hits.lines > b->hits.lines ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static file *files_of(const coverage *all, size_t *count)
{
    file *files = NULL;
    size_t max = 0;
    *count = 0;
    for (coverage_part p = {0}; coverage_next(all, &p);) {
        files = memory_room(files, *count, &max, sizeof *files);
        files[*count] = (file){p, coverage_hits_of(all, &p), *count};
        ++*count;
    }
    if (*count)
        qsort(files, *count, sizeof *files, by_hits);
    return files;
}

/* The end of a path says more than its beginning. */
static void print_path(const char *path, unsigned width, int pad)
{
    char text[TEXT];
    size_t size = text_safe(text, sizeof text, path);
    const char *shown = text;
    if (size > width) {
        shown = text + size - width;
        text[size - width] = text[size - width + 1] = '.';
    }
    printf("%-*s", pad, shown);
}

static void print_share(size_t hit, size_t all)
{
    printf("  %5zu/%-5zu %5.1f%%", hit, all, all ? 100.0 * (double)hit / (double)all : 100.0);
}

static void print_files(const coverage *all, const file *files, size_t count, unsigned width)
{
    printf("%-*s  %-18s  %-18s  %-18s\n", (int)width, "FILE", "      LINES", "      BRANCHES", "      FUNCTIONS");
    for (size_t i = 0; i < count && i < FILES; i++) {
        const coverage_part *p = &files[i].part;
        print_path(p->file, width, (int)width);
        print_share(files[i].hits.lines, p->line_end - p->line);
        print_share(files[i].hits.branches, p->branch_end - p->branch);
        print_share(files[i].hits.functions, p->function_end - p->function);
        putchar('\n');
    }
    if (count > FILES)
        printf("... and %zu more files\n", count - FILES);
    printf("%-*s", (int)width, "all");
    print_share(all->lines_hit, all->line_count);
    print_share(all->branches_hit, all->branch_count);
    print_share(all->functions_hit, all->function_count);
    putchar('\n');
}

/* Functions of files of which something ran come first: other files are often not used at all. */
static void print_functions(const coverage *all, const file *files, size_t count, unsigned columns)
{
    char name[TEXT];
    size_t left = all->function_count - all->functions_hit, shown = 0;
    if (!left)
        return;
    puts("\nfunctions that were not called:");
    for (size_t i = 0; i < count && shown < FUNCTIONS; i++)
        for (size_t k = files[i].part.function; k < files[i].part.function_end && shown < FUNCTIONS; k++) {
            const coverage_function *f = &all->function[k];
            if (f->count)
                continue;
            size_t used = 16 + text_safe(name, columns / 2, f->name);
            printf("    %s  ", name);
            print_path(f->file, columns > used + 12 ? columns - (unsigned)used : 12, 0);
            printf(":%" PRIu32 "\n", f->line);
            shown++;
        }
    if (left > shown)
        printf("    ... and %zu more\n", left - shown);
}

void coverage_screen(const coverage *all, const char *command, unsigned columns)
{
    size_t count;
    file *files = files_of(all, &count);
    print_files(all, files, count, columns > NUMBERS + 20 ? columns - NUMBERS : 20);
    print_functions(all, files, count, columns);
    printf("\n`weft %s ... | cat` shows all, and the lines that never ran.\n", command);
    free(files);
}
