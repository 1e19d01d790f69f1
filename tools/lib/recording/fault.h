/* SPDX-License-Identifier: MIT */
/* What was known at a fault (core/fault.h): out of a memory dump into a FAULT frame, and out of that frame. */
#ifndef WEFT_TOOLS_LIB_RECORDING_FAULT_H
#define WEFT_TOOLS_LIB_RECORDING_FAULT_H

#include <stdio.h>

#include "core/fault.h"
#include "core/frame.h"
#include "tools/lib/recording/container.h"

#define FAULT_STACK_MAX 4096u /* words */

typedef struct fault {
    weft_fault_head head;
    uint32_t stack_words; /* head.stack_words of them are known */
    const uint8_t *stack; /* little-endian words, in the bytes that it was read from */
    const uint8_t *bytes; /* of the whole record, from `version` on */
    size_t size;
} fault;

/* The first record in a memory image, from `from` on; `size` if there is none. */
size_t fault_find(fault *f, const uint8_t *image, size_t size, size_t from);

/* Writes its FAULT frame, in wire form. `like` gives sequence number, identity and run. False: errno says why. */
bool fault_write(const fault *f, const weft_frame *like, FILE *out);

/* The fault of the last FAULT frame of a container, in *buffer, as container_read. False: there is none. `recording`
 * may be NULL. */
bool fault_of(const container *file, fault *f, uint32_t *recording, uint8_t **buffer);

/* "BusFault: imprecise data access", "HardFault: undefined instruction": what the status registers say, as far as the
 * core has them. Cut at `size`. */
void fault_name(const fault *f, char *text, size_t size);
/* The address that could not be accessed. False: not known. */
bool fault_address(const fault *f, uint32_t *address);
uint32_t fault_stack_word(const fault *f, uint32_t index);

#endif
