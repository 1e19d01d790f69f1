/* SPDX-License-Identifier: MIT */
/* What a page says of the machine: contexts, interrupts, stacks, device registers; as the room inspect finds them. Each
 * is a member of the object that is open; what is not known is left out. */
#ifndef WEFT_TOOLS_LIB_REPORT_MACHINE_H
#define WEFT_TOOLS_LIB_REPORT_MACHINE_H

#include "tools/lib/base/json.h"
#include "tools/lib/report/subject.h"

/* `nodes`: the number on the page of each node of the tree of calls, + 1. */
void report_contexts_put(const report_data *d, const uint32_t *nodes, json *j);
void report_irqs_put(const report_data *d, json *j);
void report_stacks_put(const report_data *d, json *j);
void report_devices_put(const report_data *d, json *j);

#endif
