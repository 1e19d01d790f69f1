/* SPDX-License-Identifier: MIT */
/* What snapshots say, in memory (past.h). */
#ifndef WEFT_TOOLS_LIB_WET_PAST_NOTES_H
#define WEFT_TOOLS_LIB_WET_PAST_NOTES_H

#include "tools/lib/wet/file.h"

/* What a window says. */
typedef struct wet_note {
    uint32_t window, value;
    uint8_t flags, mask; /* mask: known bytes; also where flags have no WET_STATE */
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
