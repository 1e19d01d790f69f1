/* SPDX-License-Identifier: MIT */
/* The Common Trace Format, version 1.8 (babeltrace2, Trace Compass): a stream of events - enter and leave a function,
 * gap - and its metadata, two files of a folder. The clock counts nanoseconds, or instructions. A gap ends a packet,
 * and the next one says how many events were discarded. Written while the recording is read; the stream grows with the
 * run.
 *
 *     export_ctf *out = export_ctf_begin(all, stream);
 *     functions_listen(all, export_ctf_listener(out));
 *     ... the recording is read, functions_finish ...
 *     uint64_t events = export_ctf_end(out, im, loss, metadata);        frees */
#ifndef WEFT_TOOLS_LIB_EXPORT_CTF_H
#define WEFT_TOOLS_LIB_EXPORT_CTF_H

#include <stdio.h>

#include "tools/lib/export/loss.h"
#include "tools/lib/image/image.h"
#include "tools/lib/profile/functions.h"

typedef struct export_ctf export_ctf;

export_ctf *export_ctf_begin(const functions *all, FILE *stream);
functions_listener export_ctf_listener(export_ctf *out);
/* What is lost stands in the trace's environment, too. Returns the events that were written. */
uint64_t export_ctf_end(export_ctf *out, const image *im, export_loss loss, FILE *metadata);

#endif
