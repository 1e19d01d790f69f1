/* SPDX-License-Identifier: MIT */
/* Method "stream" of whole program path files, predicted on a thread of its own while the grammar still grows. The
 * bytes are those of wpp_stream_write.
 *
 *     stream --> grammar --> numbers of its symbols --> [ queue, 16 MB ] --> model --> bytes
 *                  |                                                                     |
 *                  +--> rules --> bytes                    the smaller one of both: wpp_write
 *
 * Short streams are not predicted ahead, since wpp_stream_write takes no time for them. Nor are those whose grammar is
 * small: of most, the rules will be used. */
#ifndef WEFT_TOOLS_LIB_GRAMMAR_WPP_AHEAD_H
#define WEFT_TOOLS_LIB_GRAMMAR_WPP_AHEAD_H

#include "tools/lib/base/bits.h"

typedef struct wpp_ahead wpp_ahead;

/* NULL, which the other functions take: there is one core only, or a limit of memory. */
wpp_ahead *wpp_ahead_open(void);
/* The value of the next new symbol; before the symbols in which it appears. */
void wpp_ahead_value(wpp_ahead *ahead, uint32_t value);
/* The next symbols, as numbers in the order of first appearance. `elements`: of the grammar so far, on right sides.
 * Waits while the queue is full. */
void wpp_ahead_push(wpp_ahead *ahead, const uint32_t *numbers, size_t count, size_t elements);
/* What was pushed is not wanted. */
void wpp_ahead_drop(wpp_ahead *ahead);
/* All symbols are there: waits for what they are coded as. False: nothing was predicted ahead, or it was dropped. */
bool wpp_ahead_finish(wpp_ahead *ahead, bit_coder *coded);
void wpp_ahead_close(wpp_ahead *ahead);

#endif
