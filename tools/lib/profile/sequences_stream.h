/* SPDX-License-Identifier: MIT */
/* Counts a stream of paths, one activation after the other, on all cores. It comes in blocks. Each is divided, and a
 * part begins with the state that the paths before it give. */
#ifndef WEFT_TOOLS_LIB_PROFILE_SEQUENCES_STREAM_H
#define WEFT_TOOLS_LIB_PROFILE_SEQUENCES_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/profile/sequences.h"

typedef struct sequences_stream sequences_stream;

/* `counts` has counted nothing so far, and stays the caller's. Its memory is taken once per core. */
sequences_stream *sequences_stream_new(sequences *counts);
/* The paths that a good block has. */
size_t sequences_stream_block(void);
/* The next path is the first of an activation. */
void sequences_stream_enter(sequences_stream *s);
/* Paths from `paths` on, which are read until it returns. Where *star is (star: not NULL), an activation begins. */
void sequences_stream_push(sequences_stream *s, const uint32_t *paths, size_t count, const uint32_t *star);
uint64_t sequences_stream_events(const sequences_stream *s);
/* All is in `counts` now. A check sum of what came, in the same blocks: equal for equal streams. */
uint64_t sequences_stream_close(sequences_stream *s);

#endif
