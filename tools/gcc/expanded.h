/* SPDX-License-Identifier: MIT */
/* What expansion made of accesses that are announced. */
#ifndef WEFT_TOOLS_GCC_EXPANDED_H
#define WEFT_TOOLS_GCC_EXPANDED_H

#include "tools/gcc/weft_gcc.h"

/* Whether it is a literal, or another object whose bytes the compiler knows; the address of such a one. */
bool is_constant_object(tree object);
bool is_constant_address(tree pointer);
/* When all probes are there, if a site has `made_by`: the routine is described when it is expanded, and freed then. */
bool wait_for_expansion(const routine &r);
/* Whether the function waits for it. */
bool is_waiting(const function *fun);
/* Right after the expansion of a function that waits. */
void describe_expanded();
/* Then no later pass changes an access of the program. */
void make_accesses_volatile();

#endif
