/* SPDX-License-Identifier: MIT */
/* What happened, in a sentence for people, as a member of the object that is open. */
#ifndef WEFT_TOOLS_LIB_REPORT_SENTENCE_H
#define WEFT_TOOLS_LIB_REPORT_SENTENCE_H

#include "tools/lib/base/json.h"
#include "tools/lib/report/subject.h"

void report_sentence_put(const report_data *d, json *j);

#endif
