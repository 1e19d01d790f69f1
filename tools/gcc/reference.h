/* SPDX-License-Identifier: MIT */
/* References to memory in GIMPLE: are they one, of which kind, where. */
#ifndef WEFT_TOOLS_GCC_REFERENCE_H
#define WEFT_TOOLS_GCC_REFERENCE_H

#include "tools/gcc/weft_gcc.h"

/* Is `ref` memory, and not a register, a constant or a part of these? */
bool is_memory(tree ref);
/* DESCRIPTOR_SITE_... that follow from its type and object. */
unsigned flags_of(tree ref);
/* The address of its first byte, and how many bytes (0: not constant). Of a bit-field: of the bytes that hold it. */
tree address_of(tree ref, uint64_t &size);

#endif
