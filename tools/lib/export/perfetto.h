/* SPDX-License-Identifier: MIT */
/* Perfetto's trace format (protobuf; ui.perfetto.dev): each activation as a slice on its context's track; counters for
 * the instructions of each context, its stack where that is known, and what was lost. Without a clock, a nanosecond of
 * the picture is an instruction. Written while the recording is read; the file grows with the run.
 *
 *     export_perfetto *out = export_perfetto_begin(all, im, file);
 *     functions_listen(all, export_perfetto_listener(out));
 *     ... the recording is read, functions_finish ...
 *     uint64_t events = export_perfetto_end(out, cut);        frees */
#ifndef WEFT_TOOLS_LIB_EXPORT_PERFETTO_H
#define WEFT_TOOLS_LIB_EXPORT_PERFETTO_H

#include <stdio.h>

#include "tools/lib/image/image.h"
#include "tools/lib/profile/functions.h"

typedef struct export_perfetto export_perfetto;

/* `clocked`: times will be nanoseconds (functions_clocked). `at_least`: more may be lost than the counters of losses
 * say. */
export_perfetto *export_perfetto_begin(const functions *all, const image *im, bool clocked, bool at_least, FILE *file);
functions_listener export_perfetto_listener(export_perfetto *out);
/* `cut`: the end of the recording is missing; then the last event says so. Returns the events that were written: begins
 * and ends of slices, values of counters, gaps. */
uint64_t export_perfetto_end(export_perfetto *out, bool cut);

#endif
