/* SPDX-License-Identifier: MIT */
/* The search for races (race.h) in either kind of recording. */
#ifndef WEFT_TOOLS_LIB_INSPECT_RACE_FIND_H
#define WEFT_TOOLS_LIB_INSPECT_RACE_FIND_H

#include "tools/lib/inspect/race.h"
#include "tools/lib/inspect/race_source.h"

/* As races_full. False: it cannot be read; the source knows why. */
bool races_find(races *out, const race_source *source, const image *im, const race_lock *locks, const char **gap);

#endif
