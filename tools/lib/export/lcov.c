/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/lcov.h"

#include <inttypes.h>

#include "tools/lib/export/names.h"

static void put_functions(FILE *file, const coverage *all, const coverage_part *p)
{
    size_t hit = 0;
    for (size_t i = p->function; i < p->function_end; i++) {
        fprintf(file, "FN:%" PRIu32 ",", all->function[i].line);
        export_name(file, all->function[i].name, ",");
        fputc('\n', file);
    }
    for (size_t i = p->function; i < p->function_end; i++) {
        hit += all->function[i].count != 0;
        fprintf(file, "FNDA:%" PRIu64 ",", all->function[i].count);
        export_name(file, all->function[i].name, ",");
        fputc('\n', file);
    }
    fprintf(file, "FNF:%zu\nFNH:%zu\n", p->function_end - p->function, hit);
}

static void put_branches(FILE *file, const coverage *all, const coverage_part *p)
{
    size_t hit = 0;
    for (size_t i = p->branch; i < p->branch_end; i++) {
        const coverage_branch *b = &all->branch[i];
        hit += b->count != 0;
        fprintf(file, "BRDA:%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",", b->line, b->block, b->way);
        fprintf(file, b->count + b->others ? "%" PRIu64 "\n" : "-\n", b->count);
    }
    fprintf(file, "BRF:%zu\nBRH:%zu\n", p->branch_end - p->branch, hit);
}

static void put_lines(FILE *file, const coverage *all, const coverage_part *p)
{
    size_t hit = 0;
    for (size_t i = p->line; i < p->line_end; i++) {
        hit += all->line[i].count != 0;
        fprintf(file, "DA:%" PRIu32 ",%" PRIu64 "\n", all->line[i].line, all->line[i].count);
    }
    fprintf(file, "LF:%zu\nLH:%zu\n", p->line_end - p->line, hit);
}

uint64_t export_lcov(const coverage *all, FILE *file)
{
    for (coverage_part p = {0}; coverage_next(all, &p);) {
        fputs("TN:\nSF:", file);
        export_path(file, p.file);
        fputc('\n', file);
        put_functions(file, all, &p);
        put_branches(file, all, &p);
        put_lines(file, all, &p);
        fputs("end_of_record\n", file);
    }
    return all->line_count;
}
