/* SPDX-License-Identifier: MIT */
/* Room debug: a recorded run in a debugger, forwards and backwards.
 *
 * In:  a whole execution trace with its ELF.
 * Out: registers and memory at any instant, steps (run.h), stops (search.h), who runs and who waits (contexts.h), and
 * a gdb      remote server over them (server.h).
 *
 * Nothing is searched for from the start of the run. The snapshots of the file (tools/lib/wet/past.h) give registers
 * and memory at the start of each window; a window is executed again (window.c) when an instant in it is asked for; a
 * search looks only into windows that touched what is watched (search.c). */
#ifndef WEFT_TOOLS_LIB_DEBUG_ROOM_H
#define WEFT_TOOLS_LIB_DEBUG_ROOM_H

#include "tools/lib/debug/contexts.h"
#include "tools/lib/debug/run.h"
#include "tools/lib/debug/search.h"
#include "tools/lib/debug/server.h"

#endif
