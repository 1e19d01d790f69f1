/* SPDX-License-Identifier: MIT */
/* The words that slice_need.h lists, execution after execution in the order of time, from the first one on: a register
 * has what defined it last, memory what was stored there last. So no edge is followed, and nothing is found twice.
 * Private to the room.
 *
 * A node becomes a program, which runs once for each execution. Its words have places: those of registers first.
 *
 *     ldr r3, [r0, #8]     place 17 = place 0 + 8        its address
 *     str r3, [r1], #4     place 18 = place 1            its address
 *                          place 19 = place 1 + 4        r1; it is copied to place 1 at the end */
#ifndef WEFT_TOOLS_LIB_WET_SLICE_WORDS_H
#define WEFT_TOOLS_LIB_WET_SLICE_WORDS_H

#include "tools/lib/wet/file.h"

typedef struct slice_words slice_words;

/* `needed`: of slice_need_find; it is read until the words are freed. */
slice_words *slice_words_new(wet_file *f, const uint32_t *needed);
void slice_words_free(slice_words *w);
/* The place of a needed slot's word. Of others, and of WET_NONE, a place with 0; the file is then damaged. */
uint32_t slice_words_place(const slice_words *w, uint32_t node, uint32_t slot);
/* The words of an execution, by place. Valid until the next call. */
const uint32_t *slice_words_next(slice_words *w, uint32_t node, uint32_t instance);

#endif
