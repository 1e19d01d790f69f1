/* SPDX-License-Identifier: MIT */
/* What the recording itself says of what is not in it: pauses, triggers, filters, sampling. */
#ifndef WEFT_TOOLS_LIB_RECORDING_CHANGES_H
#define WEFT_TOOLS_LIB_RECORDING_CHANGES_H

#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/index.h"

/* What the marks of one recording say up to a point. All zero at its start. */
typedef struct changes {
    bool paused;
    bool missing;      /* frames are missing since the last pause began or ended */
    uint64_t pauses;   /* so far, as far as marks say */
    uint32_t function; /* first path of the function that the next sampling is of */
} changes;

/* Takes the control marks of the next TRACE frame, and lists what they leave out. `first` is the recording's first gap
 * in the list. */
void changes_take(changes *c, frame_index *index, frame_entry *entry, const trace_body *body, size_t first);
/* The recording's end record: what was left out in all, and pauses whose marks are missing. */
void changes_count(const changes *c, frame_index *index, const frame_entry *entry, const weft_frame *stats);
/* After the last frame of a recording. */
void changes_end(const changes *c, frame_index *index, uint64_t offset, uint32_t recording);

#endif
