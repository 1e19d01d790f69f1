/* SPDX-License-Identifier: MIT */
/* Chrome's trace events (chrome://tracing, Perfetto's JSON importer): each activation as a begin and an end on its
 * context's track, each gap as an instant. Without a clock, a microsecond of the picture is an instruction. Written
 * while the recording is read; the file grows with the run.
 *
 *     export_chrome *out = export_chrome_begin(all, im, file);
 *     functions_listen(all, export_chrome_listener(out));
 *     ... the recording is read, functions_finish ...
 *     uint64_t events = export_chrome_end(out, loss);        frees */
#ifndef WEFT_TOOLS_LIB_EXPORT_CHROME_H
#define WEFT_TOOLS_LIB_EXPORT_CHROME_H

#include <stdio.h>

#include "tools/lib/export/loss.h"
#include "tools/lib/image/image.h"
#include "tools/lib/profile/functions.h"

typedef struct export_chrome export_chrome;

export_chrome *export_chrome_begin(const functions *all, const image *im, FILE *file);
functions_listener export_chrome_listener(export_chrome *out);
/* Returns the events that were written. */
uint64_t export_chrome_end(export_chrome *out, export_loss loss);

#endif
