/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"

/* A spreadsheet runs a text that begins like a formula: an apostrophe before it makes it text. */
static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    if (text && *text && strchr("=+-@\t\r\n", *text))
        fputc('\'', file);
    char *fit = json_fit(text ? text : "");
    for (const char *c = fit; *c; c++) {
        if (*c == '"')
            fputc('"', file);
        fputc(*c, file);
    }
    free(fit);
    fputc('"', file);
}

uint64_t export_csv(const functions *all, FILE *file)
{
    uint64_t rows = 0;
    fputs("function,file,line,calls,self_instructions,more_instructions,estimated_instructions,inclusive_instructions,"
          "min_instructions,mean_instructions,max_instructions\n",
          file);
    for (size_t i = 0; i < all->count; i++) {
        const function_cost *f = &all->all[i];
        if (!f->calls && !f->self)
            continue;
        put_text(file, f->name);
        fputc(',', file);
        put_text(file, f->place.file);
        fprintf(file, ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, f->place.line, f->calls,
                f->self, f->more, f->estimated, f->inclusive);
        if (f->whole)
            fprintf(file, ",%" PRIu64 ",%.3f,%" PRIu64 "\n", f->min, (double)f->whole_sum / (double)f->whole, f->max);
        else
            fputs(",,,\n", file);
        rows++;
    }
    return rows;
}
