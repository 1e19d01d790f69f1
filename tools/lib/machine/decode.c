/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/decode.h"

#include <capstone/capstone.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/machine/decode_parts.h"
#include "tools/lib/machine/decode_v8.h"

/* Capstone looks at what it gets from these only in part. */
static void *take(size_t size)
{
    return memory_got(malloc(size ? size : 1));
}

static void *take_zero(size_t count, size_t size)
{
    return memory_got(calloc(count ? count : 1, size ? size : 1));
}

static void *take_more(void *old, size_t size)
{
    return memory_got(realloc(old, size ? size : 1));
}

static void give_memory(void)
{
    static const cs_opt_mem memory = {take, take_zero, take_more, free, vsnprintf};
    cs_option(0, CS_OPT_MEM, (size_t)&memory);
}

typedef struct disassembler {
    csh handle; /* 0: not made yet */
    cs_insn *insn;
    bool open_block; /* an IT block was decoded last */
} disassembler;

/* Of each thread, by architecture; made at first use and kept until thumb_decode_end. */
static _Thread_local disassembler own[2];

static disassembler *disassembler_get(thumb_architecture as)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    disassembler *d = &own[as];
    if (!d->handle) {
        pthread_once(&once, give_memory);
        cs_mode mode = as == THUMB_V7 ? CS_MODE_THUMB | CS_MODE_MCLASS : CS_MODE_THUMB | CS_MODE_MCLASS | CS_MODE_V8;
        if (cs_open(CS_ARCH_ARM, mode, &d->handle) != CS_ERR_OK)
            abort();
        cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
        d->insn = cs_malloc(d->handle);
    }
    return d;
}

void thumb_decode_end(void)
{
    for (size_t i = 0; i < WEFT_COUNT(own); i++) {
        if (!own[i].handle)
            continue;
        cs_free(own[i].insn, 1);
        cs_close(&own[i].handle);
        own[i] = (disassembler){0};
    }
}

/* Capstone decodes an instruction of an IT block rightly only after its IT, and what follows an IT that it
 * decoded last as part of that block. So four nops follow an IT, at the next call. */
static void block_end(const disassembler *d)
{
    static const uint8_t nops[8] = {0, 0xbf, 0, 0xbf, 0, 0xbf, 0, 0xbf};
    const uint8_t *at = nops;
    size_t left = sizeof nops;
    uint64_t address = 0;
    while (left && cs_disasm_iter(d->handle, &at, &left, &address, d->insn))
        ;
}

/* NULL: capstone does not know it. */
static const cs_insn *capstone_decode(const thumb_insn *insn, thumb_architecture as)
{
    uint8_t code[6];
    const uint8_t *at = code;
    size_t left = 0;
    uint64_t address = insn->pc;
    disassembler *d = disassembler_get(as);
    if (d->open_block)
        block_end(d);
    d->open_block = insn->condition < THUMB_ALWAYS || (insn->size == 2 && insn->bytes[1] == 0xbf);
    if (insn->condition < THUMB_ALWAYS) {
        code[left++] = (uint8_t)(insn->condition << 4 | 8);
        code[left++] = 0xbf;
        address -= 2;
    }
    memcpy(code + left, insn->bytes, insn->size);
    left += insn->size;
    if (insn->condition < THUMB_ALWAYS && !cs_disasm_iter(d->handle, &at, &left, &address, d->insn))
        return NULL;
    return cs_disasm_iter(d->handle, &at, &left, &address, d->insn) ? d->insn : NULL;
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
        if (thumb_is_store(id) || !arm->op_count || arm->operands[0].type != ARM_OP_REG ||
            arm->operands[0].reg != ARM_REG_PC)
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
        insn->list |= thumb_mask_of(arm->operands[i].reg);
    insn->multiple = true;
    insn->writeback = stack || arm->writeback;
    insn->offset = down ? -4 * count : 0;
    insn->delta = down ? -4 * count : 4 * count;
}

/* A store of floats, or of one register where no size is given: strex, stl, strt and the like. What makes its address
 * is not part of `list`. */
static void decode_other_store(thumb_insn *insn, unsigned id, const cs_arm *arm)
{
    bool floats = insn->size == 4 && (insn->bytes[1] & 0xfe) == 0xec;
    insn->list = floats ? insn->reads >> 32 << 32 : insn->reads & THUMB_BIT(insn->bytes[3] >> 4);
    if (id != ARM_INS_VSTR || arm->op_count < 2 || arm->operands[1].type != ARM_OP_MEM)
        return;
    insn->base = thumb_register_of(arm->operands[1].mem.base);
    insn->offset = arm->operands[1].mem.disp;
}

