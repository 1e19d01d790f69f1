/* SPDX-License-Identifier: MIT */
/* The room `loops`: symbols <-> loop nests.
 *
 * In:   a sequence of 32-bit symbols; the bytes of a nest that was written before.
 * Out:  its nest (nest.h), by one of four methods: the optimal one (optimal.h), the greedy and the near-optimal one
 *       (greedy.h), or the one that the target's detector finds (window.h). A nest becomes text, a tree of loops with
 *       their shares, or bytes and a file, and it gives its sequence back.
 *
 * Every nest expands to exactly the sequence that it was made from. Bytes that are read may be hostile: they are
 * refused, or they are a nest that the writer could have written. */
#ifndef WEFT_TOOLS_LIB_LOOPS_ROOM_H
#define WEFT_TOOLS_LIB_LOOPS_ROOM_H

#include "tools/lib/loops/binary.h"
#include "tools/lib/loops/file.h"
#include "tools/lib/loops/greedy.h"
#include "tools/lib/loops/nest.h"
#include "tools/lib/loops/optimal.h"
#include "tools/lib/loops/text.h"
#include "tools/lib/loops/tree.h"
#include "tools/lib/loops/window.h"

#endif
