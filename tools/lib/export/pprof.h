/* SPDX-License-Identifier: MIT */
/* pprof's profile (profile.proto, compressed by gzip): a sample for each chain of calls, with its calls and the
 * instructions that its innermost function executed itself. The label `context` of a sample names its context. */
#ifndef WEFT_TOOLS_LIB_EXPORT_PPROF_H
#define WEFT_TOOLS_LIB_EXPORT_PPROF_H

#include <stdio.h>

#include "tools/lib/export/loss.h"
#include "tools/lib/image/image.h"
#include "tools/lib/profile/functions.h"

/* What is lost is named in a comment. Returns the samples. */
uint64_t export_pprof(const functions *all, const image *im, export_loss loss, FILE *file);

#endif
