/* SPDX-License-Identifier: MIT */
/* Where the core leaves room for floating point registers in the frame of an exception, it fills that at the first
 * floating point instruction that follows, or never. gdb goes through such a frame only with what FPCCR and FPCAR say
 * of it. Programs rarely read these, so they follow from the run: FPCAR, and of FPCCR the bits ASPEN, LSPEN and LSPACT.
 * Its other bits are 0 where nothing read or wrote them. */
#ifndef WEFT_TOOLS_LIB_DEBUG_LAZY_H
#define WEFT_TOOLS_LIB_DEBUG_LAZY_H

#include "tools/lib/debug/run.h"

#define LAZY_FPCCR 0xe000ef34u
#define LAZY_FPCAR 0xe000ef38u

/* The word at one of the two addresses. `accessed`: what the program read or wrote there last; NULL: nothing. False:
 * not known; no frame of the run has had such room yet. */
bool debug_lazy_word(debug_run *r, debug_instant at, uint32_t address, const uint32_t *accessed, uint32_t *value);

#endif
