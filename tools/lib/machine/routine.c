/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/routine.h"

#include <stdlib.h>
#include <string.h>

bool routine_is_compare_branch(const thumb_insn *insn)
{
    return insn->size == 2 && (insn->bytes[1] & 0xf5) == 0xb1;
}

uint32_t routine_word(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint32_t routine_half(const routine *r, uint32_t address)
{
    const uint8_t *bytes = image_bytes(r->im, address, 2);
    return bytes ? bytes[0] | (uint32_t)bytes[1] << 8 : 0;
}

/* ---- conditions and effects ---- */

static uint16_t holds_mask(uint8_t condition)
{
    uint16_t mask = 0;
    for (uint32_t flags = 0; flags < 16; flags++)
        mask |= (uint16_t)(thumb_holds(condition, flags << 28) << flags);
    return mask;
}

unsigned routine_decide(const routine_step *s, const routine_state *state)
{
    if (routine_is_compare_branch(&s->insn)) {
        unsigned reg = s->insn.bytes[0] & 7;
        if (!(state->known >> reg & 1))
            return ROUTINE_YES | ROUTINE_NO;
        return (state->r[reg] != 0) == (s->insn.bytes[1] >> 3 & 1) ? ROUTINE_YES : ROUTINE_NO;
    }
    if (s->condition >= THUMB_ALWAYS)
        return ROUTINE_YES;
    uint16_t mask = holds_mask(s->condition);
    return (state->flags & mask ? ROUTINE_YES : 0) | (state->flags & ~mask ? ROUTINE_NO : 0);
}

void routine_assume(const routine_step *s, routine_state *state, bool holds)
{
    if (s->condition < THUMB_ALWAYS && !routine_is_compare_branch(&s->insn))
        state->flags &= holds ? holds_mask(s->condition) : (uint16_t)~holds_mask(s->condition);
}

void routine_forget(routine_state *state, uint64_t what)
{
    uint64_t gone = state->known & what;
    state->known &= ~what;
    for (; gone; gone &= gone - 1) {
        unsigned i = (unsigned)__builtin_ctzll(gone);
        if (i < ROUTINE_SLOT_BIT)
            state->r[i] = 0;
        else
            state->slot[i - ROUTINE_SLOT_BIT] = 0;
    }
    if (what & ROUTINE_FLAGS)
        state->flags = ROUTINE_ANY_FLAGS;
}

static void set(routine_state *state, unsigned reg, uint32_t value)
{
    state->known |= ROUTINE_BIT(reg);
    state->r[reg] = value;
}

/* The flags that a compare or the like leaves: N and Z where its operands are known, C and V where the flags before do
 * not matter. */
static uint16_t flags_after(const thumb_insn *insn, const routine_state *before, const thumb_state *values)
{
    uint64_t reads = thumb_compute_reads(insn, THUMB_FLAGS);
    uint32_t flags;
    if ((reads & ROUTINE_REGISTERS & ~before->known) || !thumb_compute(insn, values, THUMB_FLAGS, &flags))
        return ROUTINE_ANY_FLAGS;
    if (!(reads & ROUTINE_FLAGS))
        return (uint16_t)(1u << (flags >> 28));
    return (uint16_t)(0xfu << (flags >> 28 & 12));
}

static bool is_literal(const thumb_insn *insn)
{
    return insn->memory == THUMB_LOAD && insn->base == THUMB_PC && insn->index == THUMB_NONE &&
           insn->access_size == 4 && !insn->multiple;
}

static void load(const routine *r, const routine_step *s, const routine_state *before, routine_state *state)
{
    uint32_t address;
    thumb_state none = {{0}};
    const uint8_t *bytes = NULL;
    if (is_literal(&s->insn) && thumb_address(&s->insn, &none, &address))
        bytes = image_bytes(r->im, address, 4);
    if (bytes && s->insn.data[0] < 15)
        set(state, s->insn.data[0], routine_word(bytes));
    for (unsigned i = 0; i < s->word_count; i++) {
        unsigned number = r->slots[s->word[i]].number;
        if (number && before->known & ROUTINE_SLOT(number))
            set(state, s->word_register[i], before->slot[number - 1]);
    }
}

static void store(const routine *r, const routine_step *s, const routine_state *before, routine_state *state)
{
    for (unsigned i = 0; i < s->word_count; i++) {
        unsigned number = r->slots[s->word[i]].number, from = s->word_register[i];
        if (!number)
            continue;
        routine_forget(state, ROUTINE_SLOT(number));
        if (before->known >> from & 1) {
            state->known |= ROUTINE_SLOT(number);
            state->slot[number - 1] = before->r[from];
        }
    }
}

/* vpush and vpop move the stack pointer; thumb_compute() leaves them out, and files rest on what it leaves out. */
static void move_stack(const thumb_insn *insn, const routine_state *before, routine_state *state)
{
    unsigned first = (unsigned)insn->bytes[1] << 8 | (insn->bytes[0] & ~0x40u), moved = 4u * insn->bytes[2];
    bool floats = insn->size == 4 && (insn->bytes[3] & 0x0e) == 0x0a;
    if (floats && (first == 0xed2d || first == 0xecbd) && before->known >> 13 & 1)
        set(state, 13, before->r[13] + (first == 0xecbd ? moved : 0u - moved));
}

void routine_execute(const routine *r, const routine_step *s, routine_state *state)
{
    const routine_state before = *state;
    const thumb_insn *insn = &s->insn;
    thumb_state values = {{0}};
    uint32_t value;
    if (s->call) {
        routine_forget(state, ROUTINE_CLOBBERED & 0xffff);
        return;
    }
    memcpy(values.r, before.r, sizeof before.r);
    routine_forget(state, s->writes & ROUTINE_REGISTERS);
    bool carries = insn->form == THUMB_ADC || insn->form == THUMB_SBC;
    for (unsigned reg = 0; reg < 15; reg++)
        if (s->writes >> reg & 1 && !carries && !(thumb_compute_reads(insn, reg) & ROUTINE_REGISTERS & ~before.known) &&
            thumb_compute(insn, &values, reg, &value))
            set(state, reg, value);
    move_stack(insn, &before, state);
    if (s->writes &
        ROUTINE_FLAGS) /* a compare in an IT block leaves them as they are where its condition does not hold */
        state->flags = flags_after(insn, &before, &values);
    if (insn->memory == THUMB_LOAD)
        load(r, s, &before, state);
    if (insn->memory == THUMB_STORE)
        store(r, s, &before, state);
}

void routine_free(routine *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; i < r->count; i++)
        free(r->steps[i].table);
    free(r->steps);
    free(r->slots);
    free(r->index);
    free(r->landings);
    free(r);
}
