/* SPDX-License-Identifier: MIT */
/* A full recording that goes to standard output while it is made. */
#ifndef WEFT_TOOLS_WEFT_CAPTURE_STREAM_H
#define WEFT_TOOLS_WEFT_CAPTURE_STREAM_H

#include "tools/lib/recording/full.h"

typedef struct capture_stream capture_stream;

/* Whatever is written to the file named `path` from now on goes to standard output. NULL: errno. */
capture_stream *capture_stream_open(char path[64]);
/* When all writers have ended: what was recorded, as its first and last frames say. False and a message: standard
 * output did not take all, or it is not a recording. Frees. */
bool capture_stream_close(capture_stream *stream, full_summary *summary, char *message, size_t message_size);

#endif
