/* SPDX-License-Identifier: MIT */
/* What a Thumb instruction computes from the registers it reads (ARMv7-M Architecture Reference Manual, A7.7). */
#include <capstone/capstone.h>

#include "tools/lib/machine/decode.h"

#define BIT(n) (UINT64_C(1) << (n))
#define FLAG_N 0x80000000u
#define FLAG_Z 0x40000000u
#define FLAG_C 0x20000000u
#define FLAG_V 0x10000000u

static uint32_t operand(const thumb_insn *insn, const thumb_state *state, unsigned reg)
{
    if (reg == THUMB_PC)
        return insn->pc + 4;
    return reg < 15 ? state->r[reg] : 0;
}

bool thumb_address(const thumb_insn *insn, const thumb_state *state, uint32_t *address)
{
    if (!insn->access_size || insn->base == THUMB_NONE)
        return false;
    uint32_t base = operand(insn, state, insn->base);
    if (insn->base == THUMB_PC)
        base &= ~3u;
    *address = base;
    if (!insn->post)
        *address += (uint32_t)insn->offset;
    if (insn->index != THUMB_NONE)
        *address += operand(insn, state, insn->index) << insn->shift;
    return true;
}

/* A shift by 0..255 and its carry. */
static uint32_t shift(unsigned kind, uint32_t value, unsigned by, bool *carry)
{
    if (by == 0)
        return value;
    switch (kind) {
    case ARM_SFT_LSL:
        *carry = by <= 32 && value >> (32 - by) & 1;
        return by < 32 ? value << by : 0;
    case ARM_SFT_LSR:
        *carry = by <= 32 && value >> (by - 1) & 1;
        return by < 32 ? value >> by : 0;
    case ARM_SFT_ASR:
        by = by < 32 ? by : 32;
        *carry = (int32_t)value >> (by - 1) & 1;
        return (uint32_t)((int64_t)(int32_t)value >> by);
    default:
        value = value >> (by & 31) | value << (-by & 31);
        *carry = value >> 31;
        return value;
    }
}

static uint32_t reverse_bits(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}

static uint32_t add(uint32_t a, uint32_t b, bool carry_in, bool *carry, bool *overflow)
{
    uint64_t sum = (uint64_t)a + b + carry_in;
    *carry = sum >> 32;
    *overflow = (~(a ^ b) & (a ^ (uint32_t)sum)) >> 31;
    return (uint32_t)sum;
}

typedef struct result {
    uint32_t value, high;
    bool carry, overflow;
} result;

static unsigned shift_of_form(unsigned form)
{
    return form == THUMB_LSL   ? ARM_SFT_LSL
           : form == THUMB_LSR ? ARM_SFT_LSR
           : form == THUMB_ASR ? ARM_SFT_ASR
                               : ARM_SFT_ROR;
}

static uint32_t field(const thumb_insn *insn)
{
    return insn->width >= 32 ? ~0u : (1u << insn->width) - 1;
}

/* Products and quotients. */
static bool compute_product(const thumb_insn *insn, uint32_t n, uint32_t m, uint32_t a, result *out)
{
    switch (insn->form) {
    case THUMB_MUL:
        out->value = n * m;
        return true;
    case THUMB_MLA:
        out->value = a + n * m;
        return true;
    case THUMB_MLS:
        out->value = a - n * m;
        return true;
    case THUMB_UMULL:
        out->value = n * m;
        out->high = (uint32_t)((uint64_t)n * m >> 32);
        return true;
    case THUMB_SMULL:
        out->value = n * m;
        out->high = (uint32_t)((uint64_t)((int64_t)(int32_t)n * (int32_t)m) >> 32);
        return true;
    case THUMB_UDIV:
        out->value = m ? n / m : 0;
        return true;
    case THUMB_SDIV:
        out->value = !m ? 0 : m == ~0u ? 0u - n : (uint32_t)((int32_t)n / (int32_t)m);
        return true;
    default:
        return false;
    }
}

/* Bit fields, orders of bits and bytes, constants, addresses relative to the pc. */
static bool compute_bits(const thumb_insn *insn, uint32_t n, uint32_t m, uint32_t d, result *out)
{
    unsigned lsb = insn->imm & 31;
    switch (insn->form) {
    case THUMB_UBFX:
        out->value = n >> lsb & field(insn);
        return true;
    case THUMB_SBFX:
        out->value = (uint32_t)((int32_t)(n << (32 - lsb - insn->width)) >> (32 - insn->width));
        return true;
    case THUMB_BFI:
        out->value = (d & ~(field(insn) << lsb)) | (n & field(insn)) << lsb;
        return true;
    case THUMB_BFC:
        out->value = d & ~(field(insn) << lsb);
        return true;
    case THUMB_CLZ:
        out->value = m ? (uint32_t)__builtin_clz(m) : 32;
        return true;
    case THUMB_REV:
        out->value = __builtin_bswap32(m);
        return true;
    case THUMB_REV16:
        out->value = (m & 0xff00ff) << 8 | (m >> 8 & 0xff00ff);
        return true;
    case THUMB_RBIT:
        out->value = reverse_bits(m);
        return true;
    case THUMB_MOVT:
        out->value = (d & 0xffff) | m << 16;
        return true;
    case THUMB_ADR:
        out->value = ((insn->pc + 4) & ~3u) + m;
        return true;
    case THUMB_LINK:
        out->value = (insn->pc + insn->size) | 1;
        return true;
    default:
        return false;
    }
}

