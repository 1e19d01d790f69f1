/* SPDX-License-Identifier: MIT */
/* The parts of a page's data (data.h) that stand below its pictures, each as a member of the object that is open. */
#ifndef WEFT_TOOLS_LIB_REPORT_SECTIONS_H
#define WEFT_TOOLS_LIB_REPORT_SECTIONS_H

#include "tools/lib/base/json.h"
#include "tools/lib/report/subject.h"

/* `nodes`: the number on the page of each node of the tree of calls, + 1. */
void report_contexts_put(const report_data *d, const uint32_t *nodes, json *j);
/* [function, file, "12-14,17"], or null: an element of an array. */
void report_lines_put(const report_data *d, uint32_t path, json *j);
void report_hot_put(const report_data *d, json *j);
void report_loops_put(const report_data *d, json *j);
void report_walks_put(const report_data *d, json *j);

#endif
