/* SPDX-License-Identifier: MIT */
/* The paths of an execution (execution.h), for recordings that know each instruction and no descriptors.
 *
 * A path is what an activation executes from its entry, or from after a jump backward, up to the next jump backward or
 * to its end. What it calls, and what interrupts it, does not stand in it. So a path is acyclic, as those of Ball &
 * Larus (1996), and it goes on across calls, as those of probes do. A path that is not over when the recording ends is
 * not counted, as with probes.
 *
 *     while (i < n) {           the first path: entry, condition, one pass
 *         if (a[i]) f(i);       then one path per pass, of two kinds; f's paths are f's
 *         i++;
 *     }                         the last path: condition, return
 *
 * Paths are numbered 0, 1, 2, ... in the order in which they end for the first time. Memory grows with the number of
 * different paths, not with the run. */
#ifndef WEFT_TOOLS_LIB_PROFILE_EXECUTED_PATHS_H
#define WEFT_TOOLS_LIB_PROFILE_EXECUTED_PATHS_H

#include "tools/lib/image/places.h"
#include "tools/lib/profile/execution.h"

typedef struct executed_paths executed_paths;

/* Takes a path that ended, in a context. `place` is the taker's, of the activation: 0 at its entry. */
typedef void executed_path_taker(void *own, uint32_t context, uint32_t path, uint32_t *place);

/* Listens to an execution, which outlives it. */
executed_paths *executed_paths_new(execution *run, executed_path_taker *taker, void *own);
void executed_paths_free(executed_paths *all);

/* The name of the function that a path is of. */
const char *executed_paths_function(const executed_paths *all, uint32_t path);
/* Its instructions, those included whose condition did not hold. */
uint64_t executed_paths_cost(const executed_paths *all, uint32_t path);
/* Bytes of memory that they take. */
uint64_t executed_paths_bytes(const executed_paths *all);
/* Where they lie. The result is good as long as `all`. */
path_places executed_paths_places(executed_paths *all);

#endif
