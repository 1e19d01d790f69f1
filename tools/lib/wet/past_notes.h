/* SPDX-License-Identifier: MIT */
/* What snapshots say, in memory (past.h). */
#ifndef WEFT_TOOLS_LIB_WET_PAST_NOTES_H
#define WEFT_TOOLS_LIB_WET_PAST_NOTES_H

#include "tools/lib/wet/file.h"

#define WET_NOTE_WINDOW_BITS 25 /* windows of WET_WINDOW timestamps are at most 2^22 */

/* What a window says. Long runs have tens of millions of notes, so they are small. */
typedef struct wet_note {
    uint32_t window : WET_NOTE_WINDOW_BITS;
    uint32_t flags : 3, mask : 4; /* mask: known bytes; also where flags have no WET_STATE */
    uint32_t value;
} wet_note;

/* Where interrupted code goes on. */
typedef struct wet_back {
    uint32_t pc, it; /* pc 0: not known */
} wet_back;

/* s0..s15 and FPSCR after an exception return. */
typedef struct wet_floats {
    uint64_t event;
    uint32_t values[17];
} wet_floats;

typedef struct wet_past wet_past;

#endif
