/* SPDX-License-Identifier: MIT */
/* A gdb remote server over a recorded run. It only reads: what the client wants to write is refused. */
#ifndef WEFT_TOOLS_LIB_DEBUG_SERVER_H
#define WEFT_TOOLS_LIB_DEBUG_SERVER_H

#include "tools/lib/debug/run.h"

/* Serves one client over these descriptors, from the first instant on, until it goes away. */
void debug_serve(debug_run *r, int in, int out);

#endif
