/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/decode.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tools/lib/machine/decode_parts.h"

#define BIT(n) (UINT64_C(1) << (n))

/* One handle a thread, made at first use and kept. */
static csh handle_get(cs_insn **room)
{
    static _Thread_local csh handle;
    static _Thread_local cs_insn *insn;
    if (!handle) {
        if (cs_open(CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_MCLASS, &handle) != CS_ERR_OK)
            abort();
        cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
        insn = cs_malloc(handle);
    }
    *room = insn;
    return handle;
}

/* Capstone decodes an instruction of an IT block rightly only after its IT, and what follows an IT that it
 * decoded last as part of that block. So four nops follow an IT, at the next call. */
static void block_end(csh handle, cs_insn *insn)
{
    static const uint8_t nops[8] = {0, 0xbf, 0, 0xbf, 0, 0xbf, 0, 0xbf};
    const uint8_t *at = nops;
    size_t left = sizeof nops;
    uint64_t address = 0;
    while (left && cs_disasm_iter(handle, &at, &left, &address, insn))
        ;
}

static bool capstone_decode(uint32_t pc, const uint8_t *bytes, unsigned size, unsigned condition, cs_insn **out)
{
    static _Thread_local bool open_block;
    uint8_t code[6];
    const uint8_t *at = code;
    size_t left = 0;
    uint64_t address = pc;
    csh handle = handle_get(out);
    if (open_block)
        block_end(handle, *out);
    open_block = condition < THUMB_ALWAYS || (size == 2 && bytes[1] == 0xbf);
    if (condition < THUMB_ALWAYS) {
        code[left++] = (uint8_t)(condition << 4 | 8);
        code[left++] = 0xbf;
        address -= 2;
    }
    memcpy(code + left, bytes, size);
    left += size;
    if (condition < THUMB_ALWAYS && !cs_disasm_iter(handle, &at, &left, &address, *out))
        return false;
    return cs_disasm_iter(handle, &at, &left, &address, *out);
}

/* ---- registers ---- */

static uint64_t mask_of(unsigned reg)
{
    uint8_t r = thumb_register_of(reg);
    if (r < THUMB_PC)
        return BIT(r);
    if (reg >= ARM_REG_S0 && reg <= ARM_REG_S31)
        return BIT(32 + reg - ARM_REG_S0);
    if (reg >= ARM_REG_D0 && reg <= ARM_REG_D15)
        return UINT64_C(3) << (32 + 2 * (reg - ARM_REG_D0));
    if (reg == ARM_REG_FPSCR || reg == ARM_REG_FPSCR_NZCV)
        return BIT(16);
    if (reg == ARM_REG_APSR || reg == ARM_REG_APSR_NZCV || reg == ARM_REG_CPSR)
        return BIT(THUMB_FLAGS);
    return 0;
}

/* ---- what is read ---- */

static bool is_store(unsigned id)
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
        return true;
    default:
        return false;
    }
}

static bool is_store_exclusive(unsigned id)
{
    return id == ARM_INS_STREX || id == ARM_INS_STREXB || id == ARM_INS_STREXH;
}

static bool is_load(unsigned id)
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

static bool is_among(unsigned id, const uint16_t *set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (set[i] == id)
            return true;
    return false;
}

/* The first operand is only written. (Else it is read, and perhaps written too.) */
static bool first_is_result(unsigned id, unsigned count)
{
    if (is_among(id, reads_first, WEFT_COUNT(reads_first)))
        return false;
    if (is_among(id, writes_first, WEFT_COUNT(writes_first)))
        return true;
    return is_load(id) || count != 2; /* `adds r0, r1` is `adds r0, r0, r1` */
}

