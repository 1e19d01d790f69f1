/* SPDX-License-Identifier: MIT */
/* Addresses as sums of SSA names (weft_gcc.h), for the files that derive them. */
#ifndef WEFT_TOOLS_GCC_SUMS_H
#define WEFT_TOOLS_GCC_SUMS_H

#include "tools/gcc/weft_gcc.h"

/* They differ by the constant and the symbol. */
bool same_terms(const address_sum &a, const address_sum &b);
/* The SSA name that a term depends on: itself, or what it converts; or NULL. */
tree name_in_term(tree value);
/* What a term, or the terms of a sum, are where an edge begins, in terms of what its target's phi nodes take there. Not
 * known: it is not such a sum, or has a symbol. */
tree term_before(tree value, edge e);
address_sum sum_before(const address_sum &sum, edge e);
/* What sum_of remembers, when the routine's statements change. */
void forget_sums();

#endif
