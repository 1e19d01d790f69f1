/* SPDX-License-Identifier: MIT */
/* The room `recording`: container bytes -> frames -> control events, numbers, replayed events; full recordings.
 *
 * In:   a file that a recorder or the emulator plugin wrote, whole or damaged; the scripts of a program's paths.
 * Out:  frames in recorded order and the gaps between them (container.h, gaps.h, frames.h); paths and contexts
 *       (control.h); all events in global order (replay.h, events.h; on all cores, replay_all.h); the events of a full
 *       recording (full.h); the frames in a RAM dump (ring.h), or as they arrive (follow.h), also from the SWO pin
 *       (swo.h); names of contexts and events (given_names.h).
 *
 * The way of a byte: container.c (index.c finds the frame, losses.c what is missing before it) -> frames.c (its
 * sections) -> coded.c (symbols; terms.c if they are loops) -> symbols.c (paths; unpack.c for records of several, by
 * the image or by packs.c) -> replay.c, which asks script.c what a path stands for, and takes addresses and values from
 * engines.c and numbers.c. The steps stand at the top of index.c and replay.c. */
#ifndef WEFT_TOOLS_LIB_RECORDING_ROOM_H
#define WEFT_TOOLS_LIB_RECORDING_ROOM_H

#include "tools/lib/recording/announced.h"
#include "tools/lib/recording/chosen.h"
#include "tools/lib/recording/coded.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/engines.h"
#include "tools/lib/recording/events.h"
#include "tools/lib/recording/follow.h"
#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/gaps.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/recording/numbers.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/replay_all.h"
#include "tools/lib/recording/ring.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/swo.h"
#include "tools/lib/recording/symbols.h"
#include "tools/lib/recording/tally.h"
#include "tools/lib/recording/terms.h"
#include "tools/lib/recording/unpack.h"

#endif
