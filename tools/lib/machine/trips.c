/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/trips.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { WORK_MAX = 1 << 24, TRIPS_MAX = 1 << 16, CONDITION_NE = 1, REGISTERS = 15 };

typedef struct value {
    uint64_t symbol; /* 0: a constant */
    uint32_t offset;
} value;

/* Registers, then slots, before each step that was reached. */
typedef struct trips {
    routine *r;
    value *before;
    uint8_t *reached;
    uint32_t width, escaped; /* escaped: the lowest address of the frame that is taken */
} trips;

/* Places: 0.. of results, JOINED.. of registers and slots where ways meet, AT_HEAD.. of those at the head of a loop. */
enum { JOINED = 1 << 8, AT_HEAD = 1 << 18 };

static value fresh(uint32_t step, uint32_t place)
{
    return (value){1 + ((uint64_t)step << 20 | place), 0};
}

static value *slot_of(const trips *t, value *state, const routine_step *s, unsigned word)
{
    return t->r->slots[s->word[word]].address < t->escaped ? state + REGISTERS + s->word[word] : NULL;
}

/* The sum or difference of a register and a constant; false: not of this form. */
static bool is_sum(const thumb_insn *insn, const value *state, value *result)
{
    bool plain = insn->rm == THUMB_NONE, move = insn->form == THUMB_MOV;
    if ((!move && insn->form != THUMB_ADD && insn->form != THUMB_SUB) || insn->shift_kind || insn->memory)
        return false;
    if (move) {
        if (!plain && insn->rm >= REGISTERS)
            return false;
        *result = plain ? (value){0, insn->imm} : state[insn->rm];
        return true;
    }
    if (!plain || insn->rn >= REGISTERS)
        return false;
    *result = state[insn->rn];
    result->offset += insn->form == THUMB_ADD ? insn->imm : 0 - insn->imm;
    return true;
}

static void execute(const trips *t, uint32_t step, value *state)
{
    const routine_step *s = &t->r->steps[step];
    const thumb_insn *insn = &s->insn;
    value sum, base = insn->base < REGISTERS ? state[insn->base] : (value){0, 0}, loaded[2];
    uint64_t changed = s->call ? 0x500f : s->writes & 0x7fff;
    bool is = !s->call && insn->condition >= THUMB_ALWAYS && is_sum(insn, state, &sum);
    for (unsigned i = 0; i < s->word_count; i++) {
        const value *slot = slot_of(t, state, s, i);
        loaded[i] = slot ? *slot : fresh(step, s->word_register[i]);
    }
    for (unsigned i = 0; i < s->word_count && insn->memory == THUMB_STORE; i++) {
        value *slot = slot_of(t, state, s, i);
        if (slot)
            *slot = insn->condition >= THUMB_ALWAYS ? state[s->word_register[i]] : fresh(step, REGISTERS + i);
    }
    for (unsigned i = 0; i < REGISTERS; i++)
        if (changed >> i & 1)
            state[i] = fresh(step, i);
    if (insn->condition < THUMB_ALWAYS || s->call)
        return;
    for (unsigned i = 0; i < s->word_count && insn->memory == THUMB_LOAD; i++)
        state[s->word_register[i]] = loaded[i];
    if (is && insn->rd < REGISTERS)
        state[insn->rd] = sum;
    bool loads_base = insn->memory == THUMB_LOAD && insn->base < REGISTERS && insn->list >> insn->base & 1;
    if (insn->access_size && insn->writeback && insn->base < REGISTERS && !loads_base)
        state[insn->base] = (value){base.symbol, base.offset + (uint32_t)insn->delta};
}

/* Adds a way into a step; true: less is known there than before. */
static bool meet(const trips *t, uint32_t step, value *to, bool first, const value *from)
{
    bool changed = first;
    if (first)
        memcpy(to, from, t->width * sizeof *to);
    for (uint32_t i = 0; i < t->width; i++) {
        value own = fresh(step, JOINED + i);
        if ((to[i].symbol == from[i].symbol && to[i].offset == from[i].offset) || to[i].symbol == own.symbol)
            continue;
        to[i] = own;
        changed = true;
    }
    return changed;
}

static value *values_at(const trips *t, uint32_t step)
{
    return t->before + (size_t)step * t->width;
}

static bool same(const trips *t, const value *a, const value *b)
{
    for (uint32_t i = 0; i < t->width; i++)
        if (a[i].symbol != b[i].symbol || a[i].offset != b[i].offset)
            return false;
    return true;
}

/* Where only one way leads, its values are taken over as they change. */
static bool reach(trips *t, uint32_t step, const value *from)
{
    if (step == ROUTINE_NONE || (!t->r->steps[step].joined && t->reached[step] && same(t, values_at(t, step), from)))
        return false;
    bool first = !t->reached[step] || !t->r->steps[step].joined;
    t->reached[step] = 1;
    return meet(t, step, values_at(t, step), first, from);
}

static void propagate(trips *t)
{
    value *out = memory_grow(NULL, t->width, sizeof *out);
    bool more = true;
    for (uint32_t i = 0; i < t->width; i++)
        t->before[i] = fresh(0, JOINED + i);
    t->reached[0] = 1;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < t->r->count; i++) {
            const routine_step *s = &t->r->steps[i];
            if (!t->reached[i])
                continue;
            memcpy(out, values_at(t, i), t->width * sizeof *out);
            execute(t, i, out);
            more |= reach(t, s->next, out);
            more |= reach(t, s->target, out);
            for (uint32_t k = 0; k < s->table_count; k++)
                more |= reach(t, s->table[k], out);
        }
    }
    free(out);
}

