/* SPDX-License-Identifier: MIT */
/* What the parts of the decoder share (decode_reads.c: what an instruction reads; decode.c: where it goes, its memory;
 * decode_form.c: what it computes). */
#ifndef WEFT_TOOLS_LIB_MACHINE_DECODE_PARTS_H
#define WEFT_TOOLS_LIB_MACHINE_DECODE_PARTS_H

#include <capstone/capstone.h>

#include "tools/lib/machine/thumb_insn.h"

#define THUMB_BIT(n) (UINT64_C(1) << (n))

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

/* The location of a register by capstone's number, as a mask; 0: none. */
uint64_t thumb_mask_of(unsigned reg);
bool thumb_is_store(unsigned id);
bool thumb_is_load(unsigned id);
bool thumb_is_float_select(unsigned id); /* vsel */
/* The locations that it reads, without those that its condition reads. */
uint64_t thumb_reads_of(unsigned id, const cs_arm *arm, thumb_architecture as);
/* Capstone's number of an instruction as version 4 gives it: version 5 has numbers of their own for some forms. */
unsigned thumb_capstone_id(unsigned id);

/* Form and operands of an instruction, by capstone's number and details. */
void thumb_decode_form(thumb_insn *insn, unsigned id, const cs_arm *arm);

#endif
