/* SPDX-License-Identifier: MIT */
/* Edges that are found by address: which store wrote a byte last. */
#ifndef WEFT_TOOLS_LIB_WET_SEARCH_H
#define WEFT_TOOLS_LIB_WET_SEARCH_H

#include "tools/lib/wet/word.h"

/* The origin of byte `byte` of a load of an execution with timestamp `time`: by its part's edge, or by walking back in
 * time. */
wet_origin wet_load_origin(wet_file *f, uint32_t node, uint32_t load, uint32_t byte, uint32_t instance, uint32_t time);

#endif
