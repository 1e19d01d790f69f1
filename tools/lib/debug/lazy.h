/* SPDX-License-Identifier: MIT */
/* Where the core leaves room for floating point registers in the frame of an exception, it fills that at the first
 * floating point instruction that follows, or never. gdb goes through such a frame only with what FPCCR and FPCAR say
 * of it. Programs rarely read these, so they follow from the run: FPCAR, and of FPCCR the bits ASPEN, LSPEN and LSPACT.
 * Its other bits are 0 where nothing read or wrote them. Neither is known before the first such frame. */
#ifndef WEFT_TOOLS_LIB_DEBUG_LAZY_H
#define WEFT_TOOLS_LIB_DEBUG_LAZY_H

#include "tools/lib/debug/run.h"

/* As debug_run_memory, with these two. */
size_t debug_lazy_memory(debug_run *r, debug_instant at, uint32_t address, uint8_t *bytes, size_t size);

#endif
