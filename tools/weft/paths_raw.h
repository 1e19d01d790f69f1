/* SPDX-License-Identifier: MIT */
/* weft paths of raw streams. */
#ifndef WEFT_TOOLS_WEFT_PATHS_RAW_H
#define WEFT_TOOLS_WEFT_PATHS_RAW_H

#include "tools/weft/paths_show.h"

/* Counts all files (NULL ends them) and prints. The exit status. */
int paths_raw(const char *name, char **files, const paths_options *o);

#endif
