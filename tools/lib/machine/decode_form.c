/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/decode_parts.h"

static const struct {
    unsigned id;
    thumb_form form;
} forms[] = {
    {ARM_INS_MOV, THUMB_MOV},     {ARM_INS_MVN, THUMB_MVN},     {ARM_INS_ADD, THUMB_ADD},
    {ARM_INS_ADC, THUMB_ADC},     {ARM_INS_SUB, THUMB_SUB},     {ARM_INS_SBC, THUMB_SBC},
    {ARM_INS_RSB, THUMB_RSB},     {ARM_INS_AND, THUMB_AND},     {ARM_INS_ORR, THUMB_ORR},
    {ARM_INS_ORN, THUMB_ORN},     {ARM_INS_EOR, THUMB_EOR},     {ARM_INS_BIC, THUMB_BIC},
    {ARM_INS_LSL, THUMB_LSL},     {ARM_INS_LSR, THUMB_LSR},     {ARM_INS_ASR, THUMB_ASR},
    {ARM_INS_ROR, THUMB_ROR},     {ARM_INS_CMP, THUMB_CMP},     {ARM_INS_CMN, THUMB_CMN},
    {ARM_INS_TST, THUMB_TST},     {ARM_INS_TEQ, THUMB_TEQ},     {ARM_INS_MUL, THUMB_MUL},
    {ARM_INS_MLA, THUMB_MLA},     {ARM_INS_MLS, THUMB_MLS},     {ARM_INS_UMULL, THUMB_UMULL},
    {ARM_INS_SMULL, THUMB_SMULL}, {ARM_INS_UDIV, THUMB_UDIV},   {ARM_INS_SDIV, THUMB_SDIV},
    {ARM_INS_UXTB, THUMB_UXTB},   {ARM_INS_UXTH, THUMB_UXTH},   {ARM_INS_SXTB, THUMB_SXTB},
    {ARM_INS_SXTH, THUMB_SXTH},   {ARM_INS_UBFX, THUMB_UBFX},   {ARM_INS_SBFX, THUMB_SBFX},
    {ARM_INS_BFI, THUMB_BFI},     {ARM_INS_BFC, THUMB_BFC},     {ARM_INS_CLZ, THUMB_CLZ},
    {ARM_INS_REV, THUMB_REV},     {ARM_INS_REV16, THUMB_REV16}, {ARM_INS_RBIT, THUMB_RBIT},
    {ARM_INS_MOVT, THUMB_MOVT},   {ARM_INS_ADR, THUMB_ADR},     {ARM_INS_MOVW, THUMB_MOV},
    {ARM_INS_ADDW, THUMB_ADD},    {ARM_INS_SUBW, THUMB_SUB},    {ARM_INS_BL, THUMB_LINK},
    {ARM_INS_BLX, THUMB_LINK},
};

unsigned thumb_capstone_id(unsigned id)
{
#if CS_API_MAJOR >= 5
    switch (id) {
    case ARM_INS_MOVS: /* lsls rd, rm, #0 */
        return ARM_INS_MOV;
    case ARM_INS_FCONSTS:
    case ARM_INS_FCONSTD:
    case ARM_INS_FMDHR:
    case ARM_INS_FMDLR:
        return ARM_INS_VMOV;
    case ARM_INS_FMSTAT: /* vmrs apsr_nzcv, fpscr */
        return ARM_INS_VMRS;
    case ARM_INS_BXNS:
        return ARM_INS_BX;
    case ARM_INS_BLXNS:
        return ARM_INS_BLX;
    default:
        return id;
    }
#else
    return id;
#endif
}

static uint8_t operand_register(const cs_arm *arm, int i)
{
    return i < arm->op_count && arm->operands[i].type == ARM_OP_REG ? thumb_register_of(arm->operands[i].reg)
                                                                    : THUMB_NONE;
}

/* rm or imm, with its shift. */
static void second_operand(thumb_insn *insn, const cs_arm_op *op)
{
    if (op->type == ARM_OP_IMM) {
        insn->imm = (uint32_t)op->imm;
        return;
    }
    insn->rm = op->type == ARM_OP_REG ? thumb_register_of(op->reg) : THUMB_NONE;
    if (op->type != ARM_OP_REG || insn->rm == THUMB_NONE)
        insn->form = THUMB_OPAQUE;
    insn->shift_kind = (uint8_t)op->shift.type;
    insn->shift_amount = (uint8_t)op->shift.value;
    if (op->shift.type >= ARM_SFT_ASR_REG || op->shift.type == ARM_SFT_RRX)
        insn->form = THUMB_OPAQUE;
}

void thumb_decode_form(thumb_insn *insn, unsigned id, const cs_arm *arm)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].id == id)
            insn->form = (uint8_t)forms[i].form;
    if (insn->form == THUMB_OPAQUE || insn->form == THUMB_LINK)
        return;
    int last = arm->op_count - 1;
    insn->rd = operand_register(arm, 0);
    insn->rn = operand_register(arm, last >= 2 ? 1 : 0);
    switch (insn->form) {
    case THUMB_UMULL:
    case THUMB_SMULL:
        insn->rd2 = operand_register(arm, 1);
        insn->rn = operand_register(arm, 2);
        insn->rm = operand_register(arm, 3);
        return;
    case THUMB_MLA:
    case THUMB_MLS:
        insn->rm = operand_register(arm, 2);
        insn->ra = operand_register(arm, 3);
        return;
    case THUMB_UBFX:
    case THUMB_SBFX:
    case THUMB_BFI:
    case THUMB_BFC:
        insn->rn = operand_register(arm, insn->form == THUMB_BFC ? 0 : 1);
        insn->imm = (uint32_t)arm->operands[last - 1].imm;
        insn->width = (uint32_t)arm->operands[last].imm;
        /* A field that leaves the word is UNPREDICTABLE: the emulator refuses it, and code is not always code. */
        if (insn->imm > 31 || insn->width < 1 || insn->width > 32 - insn->imm)
            insn->form = THUMB_OPAQUE;
        return;
    default:
        if (last < 1 || last > 2 || insn->rd == THUMB_NONE || insn->rn == THUMB_NONE)
            insn->form = THUMB_OPAQUE;
        else
            second_operand(insn, &arm->operands[last]);
    }
}
