/* SPDX-License-Identifier: MIT */
/* What the core does to memory when it enters an exception: it stacks r0-r3, r12, lr, the address to go back to and
 * xPSR. A recording has where; the words follow from the registers. One function serves the writer and the reader of a
 * trace. */
#ifndef WEFT_TOOLS_LIB_WET_CORE_H
#define WEFT_TOOLS_LIB_WET_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/lib/machine/decode.h"
#include "tools/lib/machine/thumb.h"

#define WET_XPSR_FLAGS 0xf80f0000u /* what the location of the flags holds of it */
#define WET_XPSR_THUMB 0x01000000u
#define WET_XPSR_ALIGNED 0x00000200u /* the frame left a word out */
#define WET_STACKED 8u
/* An extended frame has room for s0..s15, FPSCR and a reserved word after these: written late, or never. */
#define WET_STACKED_FLOAT_AT 0x20u
#define WET_STACKED_FLOAT_SIZE 0x48u
#define WET_EXC_RETURN_BASIC 0x10u  /* bit of EXC_RETURN: the frame is not extended */
#define WET_EXC_RETURN_SECURE 0x40u /* of ARMv8-M: secure code was interrupted; others have it set */
#define WET_XPSR_SFPA 0x00100000u   /* of ARMv8-M: secure code had used floats */

typedef struct wet_stacked {
    uint32_t words[WET_STACKED];
    uint8_t known; /* a bit for each */
} wet_stacked;

/* The EXC_RETURN of an entry says that secure code with floats was interrupted; `v8m`: the core is of ARMv8-M. The core
 * marks that in the stacked xPSR. */
static inline uint32_t wet_core_mark(bool v8m, uint32_t exc_return)
{
    return v8m && !(exc_return & WET_EXC_RETURN_BASIC) && exc_return & WET_EXC_RETURN_SECURE ? WET_XPSR_SFPA : 0;
}

/* `registers` and `known` (mask) are those before the entry, by location; `ipsr` the number of the exception, or 0,
 * that is interrupted; `resume` where it will go on (0: not known), with these bits of xPSR: IT, and
 * wet_core_mark. */
static inline wet_stacked wet_core_stack(const uint32_t *registers, uint64_t known, uint32_t ipsr, uint32_t frame,
                                         uint32_t resume, uint32_t more)
{
    static const uint8_t from[6] = {0, 1, 2, 3, 12, 14};
    wet_stacked s = {{0}, 0};
    for (unsigned i = 0; i < 6; i++) {
        s.words[i] = registers[from[i]];
        s.known |= (uint8_t)((known >> from[i] & 1) << i);
    }
    s.words[6] = resume;
    s.words[7] =
        (registers[THUMB_FLAGS] & WET_XPSR_FLAGS) | WET_XPSR_THUMB | (more & (THUMB_XPSR_IT | WET_XPSR_SFPA)) | ipsr;
    if ((registers[13] - frame) & 4)
        s.words[7] |= WET_XPSR_ALIGNED;
    if (resume) {
        s.known |= 1u << 6;
        if (known >> THUMB_FLAGS & known >> 13 & 1)
            s.known |= 1u << 7;
    }
    return s;
}

#endif
