/* SPDX-License-Identifier: MIT */
/* The records of TRACE frames that stand for several paths each (core/FORMAT.md, sections 4 and 5), and these paths. */
#ifndef WEFT_TOOLS_LIB_RECORDING_UNPACK_H
#define WEFT_TOOLS_LIB_RECORDING_UNPACK_H

#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/packs.h"

typedef struct unpack unpack;

/* What `source` names must outlive this. Memory: a table of 2^13 words, and the paths of 1024 packs. */
unpack *unpack_open(pack_source source);
void unpack_close(unpack *u);
/* Starts on a frame, which must stay valid. */
void unpack_start(unpack *u, const trace_body *body);
/* Is that the number of packs, not of a path? */
bool unpack_is(const unpack *u, uint32_t number);
/* The word of the next record with such a number, from the frame's section of packs. False: damage. */
bool unpack_word(unpack *u, uint32_t number, uint32_t *word);
/* The paths of a pack, in order, valid until the next call. Returns how many; 0: it is not a pack. */
size_t unpack_paths(unpack *u, uint32_t number, uint32_t word, const uint32_t **paths);
/* Each pack that is found goes to `seen` too, at least once; the source must have a program. */
void unpack_gather(unpack *u, packs_gathered *seen);
/* The section was read to its end, and no further. */
bool unpack_done(const unpack *u);

#endif
