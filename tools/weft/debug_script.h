/* SPDX-License-Identifier: MIT */
/* What `weft debug` gives gdb to read first. */
#ifndef WEFT_TOOLS_WEFT_DEBUG_SCRIPT_H
#define WEFT_TOOLS_WEFT_DEBUG_SCRIPT_H

extern const char debug_script[];

#endif
