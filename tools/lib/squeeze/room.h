/* SPDX-License-Identifier: MIT */
/* The room `squeeze`: numbers <-> bytes, by the bidirectional predictors of core/bfcm.
 *
 * In:   1 to 2^20 values of 32 or 64 bits, and how they are predicted (or a trial that chooses that).
 * Out:  a block of bytes. Opened, a block is a cursor that moves forward and backward, and decodes only what it passes.
 *
 * squeeze.h packs and opens blocks. coded.h is a second kind of block, smaller, which is read as a whole; mix.h reads
 * such blocks of older files. bytes.h holds the bytes. Inside, words.h turns the state of a predictor into bytes,
 * block.h has the numbers of a block's head, and arithmetic.h and mixing.h are the code of bits.
 * All bytes that are read are checked: a damaged block is refused. */
#ifndef WEFT_TOOLS_LIB_SQUEEZE_ROOM_H
#define WEFT_TOOLS_LIB_SQUEEZE_ROOM_H

#include "tools/lib/squeeze/bytes.h"
#include "tools/lib/squeeze/coded.h"
#include "tools/lib/squeeze/mix.h"
#include "tools/lib/squeeze/squeeze.h"

#endif
