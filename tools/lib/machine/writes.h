/* SPDX-License-Identifier: MIT */
/* Which registers a Thumb instruction writes (ARMv6-M, v7-M, v8-M with floating point and vectors), and nothing else
 * about it.
 *
 * Why a second decoder next to decode.h: the emulator plugin asks at each translation, inside the emulator, where no
 * disassembler is linked. And of an instruction that capstone does not know, what it writes is known still. */
#ifndef WEFT_TOOLS_LIB_MACHINE_WRITES_H
#define WEFT_TOOLS_LIB_MACHINE_WRITES_H

#include <stdbool.h>
#include <stdint.h>

/* Mask of FULL_... bits (tools/lib/recording/full.h). `in_it`: inside an IT block, where 16-bit arithmetic leaves the
 * flags. */
uint64_t thumb_writes(uint16_t first, uint16_t second, bool in_it);

#endif
