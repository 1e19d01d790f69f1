/* SPDX-License-Identifier: MIT */
/* The summary of `weft coverage`: what fits a screen. */
#ifndef WEFT_TOOLS_WEFT_COVERAGE_SCREEN_H
#define WEFT_TOOLS_WEFT_COVERAGE_SCREEN_H

#include "tools/lib/profile/coverage_tables.h"

/* What ran of a file. */
typedef struct coverage_hits {
    size_t lines, branches, functions;
} coverage_hits;

coverage_hits coverage_hits_of(const coverage *all, const coverage_part *p);
/* The files of which most ran, and functions of them that did not, in lines of `columns` characters. `command` shows
 * all of them. */
void coverage_screen(const coverage *all, const char *command, unsigned columns);

#endif
