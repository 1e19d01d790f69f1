/* SPDX-License-Identifier: MIT */
/* The records of TRACE frames that stand for several paths each (core/FORMAT.md, sections 4 and 5), and these paths. */
#ifndef WEFT_TOOLS_LIB_RECORDING_UNPACK_H
#define WEFT_TOOLS_LIB_RECORDING_UNPACK_H

#include "tools/lib/image/descriptor.h"
#include "tools/lib/recording/frames.h"

typedef struct unpack unpack;

/* `known`: the program that was recorded; it must outlive this. Memory: a table of 2^13 words, and the paths of 1024
 * packs. */
unpack *unpack_open(const descriptors *known);
void unpack_close(unpack *u);
/* Starts on a frame, which must stay valid. */
void unpack_start(unpack *u, const trace_body *body);
/* Is that the number of packs, not of a path? */
bool unpack_is(const unpack *u, uint32_t number);
/* The word of the next record with such a number, from the frame's section of packs. False: damage. */
bool unpack_word(unpack *u, uint32_t number, uint32_t *word);
/* The paths of a pack, in order, valid until the next call. Returns how many; 0: it is not a pack. */
size_t unpack_paths(unpack *u, uint32_t number, uint32_t word, const uint32_t **paths);
/* The section was read to its end, and no further. */
bool unpack_done(const unpack *u);

#endif