/* smlal and the like read both of their results; umull and vmov of two registers write both. */
static unsigned results_of(unsigned id, const cs_arm *arm)
{
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
        reads |= mask_of(op->reg);
    if (op->type == ARM_OP_MEM)
        reads |= mask_of(op->mem.base) | mask_of(op->mem.index);
    if (op->shift.type >= ARM_SFT_ASR_REG)
        reads |= mask_of(op->shift.value);
    if (op->type == ARM_OP_SYSREG && (op->reg & 0xff) <= 3)
        reads |= BIT(THUMB_FLAGS); /* apsr, xpsr, ... */
    return reads;
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

static uint64_t reads_of(unsigned id, const cs_arm *arm)
{
    unsigned from = is_store(id)                         ? is_store_exclusive(id)
                    : first_is_result(id, arm->op_count) ? results_of(id, arm)
                                                         : 0;
    uint64_t reads = reads_carry(id, arm) ? BIT(THUMB_FLAGS) : 0;
    if (id == ARM_INS_PUSH || id == ARM_INS_VPUSH || id == ARM_INS_POP || id == ARM_INS_VPOP)
        reads |= BIT(13);
    if (id == ARM_INS_POP || id == ARM_INS_VPOP)
        return reads;
    if (id == ARM_INS_LDM || id == ARM_INS_LDMDB || id == ARM_INS_VLDMIA || id == ARM_INS_VLDMDB)
        return reads | operand_reads(&arm->operands[0]);
    if (id == ARM_INS_VMRS)
        return BIT(16);
    if (id == ARM_INS_BKPT) /* semihosting */
        return 3;
    for (unsigned i = from; i < arm->op_count; i++) {
        /* The mask of msr is written; the base of a load is read though it may follow one result. */
        if (arm->operands[i].type == ARM_OP_SYSREG && (id == ARM_INS_MSR || id == ARM_INS_VMSR))
            continue;
        reads |= operand_reads(&arm->operands[i]);
    }
    if (id == ARM_INS_VMSR)
        reads &= ~BIT(16);
    return reads;
}

/* ---- where it goes ---- */

static bool list_has_pc(const cs_arm *arm)
{
    for (int i = 0; i < arm->op_count; i++)
        if (arm->operands[i].type == ARM_OP_REG && arm->operands[i].reg == ARM_REG_PC)
            return true;
    return false;
}

static void decode_flow(thumb_insn *insn, unsigned id, const cs_arm *arm)
{
    insn->falls = true;
    switch (id) {
    case ARM_INS_B:
        insn->flow = THUMB_BRANCH;
        insn->target = (uint32_t)arm->operands[0].imm;
        insn->falls = arm->cc != ARM_CC_AL;
        return;
    case ARM_INS_CBZ:
    case ARM_INS_CBNZ:
        insn->flow = THUMB_BRANCH;
        insn->target = (uint32_t)arm->operands[1].imm;
        return;
    case ARM_INS_BL:
        insn->flow = THUMB_CALL;
        insn->target = (uint32_t)arm->operands[0].imm;
        return;
    case ARM_INS_BLX:
        insn->flow = THUMB_CALL_INDIRECT;
        return;
    case ARM_INS_BX:
    case ARM_INS_POP:
    case ARM_INS_LDM:
    case ARM_INS_LDMDB:
        if (id != ARM_INS_BX && !list_has_pc(arm))
            return;
        insn->flow = THUMB_RETURN;
        break;
    case ARM_INS_TBB:
    case ARM_INS_TBH:
        insn->flow = THUMB_SWITCH;
        break;
    case ARM_INS_UDF:
        insn->flow = THUMB_RETURN;
        break;
    default:
        if (is_store(id) || !arm->op_count || arm->operands[0].type != ARM_OP_REG || arm->operands[0].reg != ARM_REG_PC)
            return;
        /* mov pc, lr and ldr pc, [sp], #4 return; any other write of the pc is a jump table */
        insn->flow = THUMB_SWITCH;
        for (int i = 1; i < arm->op_count; i++)
            if ((arm->operands[i].type == ARM_OP_REG && arm->operands[i].reg == ARM_REG_LR) ||
                (arm->operands[i].type == ARM_OP_MEM && arm->operands[i].mem.base == ARM_REG_SP))
                insn->flow = THUMB_RETURN;
    }
    insn->falls = insn->condition < THUMB_ALWAYS;
}

/* ---- memory ---- */

static uint8_t access_size_of(unsigned id)
{
    switch (id) {
    case ARM_INS_LDRB:
    case ARM_INS_LDRSB:
    case ARM_INS_STRB:
        return 1;
    case ARM_INS_LDRH:
    case ARM_INS_LDRSH:
    case ARM_INS_STRH:
        return 2;
    case ARM_INS_LDR:
    case ARM_INS_STR:
    case ARM_INS_LDM:
    case ARM_INS_LDMDB:
    case ARM_INS_STM:
    case ARM_INS_STMDB:
    case ARM_INS_PUSH:
    case ARM_INS_POP:
    case ARM_INS_LDRD:
    case ARM_INS_STRD:
        return 4;
    default:
        return 0;
    }
}

static void decode_multiple(thumb_insn *insn, unsigned id, const cs_arm *arm)
{
    bool stack = id == ARM_INS_PUSH || id == ARM_INS_POP;
    bool down = id == ARM_INS_PUSH || id == ARM_INS_STMDB || id == ARM_INS_LDMDB;
    int first = stack ? 0 : 1, count = arm->op_count - first;
    insn->base = stack ? 13 : thumb_register_of(arm->operands[0].reg);
    for (int i = first; i < arm->op_count; i++)
        insn->list |= mask_of(arm->operands[i].reg);
    insn->multiple = true;
    insn->writeback = stack || arm->writeback;
    insn->offset = down ? -4 * count : 0;
    insn->delta = down ? -4 * count : 4 * count;
}

static void decode_memory(thumb_insn *insn, unsigned id, const cs_arm *arm)
{
    insn->memory = is_store(id) ? THUMB_STORE : is_load(id) ? THUMB_LOAD : THUMB_NO_MEMORY;
    insn->access_size = access_size_of(id);
    insn->sign = id == ARM_INS_LDRSB || id == ARM_INS_LDRSH;
    if (!insn->access_size) {
        if (insn->memory == THUMB_STORE)
            insn->list = insn->reads;
        return;
    }
    if (id == ARM_INS_PUSH || id == ARM_INS_POP || id == ARM_INS_LDM || id == ARM_INS_LDMDB || id == ARM_INS_STM ||
        id == ARM_INS_STMDB) {
        decode_multiple(insn, id, arm);
        return;
    }
    int at = id == ARM_INS_LDRD || id == ARM_INS_STRD ? 2 : 1;
    if (at >= arm->op_count || arm->operands[at].type != ARM_OP_MEM) {
        insn->access_size = 0;
        return;
    }
    const cs_arm_op *op = &arm->operands[at];
    for (int i = 0; i < at; i++) {
        insn->list |= mask_of(arm->operands[i].reg);
        insn->data[i] = thumb_register_of(arm->operands[i].reg);
    }
    insn->multiple = at == 2;
    insn->base = thumb_register_of(op->mem.base);
    insn->index = op->mem.index ? thumb_register_of(op->mem.index) : THUMB_NONE;
    insn->shift = op->shift.type == ARM_SFT_LSL ? (uint8_t)op->shift.value : 0;
    insn->offset = op->mem.disp;
    insn->writeback = arm->writeback;
    insn->delta = op->mem.disp;
    if (at + 1 < arm->op_count && arm->operands[at + 1].type == ARM_OP_IMM) {
        insn->post = true;
        insn->delta = arm->operands[at + 1].subtracted ? -arm->operands[at + 1].imm : arm->operands[at + 1].imm;
    }
}

bool thumb_decode(thumb_insn *insn, uint32_t pc, const uint8_t *bytes, unsigned size, unsigned condition)
{
    cs_insn *decoded;
    *insn = (thumb_insn){.pc = pc,
                         .size = (uint8_t)size,
                         .condition = (uint8_t)condition,
                         .falls = true,
                         .base = THUMB_NONE,
                         .index = THUMB_NONE,
                         .data = {THUMB_NONE, THUMB_NONE},
                         .rd = THUMB_NONE,
                         .rd2 = THUMB_NONE,
                         .rn = THUMB_NONE,
                         .rm = THUMB_NONE,
                         .ra = THUMB_NONE,
                         .rs = THUMB_NONE};
    memcpy(insn->bytes, bytes, size);
    if (condition < THUMB_ALWAYS)
        insn->reads = BIT(THUMB_FLAGS);
    if (!capstone_decode(pc, bytes, size, condition, &decoded))
        return false;
    const cs_arm *arm = &decoded->detail->arm;
    insn->reads |= reads_of(decoded->id, arm);
    decode_flow(insn, decoded->id, arm);
    if (decoded->id == ARM_INS_B && insn->falls)
        insn->reads |= BIT(THUMB_FLAGS);
    decode_memory(insn, decoded->id, arm);
    thumb_decode_form(insn, decoded->id, arm);
    return true;
}

void thumb_text(const thumb_insn *insn, char *text, size_t size)
{
    cs_insn *decoded;
    if (!capstone_decode(insn->pc, insn->bytes, insn->size, insn->condition, &decoded))
        snprintf(text, size, ".short 0x%02x%02x", insn->bytes[1], insn->bytes[0]);
    else
        snprintf(text, size, "%s%s%s", decoded->mnemonic, *decoded->op_str ? " " : "", decoded->op_str);
}
