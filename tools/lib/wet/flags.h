/* SPDX-License-Identifier: MIT */
/* Which flags an operation of a node reads and sets, as masks of tools/lib/machine/flags.h. In a file the flags are one
 * location; slices and why tell them apart. */
#ifndef WEFT_TOOLS_LIB_WET_FLAGS_H
#define WEFT_TOOLS_LIB_WET_FLAGS_H

#include "tools/lib/machine/flags.h"
#include "tools/lib/wet/file.h"

/* What it depends on, and what it defines; 0: none. */
unsigned wet_flags_read(const wet_file *f, const wet_node *n, uint32_t operation);
unsigned wet_flags_set(const wet_file *f, const wet_node *n, uint32_t operation);

/* Where a use leads; producer 0: nowhere. */
wet_origin wet_use_origin(wet_file *f, uint32_t node, const wet_use *use, uint32_t instance);
#define WET_FLAGS_BACK 1000000u /* instructions that leave a flag, after which what set it is not looked for */

/* What set the flags that an operation's execution read: at most one origin per flag. Returns how many. `more`: a flag
 * may have been set before what the edges lead to, as Q and GE before an instruction that sets N, Z, C and V. */
uint32_t wet_flags_origins(wet_file *f, uint32_t node, uint32_t operation, uint32_t instance,
                           wet_origin origins[THUMB_FLAG_KINDS], bool *more);

#endif
