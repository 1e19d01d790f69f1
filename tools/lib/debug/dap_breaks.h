/* SPDX-License-Identifier: MIT */
/* The requests that set break- and watchpoints. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_DAP_BREAKS_H
#define WEFT_TOOLS_LIB_DEBUG_DAP_BREAKS_H

#include "tools/lib/debug/dap_data.h"

/* Each takes the place of those of its kind that were set before (of one source file), and answers. */
void dap_break_lines(dap *d, const dap_request *r);
void dap_break_functions(dap *d, const dap_request *r);
void dap_watch_places(dap *d, const dap_request *r);
void dap_break_free(dap_break *b);
/* Answers whether an expression can be watched, and by which name. */
void dap_watch_info(dap *d, const dap_request *r);

#endif
