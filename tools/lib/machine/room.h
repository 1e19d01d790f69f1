/* SPDX-License-Identifier: MIT */
/* Room machine: what machine code does (Thumb: ARMv6-M, v7-M, v8-M).
 *
 * In:  an image (tools/lib/image/room.h), and for some questions the instructions that executed.
 * Out: decoded instructions (decode.h) and what they compute; control flow and control dependence of procedures
 *      (cfg.h); how many instructions each path executes (costs.h); which handler or thread runs (who_runs.h).
 *
 * Costs come from the code alone: a function becomes a graph with constants, in which what serves only probes is known
 * (build.h, routine.h); then all ways between probes are walked (walk.h). writes.h and thumb.h also serve the emulator
 * plugin. */
#ifndef WEFT_TOOLS_LIB_MACHINE_ROOM_H
#define WEFT_TOOLS_LIB_MACHINE_ROOM_H

#include "tools/lib/machine/cfg.h"
#include "tools/lib/machine/costs.h"
#include "tools/lib/machine/decode.h"
#include "tools/lib/machine/who_runs.h"
#include "tools/lib/machine/writes.h"

#endif
