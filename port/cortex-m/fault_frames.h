/* SPDX-License-Identifier: MIT */
/* The newest frame of a recording at a fault. Whatever the recording's sink is, weft_fault_handler puts what the
 * recorder still holds into a RAM ring that start-up does not clear, and ends the recording there:
 *
 *     WEFT_FAULT_FRAMES_DEF(4096);    // in one C file: two frame buffers, and 600 bytes
 *
 * `weft capture --from-memory` finds it in a memory dump, and `weft dump` prints back from the instruction that broke.
 * Where the fault came while the recorder was at work, an event may be lost: that is counted. What a sink has taken
 * before the fault, and the event that a probe was just writing, is not in the ring. */
#ifndef WEFT_PORT_FAULT_FRAMES_H
#define WEFT_PORT_FAULT_FRAMES_H

#include "port/cortex-m/sinks.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_fault_frames {
    weft_ram_ring *ring;
    size_t size;
    void (*keep)(weft_ram_ring *ring, size_t size);
} weft_fault_frames;

/* Defined by the program, through the macro below, if it needs this. */
extern const weft_fault_frames weft_fault_frames_here;

/* Ends the recording, into the ring. For the handler of a fault, which never returns to what it interrupted. */
void weft_fault_frames_keep(weft_ram_ring *ring, size_t size);

/* bytes: what ending a recording takes of the handler's stack; see tests/freestanding/stack.sh. A multiple of 8. */
#define WEFT_FAULT_FRAMES_STACK 2048u

#define WEFT_FAULT_FRAMES_DEF(bytes)                                                                                   \
    WEFT_RAM_RING_DEF(weft_fault_ring, bytes);                                                                         \
    __attribute__((weak)) uint64_t weft_fault_stack[WEFT_FAULT_FRAMES_STACK / 8];                                      \
    __attribute__((weak)) const uint32_t weft_fault_stack_bytes = WEFT_FAULT_FRAMES_STACK;                             \
    const weft_fault_frames weft_fault_frames_here = {&weft_fault_ring.ring, sizeof weft_fault_ring,                   \
                                                      weft_fault_frames_keep}

#ifdef __cplusplus
}
#endif

#endif
