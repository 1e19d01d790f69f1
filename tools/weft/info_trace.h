/* SPDX-License-Identifier: MIT */
/* What a whole execution trace holds, for weft info. */
#ifndef WEFT_TOOLS_WEFT_INFO_TRACE_H
#define WEFT_TOOLS_WEFT_INFO_TRACE_H

#include "tools/weft/info_chosen.h"

/* Compares all of the file with its check sums, and the program with that of `elf` if it is not NULL; and prints what
 * there is. The exit status. */
int info_trace(const char *path, const char *elf, info_chosen *chosen, bool as_json);

#endif
