/* SPDX-License-Identifier: MIT */
/* The page: one HTML file that needs no other. Its text, style and script are page.html, page.css and page.js, which
 * are part of the program. */
#ifndef WEFT_TOOLS_LIB_REPORT_PAGE_H
#define WEFT_TOOLS_LIB_REPORT_PAGE_H

#include <stdio.h>

#include "tools/lib/report/data.h"

void report_page_write(const report_data *d, FILE *file);

#endif
