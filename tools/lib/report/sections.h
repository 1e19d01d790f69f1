/* SPDX-License-Identifier: MIT */
/* The parts of a page's data (data.h) that stand below its pictures, each as a member of the object that is open. */
#ifndef WEFT_TOOLS_LIB_REPORT_SECTIONS_H
#define WEFT_TOOLS_LIB_REPORT_SECTIONS_H

#include "tools/lib/base/json.h"
#include "tools/lib/report/subject.h"

/* [function, file, "12-14,17"] of a path, or of an instruction's address: an element of an array. */
void report_lines_put(const report_data *d, uint32_t path, json *j);
void report_hot_put(const report_data *d, json *j);
void report_loops_put(const report_data *d, json *j);
void report_walks_put(const report_data *d, json *j);

#endif
