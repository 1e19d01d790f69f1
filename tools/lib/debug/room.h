/* SPDX-License-Identifier: MIT */
/* Room debug: a run of the past in a debugger, forwards and backwards.
 *
 * In:  a whole execution trace or a recording of probes, with its ELF.
 * Out: what a debugger asks of it (subject.h): registers and memory at any instant, steps, stops, who runs and who
 *      waits; over that a gdb remote server (server.h) and a server of the debug adapter protocol (dap.h).
 *
 * Nothing is searched for from the start of the run. Of a whole execution trace (run.h), the snapshots of the file
 * (tools/lib/wet/past.h) give registers and memory at the start of each window; a window is executed again (window.c)
 * when an instant in it is asked for; a search looks only into windows that touched what is watched (search.c). A
 * recording of probes is read once (probes_read.c): each word of memory has a list of what was announced of it, each
 * activation knows who called it. */
#ifndef WEFT_TOOLS_LIB_DEBUG_ROOM_H
#define WEFT_TOOLS_LIB_DEBUG_ROOM_H

#include "tools/lib/debug/dap.h"
#include "tools/lib/debug/server.h"
#include "tools/lib/debug/subject.h"

#endif
