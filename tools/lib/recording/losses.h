/* SPDX-License-Identifier: MIT */
/* Missing frames and lost events: each frame is compared with what the frames before it lead to expect. */
#ifndef WEFT_TOOLS_LIB_RECORDING_LOSSES_H
#define WEFT_TOOLS_LIB_RECORDING_LOSSES_H

#include "tools/lib/recording/index.h"

/* Adds the gaps between frames to index->gaps, marks the frames after them, and adds what was lost to *lost, as far as
 * it is counted. */
void losses_find(frame_index *index, weft_counts *lost);

#endif