/* The lowest address of the frame that stands in a register other than the stack pointer. */
static uint32_t find_escaped(const routine *r)
{
    uint32_t lowest = UINT32_MAX;
    for (uint32_t i = 0; i < r->count; i++) {
        routine_state state = r->steps[i].before;
        routine_execute(r, &r->steps[i], &state);
        for (unsigned reg = 0; reg < REGISTERS; reg++)
            if (reg != 13 && state.known >> reg & 1 &&
                state.r[reg] - (ROUTINE_STACK - ROUTINE_FRAME_MAX) < 2 * ROUTINE_FRAME_MAX && state.r[reg] < lowest)
                lowest = state.r[reg];
    }
    return lowest;
}

/* A loop in the form above. */
typedef struct rounds {
    uint32_t head, latch, compare, length, own;
} rounds;

static bool find_rounds(const routine *r, uint32_t latch, rounds *loop)
{
    const routine_step *back = &r->steps[latch];
    *loop = (rounds){.head = back->target, .latch = latch, .compare = ROUTINE_NONE};
    if (back->insn.flow != THUMB_BRANCH || back->condition != CONDITION_NE || back->target == ROUTINE_NONE ||
        r->steps[back->target].counted)
        return false;
    for (uint32_t at = loop->head;; at = r->steps[at].next) {
        const routine_step *s = at == ROUTINE_NONE ? NULL : &r->steps[at];
        if (!s || (at != loop->head && s->joined) || loop->length > r->count)
            return false;
        loop->length++;
        loop->own += s->own;
        if (at == latch)
            return loop->compare != ROUTINE_NONE;
        if (s->insn.flow != THUMB_NEXT || s->condition < THUMB_ALWAYS)
            return false;
        if (s->writes >> THUMB_FLAGS & 1)
            loop->compare =
                s->insn.form == THUMB_CMP && s->insn.rm < REGISTERS && !s->insn.shift_kind ? at : ROUTINE_NONE;
    }
}

/* How often it goes round, given the values at its head when it is entered; 0: not known. */
static uint32_t trips_of(const trips *t, const rounds *loop, const value *entered)
{
    const thumb_insn *compare = &t->r->steps[loop->compare].insn;
    value *state = memory_grow(NULL, t->width, sizeof *state), left = {0, 0}, right = {0, 0};
    uint32_t moved[2], count = 0;
    for (uint32_t i = 0; i < t->width; i++)
        state[i] = fresh(loop->head, AT_HEAD + i);
    for (uint32_t at = loop->head; at != loop->latch; at = t->r->steps[at].next) {
        if (at == loop->compare) {
            left = state[compare->rn];
            right = state[compare->rm];
        }
        execute(t, at, state);
    }
    uint64_t a = left.symbol - fresh(loop->head, AT_HEAD).symbol,
             b = right.symbol - fresh(loop->head, AT_HEAD).symbol; /* which */
    bool fixed = a < t->width && b < t->width && entered[a].symbol == entered[b].symbol &&
                 state[a].symbol == left.symbol && state[b].symbol == right.symbol;
    if (fixed) {
        moved[0] = state[a].offset;
        moved[1] = state[b].offset;
        uint32_t distance = entered[b].offset + right.offset - entered[a].offset - left.offset,
                 step = moved[0] - moved[1];
        if ((int32_t)step < 0) {
            step = 0 - step;
            distance = 0 - distance;
        }
        if (step && distance % step == 0 && distance / step < TRIPS_MAX)
            count = distance / step + 1;
    }
    free(state);
    return count;
}

/* What is known at the head by the ways into the loop. False: none leads there. */
static bool values_entered(const trips *t, const rounds *loop, value *entered)
{
    bool first = true;
    value *out = memory_grow(NULL, t->width, sizeof *out);
    for (uint32_t i = 0; i < t->r->count; i++) {
        const routine_step *s = &t->r->steps[i];
        bool leads = s->next == loop->head || s->target == loop->head;
        for (uint32_t k = 0; k < s->table_count; k++)
            leads |= s->table[k] == loop->head;
        if (!leads || i == loop->latch || !t->reached[i])
            continue;
        memcpy(out, values_at(t, i), t->width * sizeof *out);
        execute(t, i, out);
        meet(t, loop->head, entered, first, out);
        first = false;
    }
    free(out);
    return !first;
}

static void settle(trips *t, const rounds *loop, value *entered)
{
    uint32_t count = values_entered(t, loop, entered) ? trips_of(t, loop, entered) : 0;
    routine_step *latch = &t->r->steps[loop->latch];
    if (!count)
        return;
    latch->target = ROUTINE_NONE;
    latch->more = (count - 1) * loop->length;
    latch->more_own = (count - 1) * loop->own;
}

void trips_settle(routine *r)
{
    trips t = {.r = r, .width = REGISTERS + r->slot_count};
    rounds loop;
    bool any = false;
    for (uint32_t i = 0; i < r->count; i++)
        any |= find_rounds(r, i, &loop);
    if (!any || (uint64_t)r->count * t.width > WORK_MAX)
        return;
    t.before = memory_zero((size_t)r->count * t.width, sizeof *t.before);
    t.reached = memory_zero(r->count, 1);
    t.escaped = find_escaped(r);
    propagate(&t);
    value *entered = memory_zero(t.width, sizeof *entered);
    for (uint32_t i = 0; i < r->count; i++)
        if (find_rounds(r, i, &loop))
            settle(&t, &loop, entered);
    free(entered);
    free(t.before);
    free(t.reached);
}
