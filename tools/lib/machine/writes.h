/* SPDX-License-Identifier: MIT */
/* What a Thumb instruction writes (ARMv6-M, v7-M, v8-M with the floating point extension). */
#ifndef WEFT_TOOLS_LIB_MACHINE_WRITES_H
#define WEFT_TOOLS_LIB_MACHINE_WRITES_H

#include <stdbool.h>
#include <stdint.h>

/* Mask of FULL_... bits (tools/lib/recording/full.h). `in_it`: inside an IT block, where 16-bit arithmetic leaves the flags. */
uint64_t decode_writes(uint16_t first, uint16_t second, bool in_it);

/* True if the first halfword begins a 32-bit instruction. */
static inline bool decode_is_wide(uint16_t first)
{
    return first >= 0xe800;
}

/* The conditions that an IT instruction gives the next instructions: their number, 1..4; 0 if it is no IT. */
int decode_it(uint16_t first, uint8_t conditions[4]);

/* STREX in any width: the emulator also loads, to compare; the core does not. */
bool decode_is_store_exclusive(uint16_t first, uint16_t second);

/* True if N Z C V (bits 31..28) satisfy an ARM condition code. */
bool decode_holds(uint8_t condition, uint32_t nzcv);

#endif
