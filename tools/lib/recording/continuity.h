/* SPDX-License-Identifier: MIT */
/* Whether a frame can follow the one before it. Frames of two runs with the same identity and run number look like one
 * recording; but a recorder's counts add up, its clock does not go back, and its description stays as it is. */
#ifndef WEFT_TOOLS_LIB_RECORDING_CONTINUITY_H
#define WEFT_TOOLS_LIB_RECORDING_CONTINUITY_H

#include "core/base.h"
#include "tools/lib/recording/gaps.h"
#include "tools/lib/recording/index.h"

/* What is known of a recording from its frames so far. All zero: there was none. */
typedef struct continuity {
    bool loose;        /* the sums of losses are not comparable: a profile stands instead of the control stream */
    uint64_t lost;     /* events lost before the last frame with counts */
    uint64_t time;     /* when the last frame with counts was closed */
    uint32_t meta_crc; /* of the body of the first META */
    bool meta_seen;
    bool chained;   /* each frame of the full recording names the one before it: */
    uint32_t chain; /* by its CRC-32 */
} continuity;

/* Whether a frame says that fewer events came before it than are expected: it is of another run. */
bool counts_go_back(const weft_counts *counts, const weft_counts *expected);
/* META: it is the same in all of a recording. Lists a GAP_OTHER where it is not. */
void continuity_meta(continuity *c, frame_index *index, const frame_entry *entry, const weft_frame *frame);

/* A frame of a full recording (tools/qemu/FULL.md), after `missing` frames that are not there. Lists a GAP_OTHER where
 * it names another frame as the one before it. */
void continuity_full(continuity *c, frame_index *index, const frame_entry *entry, const weft_frame *frame,
                     uint64_t missing);

/* What a frame says of its place, and what the frames before it lead to. */
typedef struct continuity_said {
    const weft_counts *counts;   /* events before its interval */
    const weft_counts *expected; /* those that the frames before it account for */
    uint64_t begun;              /* when its interval began */
    uint64_t missing;            /* frames that are not there between */
} continuity_said;
/* False: the frame cannot follow those before it, and a GAP_OTHER is listed. It does not check that counts never go
 * back. */
bool continuity_counts(continuity *c, frame_index *index, const frame_entry *entry, const weft_frame *frame,
                       const continuity_said *said);

#endif
