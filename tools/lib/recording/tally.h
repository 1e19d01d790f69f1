/* SPDX-License-Identifier: MIT */
/* How many events stand in the frames of a recording with probes. A record of several paths counts as these, if the
 * container knows the program, else as one. */
#ifndef WEFT_TOOLS_LIB_RECORDING_TALLY_H
#define WEFT_TOOLS_LIB_RECORDING_TALLY_H

#include "tools/lib/recording/container.h"

typedef struct tally {
    uint64_t paths, accesses, values, marks;
    bool profiled;    /* it has a frame of a forest */
    uint64_t counted; /* paths that forests counted: some of `paths`, or all, or paths that the stream lost, too */
} tally;

tally tally_of(const container *file);
/* Adds a PROFILE frame: its paths, if they stand nowhere else. */
void tally_profile(tally *t, const weft_frame *frame);
/* Paths, accesses, values, and events of the firmware's own. */
uint64_t tally_events(const tally *t);

#endif
