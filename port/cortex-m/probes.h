/* SPDX-License-Identifier: MIT */
/* The entry points that the compiler plugin calls (probes_paths.c, probes_accesses.c, probes_loops.c, probes_packs.c,
 * probes_values.c, probes_kpath.c, string_sizes.c). Each may be called in any context, interrupt handlers included, and
 * records nothing before weft_start and after weft_stop. */
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

/* Paths, sites and blocks are global numbers. What cannot be recorded is counted as lost. */

/* A path has ended. */
WEFT_PROBE void __weft_path(uint32_t path);
/* A site is about to access the address. */
WEFT_PROBE void __weft_access(uint32_t site, const volatile void *address);
/* A site has loaded or stored a value of up to 32 bits, whose upper bits are 0. */
WEFT_PROBE void __weft_value(uint32_t site, uint32_t value);
/* The same, of up to 64 bits. */
WEFT_PROBE void __weft_value64(uint32_t site, uint64_t value);

/* A loop of one path is left, after `count` passes: records the path `first`, then `rest` for the others. Returns what
 * the path register then holds: `after`, or first + after - rest if there was no pass. */
WEFT_PROBE uint32_t __weft_loop(uint32_t first, uint32_t rest, uint32_t after, uint32_t count);
/* The same where a path ends right after the loop: records that number as a path too, and returns nothing. */
WEFT_PROBE void __weft_loop_path(uint32_t first, uint32_t rest, uint32_t after, uint32_t count);

/* Several paths of one activation have ended: the function's pack number, and the word that says which
 * (core/recorder_packs.h). */
WEFT_PROBE void __weft_packed(uint32_t number, uint32_t word);
/* The same where the function goes on with other paths at once, since the word is full: a function of its own, so that
 * the host can tell the places apart. */
WEFT_PROBE void __weft_packed_full(uint32_t number, uint32_t word);

/* Before a call of a string function: the bytes that it will read or write (string_sizes.c). */

/* Of a string with the zero at its end, `limit` at most. */
WEFT_PROBE uint32_t __weft_string(const char *string, uint32_t limit);
/* What strncat stores of it: `limit` bytes at most, and a zero. */
WEFT_PROBE uint32_t __weft_appended(const char *string, uint32_t limit);
/* Up to and with the first such byte, or the zero at the end. */
WEFT_PROBE uint32_t __weft_string_until(const char *string, int byte);
/* The same, without an end at a zero: `limit` at most. */
WEFT_PROBE uint32_t __weft_bytes_until(const void *bytes, int byte, uint32_t limit);
/* Up to and with the first that differs, or the zero at the end of both; `limit` at most. */
WEFT_PROBE uint32_t __weft_same_string(const char *one, const char *other, uint32_t limit);
/* The same, without an end at a zero. */
WEFT_PROBE uint32_t __weft_same_bytes(const void *one, const void *other, uint32_t limit);

/* Builds with a k-slab forest. If paths are recorded as well, with direct delivery only: an activation may end before a
 * ring is drained. */

/* A path has ended, and the activation goes on. `activation` is its state in the forest, on its stack. */
WEFT_PROBE void __weft_kpath(uint32_t path, uint32_t activation[4]);
/* The last path of the activation has ended. */
WEFT_PROBE void __weft_kpath_exit(uint32_t path, uint32_t activation[4]);

/* Oracle builds only: empty functions that the emulator watches. */

/* A block begins. */
WEFT_PROBE void __weft_mark(uint32_t block);
/* A site whose address is derived accesses this address. */
WEFT_PROBE void __weft_derived(uint32_t site, const volatile void *address);

/* With probes=inputs: a volatile load of at most a word, and what it gave. */
WEFT_PROBE void __weft_input(const void *address, uint32_t value);
/* Up to 4 bytes of memory, within a word, that something else wrote (weft_input_memory). */
WEFT_PROBE void __weft_input_piece(const volatile void *start, uint32_t size);

/* First in a function that may be an exception's handler: where its caller's stack ends, and where it returns. Records
 * where what it interrupted stood (port/cortex-m/places.h). */
WEFT_PROBE void __weft_handler(const void *stack, const void *back);

/* Background work: records the events that wait in the ring. Call it from the idle loop or a timer's thread, at any
 * time. True: no event is left. False: call again later, since events came meanwhile, or the caller has interrupted the
 * owner (port/cortex-m/delivery.h), before whose end no more can be recorded. */
bool weft_poll(void);
/* Names an interrupt whose handler calls weft_poll: from now on what takes long is done there. So a thread that is
 * switched away holds nobody up; and a thread with a stack of its own (process stack) needs 200 bytes of it for the
 * probes, not what core/recorder.h says: the handlers' stack needs that. If such a thread masks interrupts until the
 * ring of waiting events is full, what comes then is lost, and counted. The interrupt must be enabled, at the lowest
 * priority, or that of the scheduler's PendSV at most. */
void weft_poll_in(unsigned irq);

#ifdef __cplusplus
}
#endif

#endif
