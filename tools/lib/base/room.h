/* SPDX-License-Identifier: MIT */
/* The room `base`: what every other room needs, without any idea of traces.
 *
 * In:   files, texts, values, times.
 * Out:  memory that is never NULL (memory.h, arena.h); files read whole (whole_file.h) and files that are written
 *       whole or not at all (output.h); names that go when the process ends (leftover.h); what a file is (kind.h);
 *       source lines below folders that the user named (sources.h); JSON (json.h); foreign text fit for a terminal
 *       (text.h); distinct values as 0, 1, 2, ... (numbering.h); a value for each address (pages.h); places in sorted
 *       arrays (bisect.h); bits coded by their probabilities (bits.h); a progress line (progress.h); the time
 *       (clock.h); digests and check sums (digest.h, checksum.h); work in parts, on all cores (threads.h).
 *
 * Only memory.h ends the process, when there is no memory; all other errors are returned. Nothing here includes
 * core. */
#ifndef WEFT_TOOLS_LIB_BASE_ROOM_H
#define WEFT_TOOLS_LIB_BASE_ROOM_H

#include "tools/lib/base/arena.h"
#include "tools/lib/base/bisect.h"
#include "tools/lib/base/bits.h"
#include "tools/lib/base/checksum.h"
#include "tools/lib/base/clock.h"
#include "tools/lib/base/digest.h"
#include "tools/lib/base/digits.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/kind.h"
#include "tools/lib/base/leftover.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"
#include "tools/lib/base/output.h"
#include "tools/lib/base/pages.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/base/sources.h"
#include "tools/lib/base/text.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/base/whole_file.h"

#endif
