/* SPDX-License-Identifier: MIT */
#include <capstone/capstone.h>

#include "core/base.h"
#include "tools/lib/machine/decode_parts.h"

/* ---- registers ---- */

uint64_t thumb_mask_of(unsigned reg)
{
    uint8_t r = thumb_register_of(reg);
    if (r < THUMB_PC)
        return THUMB_BIT(r);
    if (reg >= ARM_REG_S0 && reg <= ARM_REG_S31)
        return THUMB_BIT(32 + reg - ARM_REG_S0);
    if (reg >= ARM_REG_D0 && reg <= ARM_REG_D15)
        return UINT64_C(3) << (32 + 2 * (reg - ARM_REG_D0));
    if (reg == ARM_REG_FPSCR || reg == ARM_REG_FPSCR_NZCV)
        return THUMB_BIT(16);
    if (reg == ARM_REG_APSR || reg == ARM_REG_APSR_NZCV || reg == ARM_REG_CPSR)
        return THUMB_BIT(THUMB_FLAGS);
    return 0;
}

/* ---- what is read ---- */

bool thumb_is_store(unsigned id)
{
    switch (id) {
    case ARM_INS_STR:
    case ARM_INS_STRB:
    case ARM_INS_STRH:
    case ARM_INS_STRD:
    case ARM_INS_STRT:
    case ARM_INS_STRBT:
    case ARM_INS_STRHT:
    case ARM_INS_STM:
    case ARM_INS_STMDB:
    case ARM_INS_PUSH:
    case ARM_INS_VSTR:
    case ARM_INS_VSTMIA:
    case ARM_INS_VSTMDB:
    case ARM_INS_VPUSH:
    case ARM_INS_STREX:
    case ARM_INS_STREXB:
    case ARM_INS_STREXH:
    case ARM_INS_STL:
    case ARM_INS_STLB:
    case ARM_INS_STLH:
    case ARM_INS_STLEX:
    case ARM_INS_STLEXB:
    case ARM_INS_STLEXH:
        return true;
    default:
        return false;
    }
}

static bool is_store_exclusive(unsigned id)
{
    return id == ARM_INS_STREX || id == ARM_INS_STREXB || id == ARM_INS_STREXH || id == ARM_INS_STLEX ||
           id == ARM_INS_STLEXB || id == ARM_INS_STLEXH;
}

bool thumb_is_load(unsigned id)
{
    switch (id) {
    case ARM_INS_LDR:
    case ARM_INS_LDRB:
    case ARM_INS_LDRH:
    case ARM_INS_LDRSB:
    case ARM_INS_LDRSH:
    case ARM_INS_LDRD:
    case ARM_INS_LDRT:
    case ARM_INS_LDRBT:
    case ARM_INS_LDRHT:
    case ARM_INS_LDRSBT:
    case ARM_INS_LDRSHT:
    case ARM_INS_LDM:
    case ARM_INS_LDMDB:
    case ARM_INS_POP:
    case ARM_INS_VLDR:
    case ARM_INS_VLDMIA:
    case ARM_INS_VLDMDB:
    case ARM_INS_VPOP:
    case ARM_INS_LDREX:
    case ARM_INS_LDREXB:
    case ARM_INS_LDREXH:
    case ARM_INS_LDA:
    case ARM_INS_LDAB:
    case ARM_INS_LDAH:
    case ARM_INS_LDAEX:
    case ARM_INS_LDAEXB:
    case ARM_INS_LDAEXH:
        return true;
    default:
        return false;
    }
}

/* The first operand is read, and perhaps written too. */
static const uint16_t reads_first[] = {
    ARM_INS_CMP,    ARM_INS_CMN,     ARM_INS_TST,     ARM_INS_TEQ,     ARM_INS_CBZ,     ARM_INS_CBNZ,   ARM_INS_TBB,
    ARM_INS_TBH,    ARM_INS_BX,      ARM_INS_BLX,     ARM_INS_B,       ARM_INS_BL,      ARM_INS_MOVT,   ARM_INS_BFI,
    ARM_INS_BFC,    ARM_INS_VCMP,    ARM_INS_VCMPE,   ARM_INS_MSR,     ARM_INS_VMSR,    ARM_INS_SMLAL,  ARM_INS_UMLAL,
    ARM_INS_UMAAL,  ARM_INS_SMLALBB, ARM_INS_SMLALBT, ARM_INS_SMLALTB, ARM_INS_SMLALTT, ARM_INS_SMLALD, ARM_INS_SMLALDX,
    ARM_INS_SMLSLD, ARM_INS_SMLSLDX, ARM_INS_VMLA,    ARM_INS_VMLS,    ARM_INS_VNMLA,   ARM_INS_VNMLS,  ARM_INS_VFMA,
    ARM_INS_VFMS,   ARM_INS_VFNMA,   ARM_INS_VFNMS,   ARM_INS_PLD,     ARM_INS_PLI};

