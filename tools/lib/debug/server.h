/* SPDX-License-Identifier: MIT */
/* A gdb remote server over a run of the past. It only reads: a client's write is refused. */
#ifndef WEFT_TOOLS_LIB_DEBUG_SERVER_H
#define WEFT_TOOLS_LIB_DEBUG_SERVER_H

#include "tools/lib/debug/subject.h"

/* Serves one client over these descriptors, from the first instant on, until it goes away. 0; or errno: the host could
 * not read from it or write to it. */
int debug_serve(debug_subject *subject, int in, int out);

#endif
