/* SPDX-License-Identifier: MIT */
/* The snapshots of a file (snapshots.h), ready to be asked: the state of a register or a word of memory at the start of
 * a window, and the windows that touched a word. Windows are numbered from 0: window w has the timestamps
 * w * f->window + 1 to (w + 1) * f->window.
 *
 *     wet_past *p = wet_past_open(f, message, sizeof message);
 *     if (wet_past_register(p, 13, window, &sp)) ...
 *     wet_past_close(p); */
#ifndef WEFT_TOOLS_LIB_WET_PAST_H
#define WEFT_TOOLS_LIB_WET_PAST_H

#include <stddef.h>

#include "tools/lib/wet/file.h"

#define WET_NEVER UINT32_MAX

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

typedef struct wet_past {
    uint32_t windows;
    wet_note *notes; /* of one word after the other; of one word by window */
    uint32_t **pages;
    uint32_t *first; /* of each word that was touched, and one more: its notes */
    uint32_t word_count;
    wet_note *registers[64]; /* flags unused */
    uint32_t register_count[64];
    wet_back *entries;
    uint32_t entry_count;
    wet_floats *restores;
    uint32_t restore_count;
} wet_past;

/* NULL and a message: the file has no snapshots (an older version), or they are damaged. */
wet_past *wet_past_open(wet_file *f, char *message, size_t message_size);
void wet_past_close(wet_past *p);

/* At the start of a window. False: it was not written before. */
bool wet_past_register(const wet_past *p, unsigned loc, uint32_t window, uint32_t *value);
/* Known bytes of the word `number` (its address / 4) as a mask. */
uint8_t wet_past_word(const wet_past *p, uint32_t number, uint32_t window, uint32_t *value);
/* This word, or one after it without leaving out any that was ever touched; 2^30: none. */
uint64_t wet_past_next(const wet_past *p, uint32_t number);
/* The first window from `window` on, or the last one up to it, that touched a word in a way of `flags`; WET_NEVER. */
uint32_t wet_past_touched(const wet_past *p, uint32_t number, unsigned flags, uint32_t window, bool backward);

#endif
