/* SPDX-License-Identifier: MIT */
/* Everything that a page shows, as one JSON object; page/data.js reads it. */
#ifndef WEFT_TOOLS_LIB_REPORT_DATA_H
#define WEFT_TOOLS_LIB_REPORT_DATA_H

#include "tools/lib/base/json.h"
#include "tools/lib/report/subject.h"

void report_data_put(const report_data *d, json *j);

#endif
