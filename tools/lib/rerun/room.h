/* SPDX-License-Identifier: MIT */
/* Room rerun: executes a program on the host, as the recording of its paths says that it ran.
 *
 * In:  an image (tools/lib/image/room.h), and a recording of its paths with what came from outside.
 * Out: every instruction, value and access of the run, as a full recording has them (run.h).
 *
 * A core starts at the image's reset (core.h, space.h) and executes one instruction after the other (step.h). What a
 * device answers is unknown, unless the recording has it. What follows from something unknown is unknown: nothing is
 * guessed. Probes do nothing here but compare: each record must be that of the recording. */
#ifndef WEFT_TOOLS_LIB_RERUN_ROOM_H
#define WEFT_TOOLS_LIB_RERUN_ROOM_H

#include "tools/lib/rerun/run.h"
#include "tools/lib/rerun/step.h"

#endif
