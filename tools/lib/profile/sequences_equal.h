/* SPDX-License-Identifier: MIT */
/* Which windows of a stream are equal. A window begins at each of its paths. */
#ifndef WEFT_TOOLS_LIB_PROFILE_SEQUENCES_EQUAL_H
#define WEFT_TOOLS_LIB_PROFILE_SEQUENCES_EQUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/base/numbering.h"

/* A stream that is kept instead of being counted at once (sequences_kept.h). */
typedef struct kept_stream {
    uint32_t *numbers; /* of its paths, in `of` */
    numbering of;
    size_t count, max;
    size_t most, trial; /* paths that may be kept; paths after which that is decided */
    bool only;          /* they are not counted as they come */
    size_t *starts;     /* paths that an activation begins with, ascending */
    size_t start_count, starts_max;
} kept_stream;

typedef struct equal_window {
    uint32_t first, count; /* where it begins first; how often it occurs */
} equal_window;

typedef struct equal_windows {
    uint32_t *code;  /* of each number of a path: from 1 on, in the order of the paths */
    uint32_t *value; /* the path of each code */
    uint32_t codes;
    uint8_t *length;      /* of the window that begins at each path: k, or what is left of its activation */
    equal_window *window; /* the different ones */
    size_t count;
} equal_windows;

/* k <= 64. Paths are in order by `rank`; NULL: by themselves. The stream has fewer than 2^32 paths. */
equal_windows equal_windows_find(const kept_stream *s, unsigned k, const uint32_t *rank);
void equal_windows_free(equal_windows *w);

#endif
