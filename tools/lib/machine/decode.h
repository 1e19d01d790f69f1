/* SPDX-License-Identifier: MIT */
/* What a Thumb instruction (ARMv6-M, v7-M, v8-M and v8.1-M, with the floating point extension, without vectors) reads,
 * where it goes next, which memory it touches, and what it computes; decoded with capstone. Locations are numbered as
 * in tools/lib/recording/full.h: r0..r14 are bits 0..14 of a mask, the flags bit 15, FPSCR bit 16, s0..s31 bits
 * 32..63. */
#ifndef WEFT_TOOLS_LIB_MACHINE_DECODE_H
#define WEFT_TOOLS_LIB_MACHINE_DECODE_H

#include <stddef.h>

#include "tools/lib/machine/thumb.h"
#include "tools/lib/machine/thumb_insn.h"

/* Decodes one instruction; `condition` is what an IT block gives it. False: it is `unknown`, as vectors are, and the
 * fields then say: reads and computes nothing. It goes on, if no target is known. */
bool thumb_decode(thumb_insn *insn, uint32_t pc, const uint8_t *bytes, unsigned size, unsigned condition);
/* The same, as this room decoded when it knew ARMv7-M only (THUMB_V7). Files that were written then depend on it. */
bool thumb_decode_as(thumb_insn *insn, thumb_architecture as, uint32_t pc, const uint8_t *bytes, unsigned size,
                     unsigned condition);

/* Frees what decoding keeps for the calling thread, which may go on. A thread that ends calls it last. */
void thumb_decode_end(void);

/* Its text, as "add.w r1, r2, r3"; with its condition. */
void thumb_text(const thumb_insn *insn, char *text, size_t size);

/* Register values by number; [THUMB_FLAGS] is the APSR. */
typedef struct thumb_state {
    uint32_t r[17];
} thumb_state;

/* The address of the first access. False: this form of address is not known here. */
bool thumb_address(const thumb_insn *insn, const thumb_state *state, uint32_t *address);
/* The value that location `loc` gets. False: not computed here (loads, opaque instructions). */
bool thumb_compute(const thumb_insn *insn, const thumb_state *state, unsigned loc, uint32_t *value);
/* What thumb_compute reads to find `loc`: a subset of `reads`, and the flags where some of them stay as they are. */
uint64_t thumb_compute_reads(const thumb_insn *insn, unsigned loc);

#endif
