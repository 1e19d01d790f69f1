/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/location.h"

#include <dwarf.h>

enum { STACK = 16 };

typedef struct machine {
    const debug_view *v;
    uint32_t stack[STACK];
    unsigned depth;
    bool value, wrong;
} machine;

static void push(machine *m, uint64_t value)
{
    m->wrong |= m->depth == STACK;
    if (!m->wrong)
        m->stack[m->depth++] = (uint32_t)value;
}

static uint32_t pop(machine *m)
{
    m->wrong |= m->depth == 0;
    return m->wrong ? 0 : m->stack[--m->depth];
}

static void push_register(machine *m, unsigned r, uint64_t offset)
{
    m->wrong |= r > 15 || !(m->v->frame.known >> (r & 15) & 1);
    push(m, m->v->frame.r[r & 15] + (uint32_t)offset);
}

/* DW_OP_fbreg: from what DW_AT_frame_base says, which is the frame address. */
static void push_frame(machine *m, uint64_t offset)
{
    m->wrong |= !m->v->frame.has_cfa;
    push(m, m->v->frame.cfa + (uint32_t)offset);
}

static void push_memory(machine *m, unsigned size)
{
    uint8_t b[4] = {0};
    uint32_t address = pop(m);
    m->wrong |= size > 4 || m->v->subject->memory(m->v->subject->own, m->v->at, address, b, size) < size;
    push(m, b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
}

static void calculate(machine *m, unsigned atom)
{
    uint32_t b = pop(m), a = pop(m);
    switch (atom) {
    case DW_OP_plus:
        push(m, a + b);
        break;
    case DW_OP_minus:
        push(m, a - b);
        break;
    case DW_OP_mul:
        push(m, (uint64_t)a * b);
        break;
    case DW_OP_and:
        push(m, a & b);
        break;
    case DW_OP_or:
        push(m, a | b);
        break;
    case DW_OP_xor:
        push(m, a ^ b);
        break;
    case DW_OP_shl:
        push(m, b < 32 ? a << b : 0);
        break;
    case DW_OP_shr:
        push(m, b < 32 ? a >> b : 0);
        break;
    case DW_OP_shra:
        push(m, (uint32_t)((int32_t)a >> (b < 32 ? b : 31)));
        break;
    default:
        m->wrong = true;
    }
}

static void constant_or_memory(machine *m, const Dwarf_Op *op)
{
    switch (op->atom) {
    case DW_OP_addr:
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_constu:
    case DW_OP_consts:
        push(m, op->number);
        break;
    case DW_OP_bregx:
        push_register(m, (unsigned)op->number, op->number2);
        break;
    case DW_OP_fbreg:
        push_frame(m, op->number);
        break;
    case DW_OP_call_frame_cfa:
        push_frame(m, 0);
        break;
    case DW_OP_plus_uconst:
        push(m, pop(m) + (uint32_t)op->number);
        break;
    case DW_OP_deref:
        push_memory(m, 4);
        break;
    case DW_OP_deref_size:
        push_memory(m, (unsigned)op->number);
        break;
    case DW_OP_neg:
        push(m, 0u - pop(m));
        break;
    case DW_OP_not:
        push(m, ~pop(m));
        break;
    case DW_OP_stack_value:
        m->value = true;
        break;
    case DW_OP_nop:
        break;
    default:
        calculate(m, op->atom);
    }
}

bool location_evaluate(const debug_view *v, const Dwarf_Op *ops, size_t count, location *l)
{
    machine m = {.v = v};
    if (count == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg15) {
        *l = (location){LOCATION_REGISTER, ops->atom - (uint32_t)DW_OP_reg0};
        return v->frame.known >> l->value & 1;
    }
    for (size_t i = 0; i < count && !m.wrong; i++) {
        if (ops[i].atom >= DW_OP_lit0 && ops[i].atom <= DW_OP_lit31)
            push(&m, ops[i].atom - (unsigned)DW_OP_lit0);
        else if (ops[i].atom >= DW_OP_breg0 && ops[i].atom <= DW_OP_breg31)
            push_register(&m, ops[i].atom - (unsigned)DW_OP_breg0, ops[i].number);
        else
            constant_or_memory(&m, &ops[i]);
    }
    if (!count || m.wrong || !m.depth)
        return false;
    *l = (location){m.value ? LOCATION_VALUE : LOCATION_MEMORY, m.stack[m.depth - 1]};
    return true;
}
