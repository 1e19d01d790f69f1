/* SPDX-License-Identifier: MIT */
/* Callgrind's profile format, for callgrind_annotate and KCachegrind: costs of lines, and calls and jumps from
 * lines. */
#ifndef WEFT_TOOLS_LIB_EXPORT_CALLGRIND_H
#define WEFT_TOOLS_LIB_EXPORT_CALLGRIND_H

#include <stdio.h>

#include "tools/lib/export/loss.h"
#include "tools/lib/image/image.h"
#include "tools/lib/profile/coverage_tables.h"
#include "tools/lib/profile/functions.h"

/* The image is named as what ran, what is lost in a description line; the jumps are those of the same run. Sorts
 * all->line. Returns the functions. */
uint64_t export_callgrind(functions *all, const coverage *jumps, const image *im, export_loss loss, FILE *file);

#endif
