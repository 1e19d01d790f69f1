/* SPDX-License-Identifier: MIT */
/* Where interrupts stand: where a handler starts, the recording says at which instruction the code stood that it
 * interrupted, where the processor stacked what the handler may change, and a byte of hash for each word of that
 * (core/FORMAT.md, section 5, `place` and `stacked`). So the run can be executed again (docs/RERUN.md).
 *
 *     weft_places();
 *     weft_start(&trace, &trace_config);
 *
 * The compiler plugin (handlers=GLOBS, which PLACES=1 asks for) calls __weft_handler first in each function of such a
 * name. What the processor stacked lies where the stack ended then, or on the other stack if EXC_RETURN says so. A
 * function that another one calls returns elsewhere than EXC_RETURN does: then nothing is recorded. A handler that
 * moves its stack pointer to align it (attribute interrupt) has its frame elsewhere, so it is not found, and no place
 * is recorded.
 *
 * A program that is compiled with probes=inputs also *counts*: where its loops begin again, and where its functions
 * begin, it adds 1 to a variable (tools/gcc/laps.cc). Then a place has that counter too, and the rest of the run need
 * not be recorded: whoever executes the program again with the same inputs comes to the same counts.
 *
 * A place is recorded in the long way, where events wait for the recorder's owner, too. Not with DELIVERY=ring. */
#ifndef WEFT_PORT_PLACES_H
#define WEFT_PORT_PLACES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Recordings that weft_start begins from now on have places. Those of a program that counts have them anyway. */
void weft_places(void);
/* Records the counter, so that a second execution that went another way is noticed here: in a main loop, say. weft_stop
 * does so. Nothing where the program does not count. Thread mode or a handler; some 500 instructions and 7 bytes. */
void weft_check(void);
/* Records `size` bytes of RAM that something else than the program has written: DMA, another core, a boot loader. Call
 * it where they have come, before the program uses them. 10 bytes and some 600 instructions for each word of RAM. */
void weft_input_memory(const volatile void *start, size_t size);
/* Records a check sum of `size` bytes of RAM, so that a second execution with others in its memory is noticed here. No
 * handler and no device may change them meanwhile. 10 bytes; 5 instructions per byte and some 500. */
void weft_check_memory(const volatile void *start, size_t size);
/* Both record nothing where the program does not count: the calls may stay in all builds. Thread mode or a handler. */

#ifdef __cplusplus
}
#endif

#endif
