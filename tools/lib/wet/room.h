/* SPDX-License-Identifier: MIT */
/* Room wet: whole execution traces, everything a run did, compressed, and open to questions in both directions of time.
 *
 * In:  a full recording and its ELF (gather.h), or a .wet file (open.h; FORMAT.md has the bytes).
 * Out: a .wet file (pack.h), and answers from one: which node ran when (control.h), the words of each execution
 *      (word.h), which store a load read (search.h), places by name and what stood there (place.h), slices (slice.h),
 *      what missed in a modelled part (history.h).
 *
 * A recording becomes nodes with a row per execution (gather.c), kept compressed (rows.h); rows become columns,
 * columns that follow from others go (choice.h), the rest is written. Queries read a file in place: the directory
 * once (directory.h), then blocks of streams (stream.h), edges (edge.h), and words (word.h), each layer using only
 * those before it.
 *
 * Zhang & Gupta, "Whole Execution Traces" (MICRO 2004). */
#ifndef WEFT_TOOLS_LIB_WET_ROOM_H
#define WEFT_TOOLS_LIB_WET_ROOM_H

#include "tools/lib/wet/control.h"
#include "tools/lib/wet/executed.h"
#include "tools/lib/wet/gather.h"
#include "tools/lib/wet/history_run.h"
#include "tools/lib/wet/open.h"
#include "tools/lib/wet/pack.h"
#include "tools/lib/wet/place.h"
#include "tools/lib/wet/search.h"
#include "tools/lib/wet/slice.h"
#include "tools/lib/wet/statement.h"
#include "tools/lib/wet/word.h"

#endif
