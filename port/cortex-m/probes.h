/* SPDX-License-Identifier: MIT */
/* The entry points that the compiler plugin calls, defined by probes_*.c. Each may be called in any context, interrupt
 * handlers included, and does nothing before weft_start and after weft_stop. */
#ifndef WEFT_PORT_PROBES_H
#define WEFT_PORT_PROBES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called by code that only the link makes (-flto), so the compiler must keep them. */
#define WEFT_PROBE __attribute__((used))

WEFT_PROBE void __weft_path(uint32_t path);
WEFT_PROBE void __weft_access(uint32_t site, const volatile void *address);
WEFT_PROBE void __weft_value(uint32_t site, uint32_t value);
WEFT_PROBE void __weft_value64(uint32_t site, uint64_t value);

/* Builds with a k-slab forest, and direct delivery only: an activation may end before a ring is drained. */
WEFT_PROBE void __weft_kpath(uint32_t path, uint32_t activation[4]);
WEFT_PROBE void __weft_kpath_exit(uint32_t path, uint32_t activation[4]);

/* Oracle builds only: empty functions that the emulator watches. */
WEFT_PROBE void __weft_mark(uint32_t block);
WEFT_PROBE void __weft_derived(uint32_t site, const volatile void *address);

/* Background work: with probes_ring.c, records the events in the ring; with probes_direct.c nothing is waiting. Call it
 * from the idle loop or a timer's thread, at any time. True: no event is left. False: call again later, since events
 * came meanwhile, or the caller has interrupted a probe or another call, before whose end no more can be recorded. */
bool weft_poll(void);

/* ---- for weft_target.c, in its critical section ---- */

/* Forgets what probes left after weft_stop. WEFT_AGAIN: the caller has interrupted a probe. */
weft_status weft_probes_begin(void);
/* weft_poll for a caller that never returns to what it interrupted: an event that was being appended is counted as
 * lost. False: it interrupted weft_poll, and nothing was done. */
bool weft_probes_abandon(void);

#ifdef __cplusplus
}
#endif

#endif
