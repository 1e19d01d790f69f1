/* SPDX-License-Identifier: MIT */
/* Decodes what a window (window.h) will ask for: all of it on all cores, or one block after the other. Private to the
 * room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_WINDOW_AHEAD_H
#define WEFT_TOOLS_LIB_DEBUG_WINDOW_AHEAD_H

#include "tools/lib/wet/begun.h"

/* Numbers of streams, some of which have been decoded. Start with {0}. */
typedef struct debug_ahead {
    wet_numbers *all;
    uint32_t count, done;
    size_t max;
} debug_ahead;

/* Lists what a window will ask for. */
void debug_ahead_list(debug_ahead *a, wet_file *f, uint32_t number);
/* How many streams are left. */
static inline uint32_t debug_ahead_left(const debug_ahead *a)
{
    return a->count - a->done;
}
/* Looks at up to `streams` of these, until one has to be decoded. True: that was so. */
bool debug_ahead_go(debug_ahead *a, wet_file *f, uint32_t streams);
/* All that are left, on all cores. */
void debug_ahead_rest(debug_ahead *a, wet_file *f);
void debug_ahead_free(debug_ahead *a);

#endif
