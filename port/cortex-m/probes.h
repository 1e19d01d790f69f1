/* SPDX-License-Identifier: MIT */
/* The entry points that the compiler plugin calls, defined by probes_*.c. Each may be called in any context, interrupt
 * handlers included, and does nothing before weft_start and after weft_stop. */
#ifndef WEFT_PORT_PROBES_H
#define WEFT_PORT_PROBES_H

#include <stdbool.h>
#include <stdint.h>

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
 * from the idle loop or a timer's thread, at any time. A call during a call does nothing and returns false. */
bool weft_poll(void);

#endif
