/* SPDX-License-Identifier: MIT */
/* The RAM ring of port/cortex-m/sinks.h as a debugger finds it: its head, then its bytes. */
#ifndef WEFT_TOOLS_LIB_RECORDING_RING_H
#define WEFT_TOOLS_LIB_RECORDING_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define RAM_RING_HEAD 24u        /* bytes */
#define RAM_RING_MAX (64u << 20) /* no ring is larger */

typedef struct ram_ring {
    uint32_t size;
    uint32_t start, end; /* of the oldest byte, and after the newest */
} ram_ring;

/* Whether these RAM_RING_HEAD bytes are the head of a ring. */
bool ram_ring_read(ram_ring *ring, const uint8_t *head);
/* Where the first ring's head is in a memory image, from `from` on; `size` if there is none. */
size_t ram_ring_find(ram_ring *ring, const uint8_t *image, size_t size, size_t from);
/* Writes its frames, oldest first, as a container. `bytes` are those after the head; `there` of them are known, since a
 * dump may be cut. False: errno says why. */
bool ram_ring_write(const ram_ring *ring, const uint8_t *bytes, size_t there, FILE *out);

#endif
