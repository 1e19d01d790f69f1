/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/local_value.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

enum { STACK = 8 };

/* A location expression that is worked out. */
typedef struct machine {
    const uint32_t *r;
    uint32_t known, stack[STACK];
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

static void push_register(machine *m, uint64_t r, uint64_t offset)
{
    m->wrong |= r > 15 || !(m->known >> (r & 15) & 1);
    push(m, m->r[r & 15] + offset);
}

static void calculate(machine *m, unsigned atom)
{
    uint32_t b = pop(m), a = pop(m);
    m->wrong |= atom != DW_OP_plus && atom != DW_OP_minus && atom != DW_OP_mul && atom != DW_OP_shl &&
                atom != DW_OP_or && atom != DW_OP_and;
    push(m, atom == DW_OP_plus    ? a + b
            : atom == DW_OP_minus ? a - b
            : atom == DW_OP_mul   ? (uint64_t)a * b
            : atom == DW_OP_or    ? (a | b)
            : atom == DW_OP_and   ? (a & b)
            : b < 32              ? (uint64_t)a << b
                                  : 0);
}

static void step(machine *m, const Dwarf_Op *op)
{
    unsigned atom = op->atom;
    bool constant = atom >= DW_OP_const1u && atom <= DW_OP_consts;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
        push(m, atom - (unsigned)DW_OP_lit0);
    else if (constant)
        push(m, op->number);
    else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
        push_register(m, atom - (unsigned)DW_OP_breg0, op->number);
    else if (atom == DW_OP_plus_uconst)
        push(m, pop(m) + op->number);
    else if (atom == DW_OP_stack_value)
        m->value = true;
    else
        calculate(m, atom);
}

static bool evaluate(machine *m, const Dwarf_Op *op, size_t count, uint32_t *value)
{
    if (count == 1 && op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg15) {
        push_register(m, op->atom - (unsigned)DW_OP_reg0, 0);
        m->value = true;
        count = 0;
    }
    for (size_t i = 0; i < count && !m->wrong; i++)
        step(m, &op[i]);
    *value = pop(m);
    return m->value && !m->wrong;
}

/* A child by its tag, and by its name or an instruction in it. */
static bool find_child(Dwarf_Die *parent, int tag, const char *name, uint32_t pc, Dwarf_Die *die)
{
    for (int more = dwarf_child(parent, die); more == 0; more = dwarf_siblingof(die, die)) {
        const char *own = name && dwarf_tag(die) == tag ? dwarf_diename(die) : NULL;
        if (name ? own && !strcmp(own, name) : dwarf_tag(die) == tag && dwarf_haspc(die, pc) == 1)
            return true;
    }
    return false;
}

bool image_local_value(const image *im, uint32_t pc, const char *name, const uint32_t r[16], uint32_t known,
                       uint32_t *value)
{
    Dwarf *dwarf = image_dwarf(im);
    Dwarf_Die unit, function, variable;
    Dwarf_Attribute a;
    Dwarf_Op *ops;
    size_t count;
    machine m = {.r = r, .known = known};
    return dwarf && dwarf_addrdie(dwarf, pc, &unit) && find_child(&unit, DW_TAG_subprogram, NULL, pc, &function) &&
           find_child(&function, DW_TAG_variable, name, pc, &variable) &&
           dwarf_attr_integrate(&variable, DW_AT_location, &a) &&
           dwarf_getlocation_addr(&a, pc, &ops, &count, 1) == 1 && evaluate(&m, ops, count, value);
}
