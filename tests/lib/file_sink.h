/* SPDX-License-Identifier: MIT */
/* A sink that appends to a stdio stream. It never refuses; a write that fails is negative. */
#ifndef WEFT_TESTS_LIB_FILE_SINK_H
#define WEFT_TESTS_LIB_FILE_SINK_H

#include <stdio.h>

#include "hal/sink.h"

/* The stream stays the caller's, who closes it. */
static inline weft_status file_sink_write(void *context, const uint8_t *frame, size_t size)
{
    return fwrite(frame, 1, size, (FILE *)context) == size ? WEFT_OK : WEFT_FULL;
}

static inline weft_sink file_sink(FILE *file)
{
    return (weft_sink){file, file_sink_write};
}

#endif
