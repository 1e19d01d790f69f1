/* SPDX-License-Identifier: MIT */
/* Room inspect: what a run did with the machine that it ran on.
 *
 * In:   a full recording (tools/lib/recording/full.h) or a recording with probes, its image, an SVD file.
 * Out:  the deepest stacks and who made them (stack.h), interrupts (irq.h), accesses of device registers by name
 *       (devices.h, svd.h), unprotected sharing (race.h), where two recordings part (part.h).
 *
 * processor.h follows the state of the core along a full recording: who runs, masks, priorities, threads. retrace.h
 * makes such events of a recording with probes. calls.h keeps the chain of calls. All of it reads the recording as a
 * stream; memory is that of the program, not of the run. */
#ifndef WEFT_TOOLS_LIB_INSPECT_ROOM_H
#define WEFT_TOOLS_LIB_INSPECT_ROOM_H

#include "tools/lib/inspect/devices.h"
#include "tools/lib/inspect/irq.h"
#include "tools/lib/inspect/part.h"
#include "tools/lib/inspect/race.h"
#include "tools/lib/inspect/stack.h"

#endif