/* The first operand is only written, of two operands as well. */
static const uint16_t writes_first[] = {ARM_INS_MOV,    ARM_INS_MVN,    ARM_INS_UXTB,   ARM_INS_UXTH,   ARM_INS_SXTB,
                                        ARM_INS_SXTH,   ARM_INS_CLZ,    ARM_INS_REV,    ARM_INS_REV16,  ARM_INS_REVSH,
                                        ARM_INS_RBIT,   ARM_INS_MRS,    ARM_INS_ADR,    ARM_INS_MOVW,   ARM_INS_RRX,
                                        ARM_INS_VMOV,   ARM_INS_VMRS,   ARM_INS_VABS,   ARM_INS_VNEG,   ARM_INS_VSQRT,
                                        ARM_INS_VCVT,   ARM_INS_VCVTB,  ARM_INS_VCVTT,  ARM_INS_VCVTR,  ARM_INS_VRINTA,
                                        ARM_INS_VRINTZ, ARM_INS_VRINTX, ARM_INS_VRINTR, ARM_INS_UXTB16, ARM_INS_SXTB16};

/* The same, of ARMv8-M. */
static const uint16_t writes_first_v8[] = {ARM_INS_VCVTA,  ARM_INS_VCVTN,  ARM_INS_VCVTP, ARM_INS_VCVTM,
                                           ARM_INS_VRINTN, ARM_INS_VRINTP, ARM_INS_VRINTM};

static bool is_among(unsigned id, const uint16_t *set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (set[i] == id)
            return true;
    return false;
}

/* The first operand is only written. (Else it is read, and perhaps written too.) */
static bool first_is_result(unsigned id, unsigned count, thumb_architecture as)
{
    if (as != THUMB_V7 && is_among(id, writes_first_v8, WEFT_COUNT(writes_first_v8)))
        return true;
    if (is_among(id, reads_first, WEFT_COUNT(reads_first)))
        return false;
    if (is_among(id, writes_first, WEFT_COUNT(writes_first)))
        return true;
    return thumb_is_load(id) || count != 2; /* `adds r0, r1` is `adds r0, r0, r1` */
}

/* smlal and the like read both of their results; umull and vmov of two registers write both. */
static unsigned results_of(unsigned id, const cs_arm *arm, thumb_architecture as)
{
    if (id == ARM_INS_VMOV && arm->op_count == 4) /* two core registers and two singles */
        return as == THUMB_V7 ? 1 : 2;
    switch (id) {
    case ARM_INS_UMULL:
    case ARM_INS_SMULL:
    case ARM_INS_LDRD:
        return 2;
    case ARM_INS_VMOV: /* vmov r0, r1, d0 */
        return arm->op_count == 3 && arm->operands[0].type == ARM_OP_REG && thumb_register_of(arm->operands[0].reg) < 16
                   ? 2
                   : 1;
    default:
        return 1;
    }
}

static uint64_t operand_reads(const cs_arm_op *op)
{
    uint64_t reads = 0;
    if (op->type == ARM_OP_REG)
        reads |= thumb_mask_of(op->reg);
    if (op->type == ARM_OP_MEM)
        reads |= thumb_mask_of(op->mem.base) | thumb_mask_of(op->mem.index);
    if (op->shift.type >= ARM_SFT_ASR_REG)
        reads |= thumb_mask_of(op->shift.value);
    if (op->type == ARM_OP_SYSREG && (op->reg & 0xff) <= 3)
        reads |= THUMB_BIT(THUMB_FLAGS); /* apsr, xpsr, ... */
    return reads;
}

bool thumb_is_float_select(unsigned id)
{
    return id == ARM_INS_VSELEQ || id == ARM_INS_VSELGE || id == ARM_INS_VSELGT || id == ARM_INS_VSELVS;
}

static bool reads_carry(unsigned id, const cs_arm *arm)
{
    if (id == ARM_INS_ADC || id == ARM_INS_SBC || id == ARM_INS_RSC || id == ARM_INS_RRX || id == ARM_INS_SEL)
        return true;
    for (int i = 0; i < arm->op_count; i++)
        if (arm->operands[i].shift.type == ARM_SFT_RRX)
            return true;
    return false;
}

uint64_t thumb_reads_of(unsigned id, const cs_arm *arm, thumb_architecture as)
{
    unsigned from = thumb_is_store(id)                       ? is_store_exclusive(id)
                    : first_is_result(id, arm->op_count, as) ? results_of(id, arm, as)
                                                             : 0;
    bool selects = as != THUMB_V7 && thumb_is_float_select(id);
    uint64_t reads = selects || reads_carry(id, arm) ? THUMB_BIT(THUMB_FLAGS) : 0;
    if (id == ARM_INS_PUSH || id == ARM_INS_VPUSH || id == ARM_INS_POP || id == ARM_INS_VPOP)
        reads |= THUMB_BIT(13);
    if (id == ARM_INS_POP || id == ARM_INS_VPOP)
        return reads;
    if (id == ARM_INS_LDM || id == ARM_INS_LDMDB || id == ARM_INS_VLDMIA || id == ARM_INS_VLDMDB)
        return reads | operand_reads(&arm->operands[0]);
    if (id == ARM_INS_VMRS)
        return THUMB_BIT(16);
    if (id == ARM_INS_BKPT) /* semihosting */
        return 3;
    for (unsigned i = from; i < arm->op_count; i++) {
        /* The mask of msr is written; the base of a load is read though it may follow one result. */
        if (arm->operands[i].type == ARM_OP_SYSREG && (id == ARM_INS_MSR || id == ARM_INS_VMSR))
            continue;
        reads |= operand_reads(&arm->operands[i]);
    }
    if (id == ARM_INS_VMSR)
        reads &= ~THUMB_BIT(16);
    return reads;
}
