/* SPDX-License-Identifier: MIT */
/* Making a window (window.h), at once or in parts: who steps towards its border makes a part with each step, so that
 * no step has to wait for all of it.
 *
 *     debug_making *m = debug_making_new(source, number);
 *     debug_making_go(m, parts);           as often as wanted
 *     w = debug_making_end(m);             makes what is left
 *
 * Parts are: numbers that one stream has to have decoded, the order of the executions (one part), each execution. A
 * part takes some microseconds; where a block has to be decoded, about a millisecond. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_WINDOW_MAKE_H
#define WEFT_TOOLS_LIB_DEBUG_WINDOW_MAKE_H

#include "tools/lib/debug/window.h"

typedef struct debug_making debug_making;

/* The caller's, until it is ended or freed. `source` has to stay as long. */
debug_making *debug_making_new(debug_source *source, uint32_t number);
/* Which window, and how many parts are left. */
uint32_t debug_making_number(const debug_making *m);
uint32_t debug_making_left(const debug_making *m);
/* Makes up to `parts`; fewer where something had to be decoded. */
void debug_making_go(debug_making *m, uint32_t parts);
/* Makes the rest, and frees `m`. The window is the caller's. */
debug_window *debug_making_end(debug_making *m);
void debug_making_free(debug_making *m);

/* All at once. */
debug_window *debug_window_new(debug_source *source, uint32_t number);

#endif
