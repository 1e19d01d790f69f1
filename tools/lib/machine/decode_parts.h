/* SPDX-License-Identifier: MIT */
/* What the two halves of the decoder share (decode.c: what an instruction reads, where it goes, its memory;
 * decode_form.c: what it computes). */
#ifndef WEFT_TOOLS_LIB_MACHINE_DECODE_PARTS_H
#define WEFT_TOOLS_LIB_MACHINE_DECODE_PARTS_H

#include <capstone/capstone.h>

#include "tools/lib/machine/thumb_insn.h"

/* A register of the core by capstone's number; THUMB_NONE: it is another one. */
static inline uint8_t thumb_register_of(unsigned reg)
{
    if (reg >= ARM_REG_R0 && reg <= ARM_REG_R12)
        return (uint8_t)(reg - ARM_REG_R0);
    switch (reg) {
    case ARM_REG_SP:
        return 13;
    case ARM_REG_LR:
        return 14;
    case ARM_REG_PC:
        return THUMB_PC;
    default:
        return THUMB_NONE;
    }
}

/* Form and operands of an instruction, by capstone's number and details. */
void thumb_decode_form(thumb_insn *insn, unsigned id, const cs_arm *arm);

#endif
