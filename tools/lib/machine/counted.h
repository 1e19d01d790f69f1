/* SPDX-License-Identifier: MIT */
/* Loops of one path in machine code: they have no path probe, and a call of __weft_loop where they are left records
 * their passes (tools/gcc/loops.cc).
 *
 *          |
 *          v
 *     +-> head ... exit ...... latch --+       Such a loop is a strongly connected component of the graph without path
 *     |              |           |     |       probes, from which such a call is reached. Its head is the only step of
 *     +--------------|-----------|-----+       it that steps outside lead to. A call within it records some of the
 *                    v           v             passes of a loop that may be very long.
 *                  bl __weft_loop
 */
#ifndef WEFT_TOOLS_LIB_MACHINE_COUNTED_H
#define WEFT_TOOLS_LIB_MACHINE_COUNTED_H

#include "tools/lib/machine/routine.h"

/* Sets `counted` of their heads, and `within` of calls within them; the ways and the calls are known. `r->known`
 * becomes false if such a loop has several heads. */
void counted_find(routine *r);

#endif
