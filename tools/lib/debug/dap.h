/* SPDX-License-Identifier: MIT */
/* A server of the debug adapter protocol over a run of the past: editors step through it forwards and backwards. It
 * only reads. */
#ifndef WEFT_TOOLS_LIB_DEBUG_DAP_H
#define WEFT_TOOLS_LIB_DEBUG_DAP_H

#include "tools/lib/debug/dap_opener.h"

/* Serves one client over these descriptors until it goes away. The subject that it opened, or NULL, is the caller's.
 * *failed: as debug_serve's result (server.h); EBADMSG: it sent what is not a message. */
debug_subject *dap_serve(const dap_opener *opener, int in, int out, int *failed);

#endif
