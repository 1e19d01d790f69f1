/* SPDX-License-Identifier: MIT */
/* Location expressions of debug information, as far as compilers for this architecture write them. Private to the
 * room. */
#ifndef WEFT_TOOLS_LIB_DEBUG_LOCATION_H
#define WEFT_TOOLS_LIB_DEBUG_LOCATION_H

#include "tools/lib/debug/names.h"

typedef struct location {
    enum { LOCATION_MEMORY, LOCATION_REGISTER, LOCATION_VALUE } kind;
    uint32_t value; /* the address, the number of the register, the value itself */
} location;

/* False: the location is not known: an operation that is not understood, or a register or word that is not. */
bool location_evaluate(const debug_view *v, const Dwarf_Op *ops, size_t count, location *l);

#endif
