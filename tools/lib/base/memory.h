/* SPDX-License-Identifier: MIT */
/* Memory of the host tools: never NULL; the process ends with a message and status 1 when there is none left. */
#ifndef WEFT_TOOLS_LIB_BASE_MEMORY_H
#define WEFT_TOOLS_LIB_BASE_MEMORY_H

#include <stddef.h>

/* `count` elements of `size` bytes, all zero. */
void *memory_zero(size_t count, size_t size);
/* As realloc; what is new is not set. */
void *memory_grow(void *old, size_t count, size_t size);
/* A whole file, or standard input for "-", from malloc. NULL, and errno: it cannot be read. */
void *memory_read(const char *path, size_t *size);

#endif
