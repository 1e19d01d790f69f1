/* SPDX-License-Identifier: MIT */
/* Nests that are found from the inside (Xu, Subhlok & Hammen): the shortest repeats are replaced by loops first.
 *
 *     abaababaabaab      aa is replaced first: ab(a)^2bab(a)^2b(a)^2b      then the next shortest repeat, ba(a)^2 ...:
 *                        ab(a)^2ba(b(a)^2)^2b */
#ifndef WEFT_TOOLS_LIB_LOOPS_GREEDY_H
#define WEFT_TOOLS_LIB_LOOPS_GREEDY_H

#include "tools/lib/loops/nest.h"

/* `symbols` may have any values; `size` is at most NEST_SIZE_MAX. Free the nests with nest_free. */

/* Greedy (section V, figure 1): replace the shortest repeats, then search again from the start. */
nest *nest_greedy(const uint32_t *symbols, size_t size);
/* Near-optimal (section VII): as greedy, but loops of 3 or fewer iterations wait until no other is left, and a body
 * that is a rotation of a known body is rotated to it. */
nest *nest_near_optimal(const uint32_t *symbols, size_t size);

#endif
