/* SPDX-License-Identifier: MIT */
/* Which loads expansion may make of constants in the code. */
#ifndef WEFT_TOOLS_GCC_EXPANDED_H
#define WEFT_TOOLS_GCC_EXPANDED_H

#include "tools/gcc/weft_gcc.h"

/* Whether it is a literal, or another object whose bytes the compiler knows; the address of such a one. */
bool is_constant_object(tree object);
bool is_constant_address(tree pointer);
/* The site announces that `stmt` loads `from`: of a constant, it may make no load. */
void note_constant(site &s, tree from, gimple *stmt);

#endif
