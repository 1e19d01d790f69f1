/* SPDX-License-Identifier: MIT */
/* The page of a merged profile: what was merged, where the time goes, which paths few devices took, what changed from
 * one version to the next, what no recording ran. The figures are those of `weft fleet`. One HTML file that needs no
 * other; it is a document of tables, which a script only filters. */
#ifndef WEFT_TOOLS_LIB_REPORT_FLEET_PAGE_H
#define WEFT_TOOLS_LIB_REPORT_FLEET_PAGE_H

#include <stdio.h>

#include "tools/lib/fleet/asked.h"

typedef struct fleet_page {
    asked *asked;
    const char *name;           /* of the profile's file */
    const char *label;          /* only recordings with these labels; "": all */
    const char *before, *after; /* labels of the two versions that are compared; NULL: none */
    unsigned k;                 /* longest sequences of paths, 1 to MERGED_K_MAX */
    uint32_t fewer;             /* rare is what fewer devices took, 1 to SETS_MEMBERS_MAX + 1 */
    double level;               /* the chance that one or more of the changes are noise */
} fleet_page;

/* What a page says, in numbers. */
typedef struct fleet_page_figures {
    size_t top, rare;       /* paths that ran, of which rare */
    size_t tested, changed; /* functions, of both versions */
    size_t functions, lines_hit, lines;
} fleet_page_figures;

/* False, and a message: some recordings know only shorter sequences. */
bool fleet_page_write(const fleet_page *page, FILE *file, fleet_page_figures *figures, char *message,
                      size_t message_size);

/* Two versions, if recordings have two values of the label "version" in all: "version=A" and "version=B", A before B
 * in the order of numbers and text; from malloc, else NULL. */
bool fleet_page_versions(const merged *all, char **before, char **after);

#endif
