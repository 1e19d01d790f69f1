/* SPDX-License-Identifier: MIT */
/* The symbols of a raw stream or of a container, whichever a file is. Those of a container are the global numbers of the paths,
 * in the order in which the paths ended, of all contexts or of one. */
#ifndef WEFT_TOOLS_LIB_SYMBOL_SOURCE_H
#define WEFT_TOOLS_LIB_SYMBOL_SOURCE_H

#include "tools/lib/container.h"
#include "tools/lib/input.h"

typedef struct symbol_source {
    input *in;       /* of a raw stream, else NULL */
    container *file; /* of a container, else NULL */
    control *events;
    bool one_context;
    uint32_t context;
    input_format format; /* of a container: INPUT_U32 */
} symbol_source;

/* `context` below 0: all. False, and a message: it cannot be read. */
bool symbol_source_open(symbol_source *source, const char *path, input_format format, int64_t context, char *message,
                        size_t message_size);
void symbol_source_close(symbol_source *source);
/* Up to `max` symbols; 0 at the end or at an error. */
size_t symbol_source_read(symbol_source *source, uint32_t *symbols, size_t max);
/* NULL, or what stopped the reading. */
const char *symbol_source_error(const symbol_source *source);
/* Names the gaps of a container on standard error. True: there are some. */
bool symbol_source_gaps(const symbol_source *source, const char *command);

#endif
