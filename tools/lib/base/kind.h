/* SPDX-License-Identifier: MIT */
/* What a file is, by its first bytes, for messages about a file that a command does not read. */
#ifndef WEFT_TOOLS_LIB_BASE_KIND_H
#define WEFT_TOOLS_LIB_BASE_KIND_H

#include <stddef.h>
#include <stdint.h>

enum { KIND_HEAD = 8 }; /* bytes that tell */

/* "it is ...", and which command reads it. NULL: none of the formats with a head of their own. A recording has none:
 * its frames are found anywhere (tools/lib/recording/container.h). */
const char *kind_of(const uint8_t *bytes, size_t size);
/* The same, but only for formats that a command that also takes plain streams recognises: other bytes may be a stream
 * of symbols. */
const char *kind_no_stream(const uint8_t *bytes, size_t size);

#endif
