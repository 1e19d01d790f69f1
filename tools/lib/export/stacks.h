/* SPDX-License-Identifier: MIT */
/* The tree of calls as weighted stacks: folded lines (flamegraph.pl, inferno, speedscope) and speedscope's own format.
 * The weight of a stack is what its innermost function executed itself, so weights sum up to the total. */
#ifndef WEFT_TOOLS_LIB_EXPORT_STACKS_H
#define WEFT_TOOLS_LIB_EXPORT_STACKS_H

#include <stdio.h>

#include "tools/lib/export/loss.h"
#include "tools/lib/image/image.h"
#include "tools/lib/profile/functions.h"

/* A line a stack: "thread;main;f 123". Returns the lines. The format has no place for losses. */
uint64_t export_folded(const functions *all, const image *im, FILE *file);
/* A sampled profile for each context; what is lost is named in the file's name. Returns the samples. */
uint64_t export_speedscope(const functions *all, const image *im, export_loss loss, FILE *file);

#endif
