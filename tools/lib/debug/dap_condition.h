/* SPDX-License-Identifier: MIT */
/* Conditions of breakpoints: VALUE, or VALUE == VALUE (!=, <, <=, >, >=), several joined by &&. A VALUE is a number or
 * what debug_value_named takes; alone it holds if it is not 0. */
#ifndef WEFT_TOOLS_LIB_DEBUG_DAP_CONDITION_H
#define WEFT_TOOLS_LIB_DEBUG_DAP_CONDITION_H

#include "tools/lib/debug/dap_data.h"

/* Whether a text has this form. */
bool dap_condition_read(const char *text);
/* Whether a breakpoint stops at the instruction that comes next, which is `pc`: its condition holds in the innermost
 * function, or one of its values is not known, for then the client is to look for itself. */
bool dap_break_stops(const dap *d, const dap_break *b, uint32_t pc);
/* Whether a breakpoint of the client's is at the instruction that comes next, and stops there. */
bool dap_break_now(const dap *d);

#endif
