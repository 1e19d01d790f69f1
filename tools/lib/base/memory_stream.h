/* SPDX-License-Identifier: MIT */
/* Streams into memory. Unlike open_memstream's they lose nothing where there is no memory: the process then ends, as in
 * memory.h.
 *
 *     FILE *out = memory_stream(&text, &size);
 *     fprintf(out, ...);
 *     fclose(out);                     text: `size` bytes and a zero, from malloc */
#ifndef WEFT_TOOLS_LIB_BASE_MEMORY_STREAM_H
#define WEFT_TOOLS_LIB_BASE_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* *text and *size are good after fclose or fflush. They must live as long as the stream. */
FILE *memory_stream(char **text, size_t *size) __attribute__((returns_nonnull));

#endif
