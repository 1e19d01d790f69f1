/* SPDX-License-Identifier: MIT */
/* The room `misses`: what a run makes a part's branch predictor, caches and flash do.
 *
 * In:   a model as text (model.h): a preset and parameters; then fetches, branches, loads and stores, in their order.
 * Out:  of each, whether it missed; and the cycles that it made the core wait.
 *
 * model.h is the whole of it: config.h reads the text; predictor.h, cache.h and flash.h are the parts of a model.
 * The room knows neither recordings nor machine code. */
#ifndef WEFT_TOOLS_LIB_MISSES_ROOM_H
#define WEFT_TOOLS_LIB_MISSES_ROOM_H

#include "tools/lib/misses/model.h"

#endif