static void decode_memory(thumb_insn *insn, unsigned id, const cs_arm *arm)
{
    insn->memory = thumb_is_store(id) ? THUMB_STORE : thumb_is_load(id) ? THUMB_LOAD : THUMB_NO_MEMORY;
    insn->access_size = access_size_of(id);
    insn->sign = id == ARM_INS_LDRSB || id == ARM_INS_LDRSH;
    if (!insn->access_size) {
        if (insn->memory == THUMB_STORE)
            decode_other_store(insn, id, arm);
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
        insn->list |= thumb_mask_of(arm->operands[i].reg);
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

/* lda, stl, ldaex, stlex: version 5 of capstone has them in any mode. */
static bool is_ordered(const thumb_insn *insn)
{
    return insn->size == 4 && insn->bytes[1] == 0xe8 && (insn->bytes[0] & 0xe0) == 0xc0 && insn->bytes[2] & 0x80;
}

/* Corrects instructions of ARMv8-M that capstone took for others. */
static bool is_later(const thumb_insn *insn, unsigned id)
{
    thumb_insn later = *insn;
    return thumb_is_float_select(id) || thumb_decode_v8(&later);
}

/* tt, in files of this room's first decoder: version 4 of capstone took it for a strex that stores nothing, and version
 * 5 does not know it. */
static bool was_test_target(thumb_insn *insn)
{
    uint16_t first = (uint16_t)(insn->bytes[0] | insn->bytes[1] << 8);
    uint16_t second = (uint16_t)(insn->bytes[2] | insn->bytes[3] << 8);
    if (insn->size != 4 || !thumb_is_test_target(first, second))
        return false;
    insn->reads |= THUMB_BIT(first & 15);
    insn->memory = THUMB_STORE;
    insn->unknown = true;
    return true;
}

/* vcvtb and vcvtt to half precision. */
static bool keeps_half(const thumb_insn *insn)
{
    uint16_t first = (uint16_t)(insn->bytes[0] | insn->bytes[1] << 8);
    return insn->size == 4 && (first & 0xffbf) == 0xeeb3 && (insn->bytes[2] & 0x50) == 0x40 &&
           (insn->bytes[3] & 0xe) == 0xa;
}

bool thumb_decode_as(thumb_insn *insn, thumb_architecture as, uint32_t pc, const uint8_t *bytes, unsigned size,
                     unsigned condition)
{
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
        insn->reads = THUMB_BIT(THUMB_FLAGS);
    if (as != THUMB_V7 && thumb_decode_v8(insn))
        return !insn->unknown;
    if (as == THUMB_V7 && was_test_target(insn))
        return false;
    const cs_insn *decoded = as == THUMB_V7 && is_ordered(insn) ? NULL : capstone_decode(insn, as);
    insn->unknown = !decoded || (as == THUMB_V7 && is_later(insn, decoded->id));
    if (!decoded)
        return false;
    unsigned id = thumb_capstone_id(decoded->id);
    const cs_arm *arm = &decoded->detail->arm;
    insn->reads |= thumb_reads_of(id, arm, as);
    if (as != THUMB_V7 && keeps_half(insn))
        insn->reads |= thumb_mask_of(arm->operands[0].reg);
    decode_flow(insn, id, arm);
    if (id == ARM_INS_B && insn->falls)
        insn->reads |= THUMB_BIT(THUMB_FLAGS);
    decode_memory(insn, id, arm);
    thumb_decode_form(insn, id, arm);
    return !insn->unknown;
}

bool thumb_decode(thumb_insn *insn, uint32_t pc, const uint8_t *bytes, unsigned size, unsigned condition)
{
    return thumb_decode_as(insn, THUMB_V8, pc, bytes, size, condition);
}

void thumb_text(const thumb_insn *insn, char *text, size_t size)
{
    if (thumb_text_v8(insn, text, size))
        return;
    const cs_insn *decoded = capstone_decode(insn, THUMB_V8);
    if (!decoded && insn->size == 2)
        snprintf(text, size, ".inst.n 0x%02x%02x", insn->bytes[1], insn->bytes[0]);
    else if (!decoded || insn->unknown)
        snprintf(text, size, ".inst.w 0x%02x%02x%02x%02x", insn->bytes[1], insn->bytes[0], insn->bytes[3],
                 insn->bytes[2]);
    else
        snprintf(text, size, "%s%s%s", decoded->mnemonic, *decoded->op_str ? " " : "", decoded->op_str);
}
