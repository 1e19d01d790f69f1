/* SPDX-License-Identifier: MIT */
/* What announces accesses: of statements (access.cc), and of calls that move blocks (transfers.cc). */
#ifndef WEFT_TOOLS_GCC_ACCESS_H
#define WEFT_TOOLS_GCC_ACCESS_H

#include "tools/gcc/weft_gcc.h"

/* Before a statement, the probe of one access to `size` bytes (0: a probe of a length came before) at `address`.
 * flags: DESCRIPTOR_SITE_... */
void announce_address(routine &r, gimple_stmt_iterator *at, tree address, uint64_t size, unsigned flags,
                      std::string text);
/* After what a statement announces, from site `first` on: a base site that says which function it calls, if it is
 * expanded to a call. One with probes announces its accesses itself. Nothing if there is no such site. */
void announce_callee(routine &r, gimple_stmt_iterator *at, size_t first);
/* Before a call of a built-in function: what memcpy, strcpy and their kin read and write, one event for each block. */
void announce_blocks(routine &r, gimple_stmt_iterator *at, gcall *call);

#endif
