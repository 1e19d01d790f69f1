/* SPDX-License-Identifier: MIT */
/* The black box of a Cortex-M: the last paths in RAM (core/blackbox.h). Compile the firmware with the plugin's
 * probes=last; link core/, port/cortex-m/, and probes_last.c, or the compressed probes_last_packed.c. With 65,534 paths
 * or more in the image, probes_last.c needs WEFT_BLACKBOX_WIDE=1. No recorder and no sink. Then:
 *
 *     WEFT_BLACKBOX_DEF(4096);          at file scope: the last 2047 paths, in .noinit
 *     ...
 *     weft_blackbox_start();            first thing in main
 *
 * weft_fault_handler (port/cortex-m/fault.h) holds the ring where the program breaks. `weft capture --from-memory`
 * reads it out of a memory dump. Probes may run in privileged code, and in handlers other than those of NMI and
 * HardFault: a push masks interrupts for about ten instructions. What runs before the start is not kept. */
#ifndef WEFT_PORT_BLACKBOX_H
#define WEFT_PORT_BLACKBOX_H

#include "port/cortex-m/blackbox_ram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Defines weft_blackbox_ram, at file scope. `entries_size`: bytes of the entries, a power of two from 16 up; the head
 * takes 48. An entry takes 2 bytes, or 4 in a wide box; the oldest one is not read. */
#define WEFT_BLACKBOX_DEF(entries_size)                                                                                \
    uint32_t weft_blackbox_ram[(sizeof(weft_blackbox) + (entries_size)) / 4] __attribute__((section(".noinit")));      \
    const size_t weft_blackbox_bytes = sizeof weft_blackbox_ram

/* Begins, or goes on after a reset: says what it found. While the ring is held (by weft_fault_handler, or by
 * weft_blackbox_keep) nothing is recorded, until weft_blackbox_forget or weft_blackbox_go. */
weft_blackbox_found weft_blackbox_start(void);
/* Keeps what the ring holds, from any context, and a check sum of it: a reader finds out what changed in memory since,
 * or on the way. Some 15 instructions per byte, few of them with interrupts masked. Returns how many paths and marks
 * were ever pushed. */
uint32_t weft_blackbox_keep(void);
/* Goes on after what was held. */
void weft_blackbox_go(void);
/* Starts again, when what was held has been read. No other call of these may come in between. */
void weft_blackbox_forget(void);

#ifdef __cplusplus
}
#endif

#endif
