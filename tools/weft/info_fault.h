/* SPDX-License-Identifier: MIT */
/* What `weft info` says of a black box, and of the fault that a recording ended with. */
#ifndef WEFT_TOOLS_WEFT_INFO_FAULT_H
#define WEFT_TOOLS_WEFT_INFO_FAULT_H

#include "tools/lib/base/json.h"
#include "tools/lib/recording/container.h"

void info_print_fault(const container *file);
/* Keys `blackbox` and `fault`, where there is one. */
void info_json_fault(const container *file, json *j);

#endif
