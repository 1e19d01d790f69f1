/* SPDX-License-Identifier: MIT */
/* The page: one HTML file that needs no other. Its text, style and scripts are the files of the folder page/, which are
 * part of the program. Plain JavaScript: the data stand in the element #data (data.h says what they are). Text of the
 * program is only ever put into text nodes and canvases. */
#ifndef WEFT_TOOLS_LIB_REPORT_PAGE_H
#define WEFT_TOOLS_LIB_REPORT_PAGE_H

#include <stdio.h>

#include "tools/lib/report/data.h"

void report_page_write(const report_data *d, FILE *file);

#endif
