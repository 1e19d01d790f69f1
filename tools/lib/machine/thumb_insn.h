/* SPDX-License-Identifier: MIT */
/* A decoded Thumb instruction: what decode.h fills in. */
#ifndef WEFT_TOOLS_LIB_MACHINE_THUMB_INSN_H
#define WEFT_TOOLS_LIB_MACHINE_THUMB_INSN_H

#include <stdbool.h>
#include <stdint.h>

#define THUMB_FLAGS 15u
#define THUMB_NONE 0xffu /* no register */
#define THUMB_PC 16u     /* as a register of the operand fields below only */

/* By which manual instructions are decoded. */
typedef enum thumb_architecture { THUMB_V7, THUMB_V8 } thumb_architecture;

typedef enum thumb_flow {
    THUMB_NEXT,          /* goes on with the next instruction */
    THUMB_BRANCH,        /* to `target`; or to the next one, if `falls` */
    THUMB_CALL,          /* bl: to `target`, and comes back to the next instruction */
    THUMB_CALL_INDIRECT, /* blx */
    THUMB_SWITCH,        /* tbb, tbh, or another write of the pc: targets are known from the run only */
    THUMB_RETURN,        /* bx, pop {pc} and the like: leaves the procedure */
} thumb_flow;

/* How an instruction's result follows from what it reads. */
typedef enum thumb_form {
    THUMB_OPAQUE, /* not known here */
    THUMB_MOV,
    THUMB_MVN,
    THUMB_ADD,
    THUMB_ADC,
    THUMB_SUB,
    THUMB_SBC,
    THUMB_RSB,
    THUMB_AND,
    THUMB_ORR,
    THUMB_ORN,
    THUMB_EOR,
    THUMB_BIC,
    THUMB_LSL,
    THUMB_LSR,
    THUMB_ASR,
    THUMB_ROR,
    THUMB_CMP,
    THUMB_CMN,
    THUMB_TST,
    THUMB_TEQ,
    THUMB_MUL,
    THUMB_MLA,
    THUMB_MLS,
    THUMB_UMULL,
    THUMB_SMULL,
    THUMB_UDIV,
    THUMB_SDIV,
    THUMB_UXTB,
    THUMB_UXTH,
    THUMB_SXTB,
    THUMB_SXTH,
    THUMB_UBFX,
    THUMB_SBFX,
    THUMB_BFI,
    THUMB_BFC,
    THUMB_CLZ,
    THUMB_REV,
    THUMB_REV16,
    THUMB_RBIT,
    THUMB_MOVT,
    THUMB_ADR,
    THUMB_LINK,
} thumb_form;

typedef enum thumb_memory { THUMB_NO_MEMORY, THUMB_LOAD, THUMB_STORE } thumb_memory;

typedef struct thumb_insn {
    uint32_t pc;
    uint8_t size, bytes[4], condition;
    bool unknown; /* what it reads and computes is not known (decode.h) */
    uint8_t flow; /* thumb_flow */
    bool falls;   /* may go on with the next instruction (not a call's return) */
    uint32_t target;
    uint64_t reads; /* all locations that it reads when it executes, the flags of its condition included */

    uint8_t memory; /* thumb_memory */
    bool multiple;  /* push, pop, ldm, stm, ldrd, strd: one access a register of `list` */
    bool post;      /* the address is the base alone */
    bool writeback; /* base += delta */
    uint8_t base, index, shift, access_size, sign; /* size of each access; loads: 1 = sign extended */
    int32_t offset, delta;
    uint64_t list;   /* registers loaded or stored (multiple), else the one; with no access_size, of stores only */
    uint8_t data[2]; /* ldrd, strd: in order of the accesses; THUMB_NONE: take `list` in ascending order */

    uint8_t form;                         /* thumb_form */
    uint8_t rd, rd2, rn, rm, ra;          /* operands; rm THUMB_NONE: imm */
    uint8_t shift_kind, shift_amount, rs; /* of rm, as capstone's arm_shifter; rs: amount in a register */
    uint32_t imm, width;
} thumb_insn;

#endif
