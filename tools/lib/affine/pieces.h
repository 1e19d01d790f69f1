/* SPDX-License-Identifier: MIT */
/* Models of many streams that grow side by side, in memory that does not grow with them. Steps:
 *   1. keep the numbers of each stream until there are `held_max` in all;
 *   2. then take those streams that have most: a piece each;
 *   3. what begins a piece may continue the nest that ended the one before (growth.h);
 *   4. model the rest of the piece (many.h), and keep back what its last few nests hold: there the piece's end may have
 *      cut one;
 *   5. at the end, model what is left.
 * With fewer numbers than `held_max` in all, each model is that of model_find. */
#ifndef WEFT_TOOLS_LIB_AFFINE_PIECES_H
#define WEFT_TOOLS_LIB_AFFINE_PIECES_H

#include "tools/lib/affine/many.h"

/* numbers held in all, 8 bytes each : 1 to 2^40 : longer pieces, and so fewer nests; more memory */
#define PIECES_HELD ((size_t)1 << 23)

typedef struct pieces pieces;

/* Gets the nests of a stream in order. The nest is valid during the call. */
typedef void pieces_take(void *own, uint32_t stream, const affine_nest *nest);

typedef struct pieces_options {
    many_options models; /* of each piece. The time limit is of all searches; each round of pieces takes half of it */
    size_t held_max;     /* as PIECES_HELD */
    pieces_take *take;
    void *own;
} pieces_options;

/* Memory: at most 16 * held_max bytes and about 2 KB per stream, beside what the searches take. */
pieces *pieces_open(const pieces_options *options);
/* Adds a number to a stream. Streams have the numbers 0, 1, 2, ... in the order in which they begin. */
void pieces_add(pieces *p, uint32_t stream, int64_t number);
/* Gives all nests that were not given yet. Nothing may be added after it. */
void pieces_end(pieces *p);
/* Whether the nests generate the stream, which was checked. After pieces_end. */
bool pieces_exact(const pieces *p, uint32_t stream);
void pieces_close(pieces *p);

#endif
