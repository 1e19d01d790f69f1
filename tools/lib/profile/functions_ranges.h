/* SPDX-License-Identifier: MIT */
/* Feeds a recording of paths alone to the tables on all cores, by ranges of frames. The steps:
 *   1  what each range does to the stacks of calls (functions_effects.h), on all cores
 *   2  from that, which calls are open where each range begins, in order
 *   3  the replay of each range into tables of its own, on all cores
 *   4  their sum, in order (functions_parts.h). Where the calls that were open at a range's end are not those that the
 *      next one began with, that one is replayed again with these */
#ifndef WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_RANGES_H
#define WEFT_TOOLS_LIB_PROFILE_FUNCTIONS_RANGES_H

#include "tools/lib/profile/functions_effects.h"

/* Steps 2 to 4, for recordings without accesses and values, with costs in instructions, and without a listener. False:
 * nothing was added. Then the recording has to be replayed as one, since it is short, or does not fit the program, or
 * has too many chains of calls. */
bool functions_feed_ranges(feeder *f, const functions_effects *effects, replay_totals *totals);

#endif