/* Sums and differences: they set C and V. */
static bool compute_sum(const thumb_insn *insn, uint32_t n, uint32_t m, bool carry_in, result *out)
{
    switch (insn->form) {
    case THUMB_ADD:
    case THUMB_CMN:
        out->value = add(insn->rn == THUMB_PC ? n & ~3u : n, m, false, &out->carry, &out->overflow);
        return true;
    case THUMB_ADC:
        out->value = add(n, m, carry_in, &out->carry, &out->overflow);
        return true;
    case THUMB_SUB:
    case THUMB_CMP:
        out->value = add(n, ~m, true, &out->carry, &out->overflow);
        return true;
    case THUMB_SBC:
        out->value = add(n, ~m, carry_in, &out->carry, &out->overflow);
        return true;
    case THUMB_RSB:
        out->value = add(~n, m, true, &out->carry, &out->overflow);
        return true;
    default:
        return false;
    }
}

/* Bit by bit, shifts, extensions: C is the shifter's. */
static bool compute_logic(const thumb_insn *insn, uint32_t n, uint32_t m, result *out)
{
    switch (insn->form) {
    case THUMB_MOV:
        out->value = m;
        return true;
    case THUMB_MVN:
        out->value = ~m;
        return true;
    case THUMB_AND:
    case THUMB_TST:
        out->value = n & m;
        return true;
    case THUMB_ORR:
        out->value = n | m;
        return true;
    case THUMB_ORN:
        out->value = n | ~m;
        return true;
    case THUMB_EOR:
    case THUMB_TEQ:
        out->value = n ^ m;
        return true;
    case THUMB_BIC:
        out->value = n & ~m;
        return true;
    case THUMB_UXTB:
        out->value = m & 0xff;
        return true;
    case THUMB_UXTH:
        out->value = m & 0xffff;
        return true;
    case THUMB_SXTB:
        out->value = (uint32_t)(int8_t)m;
        return true;
    case THUMB_SXTH:
        out->value = (uint32_t)(int16_t)m;
        return true;
    default:
        return false;
    }
}

static bool is_shift(unsigned form)
{
    return form == THUMB_LSL || form == THUMB_LSR || form == THUMB_ASR || form == THUMB_ROR;
}

/* C of a rotated immediate is not known here: the check of values finds it. */
static bool compute(const thumb_insn *insn, const thumb_state *state, result *out)
{
    uint32_t flags = state->r[THUMB_FLAGS], n = operand(insn, state, insn->rn), m = insn->imm;
    bool carry_in = (flags & FLAG_C) != 0;
    *out = (result){.carry = carry_in, .overflow = (flags & FLAG_V) != 0};
    if (insn->rm != THUMB_NONE)
        m = operand(insn, state, insn->rm);
    if (is_shift(insn->form)) {
        out->value = shift(shift_of_form(insn->form), n, m & 0xff, &out->carry);
        return true;
    }
    if (insn->rm == THUMB_NONE && m >= 0x10000 && insn->size == 4)
        out->carry = m >> 31; /* a rotated constant of a logical instruction */
    if (insn->shift_kind)
        m = shift(insn->shift_kind, m, insn->shift_amount, &out->carry);
    return compute_sum(insn, n, m, carry_in, out) || compute_logic(insn, n, m, out) ||
           compute_product(insn, n, m, operand(insn, state, insn->ra), out) ||
           compute_bits(insn, n, m, operand(insn, state, insn->rd), out);
}

static bool base_update(const thumb_insn *insn, unsigned loc)
{
    return insn->writeback && loc == insn->base && !(insn->memory == THUMB_LOAD && insn->list >> loc & 1);
}

bool thumb_compute(const thumb_insn *insn, const thumb_state *state, unsigned loc, uint32_t *value)
{
    result out;
    if (insn->access_size && base_update(insn, loc)) {
        *value = operand(insn, state, insn->base) + (uint32_t)insn->delta;
        return true;
    }
    if (insn->form == THUMB_OPAQUE || insn->memory || !compute(insn, state, &out))
        return false;
    if (loc == THUMB_FLAGS) {
        *value =
            (out.value & FLAG_N) | (out.value ? 0 : FLAG_Z) | (out.carry ? FLAG_C : 0) | (out.overflow ? FLAG_V : 0);
        return true;
    }
    *value = loc == insn->rd2 ? out.high : out.value;
    return loc == insn->rd || loc == insn->rd2 || (insn->form == THUMB_LINK && loc == 14);
}

/* All but sums leave V, and often C, as it was. */
static bool keeps_flags(unsigned form)
{
    return (form < THUMB_ADD || form > THUMB_RSB) && form != THUMB_CMP && form != THUMB_CMN;
}

uint64_t thumb_compute_reads(const thumb_insn *insn, unsigned loc)
{
    if (insn->access_size && base_update(insn, loc))
        return insn->base < 15 ? BIT(insn->base) : 0;
    uint64_t reads = insn->form == THUMB_LINK ? 0 : insn->reads;
    return loc == THUMB_FLAGS && keeps_flags(insn->form) ? reads | BIT(THUMB_FLAGS) : reads;
}
