/* SPDX-License-Identifier: MIT */
/* Decodes what a window (window.h) will ask for, on all cores. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_WINDOW_AHEAD_H
#define WEFT_TOOLS_LIB_DEBUG_WINDOW_AHEAD_H

#include "tools/lib/wet/file.h"

void debug_window_ahead(wet_file *f, uint32_t number);

#endif
