/* SPDX-License-Identifier: MIT */
/* Loops that copy or clear a structure: the compiler makes them of a single statement, so they have no probe, and they go round a
 * fixed number of times: a pointer advances until it meets another one, which is a known distance away. Values are followed as a
 * symbol plus an offset, through registers and those words of the frame whose address nobody takes; a symbol is named after the
 * step where nothing more is known, and stands for what was there when that was executed last. (What an earlier round left has
 * another name, since ways meet at the head of each loop.)
 *
 * Such a loop is a run of instructions without branches, from its head to a `bne` back. The branch is taken out of the graph,
 * and stands for the other rounds. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/routine.h"

enum { WORK_MAX = 1 << 24, TRIPS_MAX = 1 << 16, CONDITION_NE = 1, REGISTERS = 15 };

typedef struct value {
    uint64_t symbol; /* 0: a constant */
    uint32_t offset;
} value;

/* Registers, then slots, before each step that was reached. */
typedef struct trips {
    code *c;
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

static value *slot_of(const trips *t, value *state, const code_step *s, unsigned word)
{
    return t->c->slots[s->word[word]].address < t->escaped ? state + REGISTERS + s->word[word] : NULL;
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
    const code_step *s = &t->c->steps[step];
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
    for (unsigned r = 0; r < REGISTERS; r++)
        if (changed >> r & 1)
            state[r] = fresh(step, r);
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
    if (step == CODE_NONE || (!t->c->steps[step].joined && t->reached[step] && same(t, values_at(t, step), from)))
        return false;
    bool first = !t->reached[step] || !t->c->steps[step].joined;
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
        for (uint32_t i = 0; i < t->c->count; i++) {
            const code_step *s = &t->c->steps[i];
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
static uint32_t find_escaped(const code *c)
{
    uint32_t lowest = UINT32_MAX;
    for (uint32_t i = 0; i < c->count; i++) {
        code_state state = c->steps[i].before;
        code_execute(c, &c->steps[i], &state);
        for (unsigned r = 0; r < REGISTERS; r++)
            if (r != 13 && state.known >> r & 1 && state.r[r] - (CODE_STACK - CODE_FRAME_MAX) < 2 * CODE_FRAME_MAX &&
                state.r[r] < lowest)
                lowest = state.r[r];
    }
    return lowest;
}

/* A loop in the form above. */
typedef struct rounds {
    uint32_t head, latch, compare, length, own;
} rounds;

static bool find_rounds(const code *c, uint32_t latch, rounds *r)
{
    const code_step *back = &c->steps[latch];
    *r = (rounds){.head = back->target, .latch = latch, .compare = CODE_NONE};
    if (back->insn.flow != THUMB_BRANCH || back->condition != CONDITION_NE || back->target == CODE_NONE)
        return false;
    for (uint32_t at = r->head;; at = c->steps[at].next) {
        const code_step *s = at == CODE_NONE ? NULL : &c->steps[at];
        if (!s || (at != r->head && s->joined) || r->length > c->count)
            return false;
        r->length++;
        r->own += s->own;
        if (at == latch)
            return r->compare != CODE_NONE;
        if (s->insn.flow != THUMB_NEXT || s->condition < THUMB_ALWAYS)
            return false;
        if (s->writes >> THUMB_FLAGS & 1)
            r->compare = s->insn.form == THUMB_CMP && s->insn.rm < REGISTERS && !s->insn.shift_kind ? at : CODE_NONE;
    }
}

/* How often it goes round, given the values at its head when it is entered; 0: not known. */
static uint32_t trips_of(const trips *t, const rounds *r, const value *entered)
{
    const thumb_insn *compare = &t->c->steps[r->compare].insn;
    value *state = memory_grow(NULL, t->width, sizeof *state), left = {0, 0}, right = {0, 0};
    uint32_t moved[2], count = 0;
    for (uint32_t i = 0; i < t->width; i++)
        state[i] = fresh(r->head, AT_HEAD + i);
    for (uint32_t at = r->head; at != r->latch; at = t->c->steps[at].next) {
        if (at == r->compare) {
            left = state[compare->rn];
            right = state[compare->rm];
        }
        execute(t, at, state);
    }
    uint64_t a = left.symbol - fresh(r->head, AT_HEAD).symbol,
             b = right.symbol - fresh(r->head, AT_HEAD).symbol; /* which */
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
static bool values_entered(const trips *t, const rounds *r, value *entered)
{
    bool first = true;
    value *out = memory_grow(NULL, t->width, sizeof *out);
    for (uint32_t i = 0; i < t->c->count; i++) {
        const code_step *s = &t->c->steps[i];
        bool leads = s->next == r->head || s->target == r->head;
        for (uint32_t k = 0; k < s->table_count; k++)
            leads |= s->table[k] == r->head;
        if (!leads || i == r->latch || !t->reached[i])
            continue;
        memcpy(out, values_at(t, i), t->width * sizeof *out);
        execute(t, i, out);
        meet(t, r->head, entered, first, out);
        first = false;
    }
    free(out);
    return !first;
}

static void settle(trips *t, const rounds *r, value *entered)
{
    uint32_t count = values_entered(t, r, entered) ? trips_of(t, r, entered) : 0;
    code_step *latch = &t->c->steps[r->latch];
    if (!count)
        return;
    latch->target = CODE_NONE;
    latch->more = (count - 1) * r->length;
    latch->more_own = (count - 1) * r->own;
}

void code_trips(code *c)
{
    trips t = {.c = c, .width = REGISTERS + c->slot_count};
    rounds r;
    bool any = false;
    for (uint32_t i = 0; i < c->count; i++)
        any |= find_rounds(c, i, &r);
    if (!any || (uint64_t)c->count * t.width > WORK_MAX)
        return;
    t.before = memory_zero((size_t)c->count * t.width, sizeof *t.before);
    t.reached = memory_zero(c->count, 1);
    t.escaped = find_escaped(c);
    propagate(&t);
    value *entered = memory_zero(t.width, sizeof *entered);
    for (uint32_t i = 0; i < c->count; i++)
        if (find_rounds(c, i, &r))
            settle(&t, &r, entered);
    free(entered);
    free(t.before);
    free(t.reached);
}
