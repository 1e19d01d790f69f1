/* SPDX-License-Identifier: MIT */
/* What the parts of the fleet's page share: where it is written to, and text, tables and sections of HTML. */
#ifndef WEFT_TOOLS_LIB_REPORT_FLEET_PAGE_PARTS_H
#define WEFT_TOOLS_LIB_REPORT_FLEET_PAGE_PARTS_H

#include "tools/lib/report/fleet_page.h"

typedef struct fleet_writing {
    const fleet_page *page;
    const asked *asked;
    FILE *out;
    fleet_page_figures figures;
} fleet_writing;

/* Text of a program or a file, as HTML, with a terminal's control characters made visible; a path. */
void fleet_page_put_safe(const fleet_writing *w, const char *text);
void fleet_page_put_path(const fleet_writing *w, const descriptors *known, uint32_t path);

/* A number, as "1,057,870". */
void fleet_page_put_number(const fleet_writing *w, uint64_t number);

/* A section, with the sentence that says what it is about, and a table, with its <th> elements. */
void fleet_page_part(const fleet_writing *w, const char *id, const char *title, const char *about);
void fleet_page_part_end(const fleet_writing *w);
void fleet_page_table(const fleet_writing *w, const char *heads);
void fleet_page_table_end(const fleet_writing *w);
/* The only row of a table with that many columns that has none. */
void fleet_page_no_rows(const fleet_writing *w, unsigned columns);
/* That a table was cut, and which command shows it whole. */
void fleet_page_put_more(const fleet_writing *w, size_t shown, size_t all, const char *command);

/* The sections. False: some recordings were merged for sequences shorter than asked for. */
bool fleet_page_top(fleet_writing *w);
bool fleet_page_rare(fleet_writing *w);
void fleet_page_compare(fleet_writing *w);
void fleet_page_uncovered(fleet_writing *w);

#endif
