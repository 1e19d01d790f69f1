/* SPDX-License-Identifier: MIT */
/* The snapshots of a file (snapshots.h), ready to be asked: the state of a register or a word of memory at the start of
 * a window, and the windows that touched a word. Windows are numbered from 0: window w has the timestamps
 * w * f->window + 1 to (w + 1) * f->window.
 *
 * They are read by a thread of their own: what is asked for first waits until it has ended. Nothing is known at the
 * start of window 0, so questions about that do not wait.
 *
 *     wet_past *p = wet_past_open(f, message, sizeof message);
 *     if (wet_past_register(p, 13, window, &sp)) ...
 *     wet_past_close(p); */
#ifndef WEFT_TOOLS_LIB_WET_PAST_H
#define WEFT_TOOLS_LIB_WET_PAST_H

#include <stddef.h>

#include "tools/lib/wet/past_notes.h"

#define WET_NEVER UINT32_MAX

/* NULL and a message: the file has no snapshots (an older version). If they are damaged, the file's `damaged` is set
 * once they have been read. */
wet_past *wet_past_open(wet_file *f, char *message, size_t message_size);
void wet_past_close(wet_past *p);

/* At the start of a window. False: it was not written before. */
bool wet_past_register(wet_past *p, unsigned loc, uint32_t window, uint32_t *value);
/* Known bytes of the word `number` (its address / 4) as a mask. */
uint8_t wet_past_word(wet_past *p, uint32_t number, uint32_t window, uint32_t *value);
/* This word, or one after it without leaving out any that was ever touched; 2^30: none. */
uint64_t wet_past_next(wet_past *p, uint32_t number);
/* The first window from `window` on, or the last one up to it, that touched a word in a way of `flags`; WET_NEVER.
 * For reads only batches of windows are known (snapshots.h): the window that is given may not have read the word. */
uint32_t wet_past_touched(wet_past *p, uint32_t number, unsigned flags, uint32_t window, bool backward);

/* What the n-th exception entry stacked; pc 0 where that is not known. */
wet_back wet_past_back(wet_past *p, uint32_t entry);
/* The floating point registers after exception number `event`; NULL: it did not change them. */
const wet_floats *wet_past_floats(wet_past *p, uint64_t event);

#endif
