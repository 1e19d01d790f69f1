/* SPDX-License-Identifier: MIT */
/* What a merged profile holds, for weft info. */
#ifndef WEFT_TOOLS_WEFT_INFO_MERGED_H
#define WEFT_TOOLS_WEFT_INFO_MERGED_H

#include <stdbool.h>

/* Prints it. The exit status. */
int info_merged(const char *name, const char *path, bool as_json);

#endif
