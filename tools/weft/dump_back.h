/* SPDX-License-Identifier: MIT */
/* `weft dump --backward`: from the fault back, the newest path first. */
#ifndef WEFT_TOOLS_WEFT_DUMP_BACK_H
#define WEFT_TOOLS_WEFT_DUMP_BACK_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/filter.h"
#include "tools/weft/lines.h"

/* Prints the fault, the path that was open, and `last` paths (0: all), newest first. `app` may be NULL. Memory: 16
 * bytes for each path that is printed. Returns the frames whose paths cannot be read. */
uint64_t dump_back(out *o, const container *file, program *app, const event_filter *wanted, size_t last);

#endif
