/* SPDX-License-Identifier: MIT */
/* What announces accesses: of statements (access.cc), and of calls that move blocks (transfers.cc). */
#ifndef WEFT_TOOLS_GCC_ACCESS_H
#define WEFT_TOOLS_GCC_ACCESS_H

#include "tools/gcc/weft_gcc.h"

/* Before a statement, the probe of one access to `size` bytes (0: a probe of a length came before) at `address`.
 * flags: DESCRIPTOR_SITE_... */
void announce_address(routine &r, gimple_stmt_iterator *at, tree address, uint64_t size, unsigned flags,
                      std::string text);
/* Before a call of a built-in function: what memcpy, strcpy and their kin read and write, one event for each block. */
void announce_blocks(routine &r, gimple_stmt_iterator *at, gcall *call);

#endif
