/* SPDX-License-Identifier: MIT */
/* Going on for a debug adapter: continuing, steps by lines, over calls and out of them. Private to the room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_DAP_RUN_H
#define WEFT_TOOLS_LIB_DEBUG_DAP_RUN_H

#include "tools/lib/debug/dap_data.h"

/* Why it stopped, as the protocol calls it: "breakpoint", "data breakpoint", "step"; "entry" at the first instant, and
 * "end" at the last. */
const char *dap_go(dap *d, bool backward);
/* One instruction. */
const char *dap_step_instruction(dap *d, bool backward);
/* To the start of another line, in functions with lines only; `into`: of callees, too. Backwards to the start of the
 * line before. */
const char *dap_step_line(dap *d, bool backward, bool into);
/* To where the function returns. */
const char *dap_step_out(dap *d);

/* The context that runs where the run is. */
debug_context dap_context_now(const dap *d);

#endif
