/* SPDX-License-Identifier: MIT */
/* Whether a file is a recording, before it is opened as a stream. */
#ifndef WEFT_TOOLS_LIB_INPUT_IS_CONTAINER_H
#define WEFT_TOOLS_LIB_INPUT_IS_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the file begins as a container, holds a frame of one, or is named *.weft: then it was one before it was
 * emptied or damaged, and is not a stream. Such a file is read with tools/lib/recording/container.h. */
bool input_is_container(const char *path);
/* Whether the bytes begin with a recording's head. */
bool input_begins_as_container(const uint8_t *bytes, size_t size);

#endif
