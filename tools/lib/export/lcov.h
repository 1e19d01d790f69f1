/* SPDX-License-Identifier: MIT */
/* lcov's tracefile, for genhtml and most services that show coverage. Branches that were never reached have "-". */
#ifndef WEFT_TOOLS_LIB_EXPORT_LCOV_H
#define WEFT_TOOLS_LIB_EXPORT_LCOV_H

#include <stdio.h>

#include "tools/lib/profile/coverage.h"

/* Returns the lines of source that it lists. The format has no place for losses. */
uint64_t export_lcov(const coverage *all, FILE *file);

#endif
