/* SPDX-License-Identifier: MIT */
/* The clock's time along a recording with probes. *Fixed points* are known: stamps, and when each frame began and was
 * closed (core/FORMAT.md). The time between two of them is shared among the paths that ended there, by their
 * instructions. So what ended between two fixed points is reported to have ended between them, and no moment is wrong
 * by more than their distance. Time in which no path ended belongs to the next path of the context that was running, if
 * the recording tells which that was; else to no path.
 *
 *     fixed points at 1,000 and 1,600 ns; in between ended paths of 10, 20 and 30 instructions:
 *     they ran 100, 200 and 300 ns, and ended at 1,100, 1,300 and 1,600
 *
 * Times are nanoseconds since the first frame began. Paths up to the next fixed point are read ahead; memory is that of
 * the distinct paths. */
#ifndef WEFT_TOOLS_LIB_PROFILE_TIMELINE_H
#define WEFT_TOOLS_LIB_PROFILE_TIMELINE_H

#include "tools/lib/machine/costs.h"
#include "tools/lib/recording/container.h"

typedef struct timeline timeline;

/* NULL: the recording has no clock whose frequency is known. `costs` outlives it. */
timeline *timeline_open(const container *file, path_costs *costs);
void timeline_close(timeline *t);
/* The next path of the recording ended, in `context`: how long it ran. Called for each path, in order. */
uint64_t timeline_path(timeline *t, uint32_t path, uint32_t context);
/* A stamp of a recording of the file comes next, at `ticks`. */
void timeline_stamp(timeline *t, uint32_t recording, uint64_t ticks);
/* When what was reported last happened. */
uint64_t timeline_now(const timeline *t);
/* Whether that of the last path is an estimate: the time between two fixed points was shared among paths of which some
 * have an estimated number of instructions (costs.h). Not of the last of them, which ended when the fixed point was. */
bool timeline_estimated(const timeline *t);
/* Whether how long the last path ran is one: when it began, or when it ended. */
bool timeline_shared(const timeline *t);

#endif
