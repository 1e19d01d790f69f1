/* SPDX-License-Identifier: MIT */
/* The nest that the target's detector (core/loopnest) writes for a sequence. */
#ifndef WEFT_TOOLS_LIB_LOOPS_WINDOW_H
#define WEFT_TOOLS_LIB_LOOPS_WINDOW_H

#include "tools/lib/loops/nest.h"

/* `window`: WEFT_LOOPNEST_WINDOW_MIN to _MAX terms. `depth`: deepest nesting, 1 to WEFT_LOOPNEST_DEPTH_MAX. */
nest *nest_windowed(const uint32_t *symbols, size_t size, uint32_t window, uint32_t depth);

#endif
