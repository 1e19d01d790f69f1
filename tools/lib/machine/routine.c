/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/routine.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/writes.h"

#define BIT(n) (UINT64_C(1) << (n))
#define FLAGS BIT(THUMB_FLAGS)
#define REGISTERS UINT64_C(0x7fff)
#define SLOT(number) BIT(CODE_SLOT_BIT + (number)-1)
/* What a call may change, and what it may be given (the procedure call standard). */
#define CLOBBERED (UINT64_C(0x500f) | FLAGS | UINT64_C(0xffff) << 32)
#define ARGUMENTS (UINT64_C(0x200f) | UINT64_C(0xffff) << 32)
#define RETURNED (UINT64_C(0x6fff) | UINT64_C(0xffffffff) << 32)

enum { HEADS_MAX = 64, STEPS_MAX = 1 << 18, SLOTS_MAX = 1 << 12 };

/* ---- conditions and effects ---- */

static uint16_t holds_mask(uint8_t condition)
{
    uint16_t mask = 0;
    for (uint32_t flags = 0; flags < 16; flags++)
        mask |= (uint16_t)(decode_holds(condition, flags << 28) << flags);
    return mask;
}

/* cbz, cbnz: the register is the condition. */
static bool is_compare_branch(const thumb_insn *insn)
{
    return insn->size == 2 && (insn->bytes[1] & 0xf5) == 0xb1;
}

unsigned code_decide(const code_step *s, const code_state *state)
{
    if (is_compare_branch(&s->insn)) {
        unsigned reg = s->insn.bytes[0] & 7;
        if (!(state->known >> reg & 1))
            return CODE_YES | CODE_NO;
        return (state->r[reg] != 0) == (s->insn.bytes[1] >> 3 & 1) ? CODE_YES : CODE_NO;
    }
    if (s->condition >= THUMB_ALWAYS)
        return CODE_YES;
    uint16_t mask = holds_mask(s->condition);
    return (state->flags & mask ? CODE_YES : 0) | (state->flags & ~mask ? CODE_NO : 0);
}

void code_assume(const code_step *s, code_state *state, bool holds)
{
    if (s->condition < THUMB_ALWAYS && !is_compare_branch(&s->insn))
        state->flags &= holds ? holds_mask(s->condition) : (uint16_t)~holds_mask(s->condition);
}

void code_forget(code_state *state, uint64_t what)
{
    uint64_t gone = state->known & what;
    state->known &= ~what;
    for (; gone; gone &= gone - 1) {
        unsigned i = (unsigned)__builtin_ctzll(gone);
        if (i < CODE_SLOT_BIT)
            state->r[i] = 0;
        else
            state->slot[i - CODE_SLOT_BIT] = 0;
    }
    if (what & FLAGS)
        state->flags = CODE_ANY_FLAGS;
}

static void set(code_state *state, unsigned r, uint32_t value)
{
    state->known |= BIT(r);
    state->r[r] = value;
}

/* The flags that a compare or the like leaves: N and Z where its operands are known, C and V where the flags before do not matter. */
static uint16_t flags_after(const thumb_insn *insn, const code_state *before, const thumb_state *values)
{
    uint64_t reads = thumb_compute_reads(insn, THUMB_FLAGS);
    uint32_t flags;
    if ((reads & REGISTERS & ~before->known) || !thumb_compute(insn, values, THUMB_FLAGS, &flags))
        return CODE_ANY_FLAGS;
    if (!(reads & FLAGS))
        return (uint16_t)(1u << (flags >> 28));
    return (uint16_t)(0xfu << (flags >> 28 & 12));
}

static bool is_literal(const thumb_insn *insn)
{
    return insn->memory == THUMB_LOAD && insn->base == THUMB_PC && insn->index == THUMB_NONE &&
           insn->access_size == 4 && !insn->multiple;
}

static uint32_t word_of(const uint8_t *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void load(const code *c, const code_step *s, const code_state *before, code_state *state)
{
    uint32_t address;
    thumb_state none = {{0}};
    const uint8_t *bytes = NULL;
    if (is_literal(&s->insn) && thumb_address(&s->insn, &none, &address))
        bytes = image_bytes(c->im, address, 4);
    if (bytes && s->insn.data[0] < 15)
        set(state, s->insn.data[0], word_of(bytes));
    for (unsigned i = 0; i < s->word_count; i++) {
        unsigned number = c->slots[s->word[i]].number;
        if (number && before->known & SLOT(number))
            set(state, s->word_register[i], before->slot[number - 1]);
    }
}

static void store(const code *c, const code_step *s, const code_state *before, code_state *state)
{
    for (unsigned i = 0; i < s->word_count; i++) {
        unsigned number = c->slots[s->word[i]].number, from = s->word_register[i];
        if (!number)
            continue;
        code_forget(state, SLOT(number));
        if (before->known >> from & 1) {
            state->known |= SLOT(number);
            state->slot[number - 1] = before->r[from];
        }
    }
}

void code_execute(const code *c, const code_step *s, code_state *state)
{
    const code_state before = *state;
    const thumb_insn *insn = &s->insn;
    thumb_state values = {{0}};
    uint32_t value;
    if (s->call) {
        code_forget(state, CLOBBERED & 0xffff);
        return;
    }
    memcpy(values.r, before.r, sizeof before.r);
    code_forget(state, s->writes & REGISTERS);
    bool carries = insn->form == THUMB_ADC || insn->form == THUMB_SBC;
    for (unsigned r = 0; r < 15; r++)
        if (s->writes >> r & 1 && !carries && !(thumb_compute_reads(insn, r) & REGISTERS & ~before.known) &&
            thumb_compute(insn, &values, r, &value))
            set(state, r, value);
    if (s->writes & FLAGS) /* a compare in an IT block leaves them as they are where its condition does not hold */
        state->flags = flags_after(insn, &before, &values);
    if (insn->memory == THUMB_LOAD)
        load(c, s, &before, state);
    if (insn->memory == THUMB_STORE)
        store(c, s, &before, state);
}

/* ---- decoding ---- */

static uint32_t half_at(const code *c, uint32_t address)
{
    const uint8_t *bytes = image_bytes(c->im, address, 2);
    return bytes ? bytes[0] | (uint32_t)bytes[1] << 8 : 0;
}

static bool is_inside(const code *c, uint32_t address)
{
    return address >= c->start && address < c->end && !(address & 1) && !image_data_end(&c->im->symbols, address);
}

/* The condition of a branch, in any of its forms; of others what the IT block gives. */
static uint8_t condition_of(const thumb_insn *insn)
{
    if (insn->flow != THUMB_BRANCH || insn->condition < THUMB_ALWAYS || !insn->falls || is_compare_branch(insn))
        return insn->condition;
    return insn->size == 2 ? insn->bytes[1] & 15 : (uint8_t)((insn->bytes[1] << 2 | insn->bytes[0] >> 6) & 15);
}

static code_call call_to(const code *c, uint32_t address)
{
    const image_symbol *f = image_function(&c->im->symbols, address & ~1u);
    if (!f || f->address != (address & ~1u) || strncmp(f->name, "__weft_", 7))
        return CODE_CALL;
    const char *probe = f->name + 7;
    return !strcmp(probe, "path") || !strcmp(probe, "kpath") || !strcmp(probe, "kpath_exit") ? CODE_PATH : CODE_PROBE;
}

/* The arguments of a probe that it calls, as registers. */
static uint64_t arguments_of(const code *c, const code_step *s)
{
    uint32_t to = s->insn.target;
    if (s->insn.flow == THUMB_CALL_INDIRECT)
        to = s->before.r[s->insn.bytes[0] >> 3 & 15];
    const image_symbol *f = image_function(&c->im->symbols, to & ~1u);
    const char *probe = f ? f->name + 7 : "";
    if (!strcmp(probe, "path") || !strcmp(probe, "mark"))
        return 1;
    return !strcmp(probe, "value64") ? 13 : 3;
}

/* `steps` has room for each halfword of the function. */
static uint32_t add_step(code *c, uint32_t pc, unsigned condition)
{
    unsigned size = thumb_size((uint16_t)half_at(c, pc));
    const uint8_t *bytes = image_bytes(c->im, pc, size);
    code_step *s = &c->steps[c->count];
    *s = (code_step){.next = CODE_NONE, .target = CODE_NONE};
    if (!bytes) {
        c->known = false;
        return CODE_NONE;
    }
    thumb_decode(&s->insn, pc, bytes, size, condition); /* not known to it: goes on, and changes what `writes` says */
    s->writes = decode_writes((uint16_t)half_at(c, pc), (uint16_t)half_at(c, pc + 2), condition < THUMB_ALWAYS);
    s->condition = condition_of(&s->insn);
    return (c->index[(pc - c->start) / 2] = ++c->count) - 1;
}

/* The step at an address, decoded if need be, an IT with all of its block. CODE_NONE: not in the function's code. */
static uint32_t step_at(code *c, uint32_t pc)
{
    uint8_t conditions[4];
    if (!is_inside(c, pc))
        return CODE_NONE;
    if (c->index[(pc - c->start) / 2])
        return c->index[(pc - c->start) / 2] - 1;
    uint32_t step = add_step(c, pc, THUMB_ALWAYS);
    int count = decode_it((uint16_t)half_at(c, pc), conditions);
    pc += 2;
    for (int i = 0; i < count && is_inside(c, pc) && !c->index[(pc - c->start) / 2]; i++) {
        add_step(c, pc, conditions[i]);
        pc += thumb_size((uint16_t)half_at(c, pc));
    }
    return step;
}

static void add_way(code *c, code_step *s, uint32_t pc)
{
    uint32_t to = step_at(c, pc);
    bool known = to == CODE_NONE;
    for (uint32_t i = 0; i < s->table_count; i++)
        known |= s->table[i] == to;
    if (known)
        return;
    s->table = memory_grow(s->table, s->table_count + 1, sizeof *s->table);
    s->table[s->table_count++] = to;
}

/* How many ways a jump table has that is indexed by a register: what the compare before it says. 0: not known. */
static uint32_t bound_of(const code *c, const code_step *s, unsigned index)
{
    for (uint32_t pc = s->insn.pc; pc >= c->start + 2 && s->insn.pc - pc < 16;) {
        pc -= 2;
        uint32_t at = c->index[(pc - c->start) / 2];
        const thumb_insn *insn = at ? &c->steps[at - 1].insn : NULL;
        if (insn && insn->form == THUMB_CMP && insn->rn == index && insn->rm == THUMB_NONE &&
            insn->imm < c->end - c->start)
            return insn->imm + 1;
    }
    return 0;
}

/* A jump table: tbb, tbh, or ldr pc, [base, index, lsl #2]. False: this is none. */
static bool read_table(code *c, code_step *s)
{
    uint32_t first = half_at(c, s->insn.pc), second = half_at(c, s->insn.pc + 2);
    bool halves = (first & 0xfff0) == 0xe8d0;
    unsigned base = halves ? first & 15 : s->insn.base, index = halves ? second & 15 : s->insn.index;
    unsigned size = halves ? 1u + (second >> 4 & 1) : 4;
    bool at_pc = base == 15 || base == THUMB_PC;
    if (!halves && (s->insn.memory != THUMB_LOAD || s->insn.shift != 2 || s->insn.post))
        return false;
    if (index > 14 || !(at_pc || (base < 15 && s->before.known >> base & 1)))
        return false;
    uint32_t table = at_pc ? (s->insn.pc + 4) & (halves ? ~0u : ~3u) : s->before.r[base];
    uint32_t count = bound_of(c, s, index);
    table += halves ? 0 : (uint32_t)s->insn.offset;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = image_bytes(c->im, table + i * size, size);
        uint32_t value = !entry      ? 0
                         : size == 4 ? word_of(entry) & ~1u
                                     : entry[0] | (size == 2 ? (uint32_t)entry[1] << 8 : 0);
        if (entry)
            add_way(c, s, size == 4 ? value : s->insn.pc + 4 + 2 * value);
    }
    return count > 0;
}

/* The ways out of a step, from what is known before it. */
static void find_ways(code *c, code_step *s)
{
    const thumb_insn *insn = &s->insn;
    unsigned reg = insn->bytes[0] >> 3 & 15; /* of bx and blx */
    bool jumps = insn->flow == THUMB_RETURN && insn->size == 2 && insn->bytes[1] == 0x47 && reg != 14;
    if (insn->flow == THUMB_CALL)
        s->call = (uint8_t)call_to(c, insn->target);
    if (insn->flow == THUMB_CALL_INDIRECT)
        s->call = s->before.known >> reg & 1 ? (uint8_t)call_to(c, s->before.r[reg]) : CODE_CALL;
    if (insn->flow == THUMB_BRANCH && is_inside(c, insn->target)) {
        s->target = step_at(c, insn->target);
    } else if (insn->flow == THUMB_BRANCH) {
        s->call = (uint8_t)call_to(c, insn->target);
        s->leaves = true;
    } else if ((insn->flow == THUMB_SWITCH || jumps) && !read_table(c, s)) {
        s->away = c->landing_count > 0;
        s->leaves = !s->away;
        c->known &= s->away || jumps;
    } else if (insn->flow == THUMB_RETURN) {
        s->leaves = true;
    }
    for (uint32_t i = 0; s->away && i < c->landing_count; i++)
        add_way(c, s, c->landings[i]);
    if (insn->falls)
        s->next = step_at(c, insn->pc + insn->size);
}

/* Addresses inside the function that the image holds as words. */
static void find_landings(code *c)
{
    uint32_t address;
    size_t size;
    const uint8_t *part;
    for (size_t i = 0; (part = image_part(c->im, i, &address, &size)); i++)
        for (size_t at = -address & 3; at + 4 <= size; at += 4) {
            uint32_t word = word_of(part + at) & ~1u;
            if (!is_inside(c, word) || word == c->start)
                continue;
            c->landings = memory_grow(c->landings, c->landing_count + 1, sizeof *c->landings);
            c->landings[c->landing_count++] = word;
        }
}

/* ---- constants ---- */

/* Adds a way into a step; true: less is known there than before. */
static bool meet(code_state *to, const code_state *from, bool first)
{
    if (first) {
        *to = *from;
        return true;
    }
    uint64_t known = to->known & from->known;
    uint16_t flags = to->flags | from->flags;
    for (unsigned r = 0; r < 15; r++)
        if (known >> r & 1 && to->r[r] != from->r[r])
            known &= ~BIT(r);
    bool changed = known != to->known || flags != to->flags;
    code_forget(to, to->known & ~known);
    to->flags = flags;
    return changed;
}

typedef struct worklist {
    uint32_t *steps;
    uint8_t *state; /* by step: 1 reached, 2 waiting */
    uint32_t count;
} worklist;

static void reach(code *c, worklist *work, uint32_t step, const code_state *from)
{
    if (step == CODE_NONE)
        return;
    if (meet(&c->steps[step].before, from, !(work->state[step] & 1)) && !(work->state[step] & 2)) {
        work->steps[work->count++] = step;
        work->state[step] |= 2;
    }
    work->state[step] |= 1;
}

/* What may or may not be done leaves what both have in common. */
static code_state after(const code *c, const code_step *s)
{
    code_state done = s->before;
    code_execute(c, s, &done);
    if (s->insn.condition < THUMB_ALWAYS && code_decide(s, &s->before) & CODE_NO) {
        code_state skipped = s->before;
        if (code_decide(s, &s->before) == CODE_NO)
            return skipped;
        meet(&done, &skipped, false);
    }
    return done;
}

/* Decodes all that can be reached, and finds what is always known before each step. */
static void propagate(code *c)
{
    uint32_t room = (c->end - c->start) / 2 + 1;
    worklist work = {memory_zero(room, sizeof *work.steps), memory_zero(room, 1), 0};
    code_state state = {.known = 1u << 13, .flags = CODE_ANY_FLAGS};
    state.r[13] = CODE_STACK;
    reach(c, &work, step_at(c, c->start), &state);
    while (work.count && c->known) {
        code_step *s = &c->steps[work.steps[--work.count]];
        work.state[s - c->steps] &= 1;
        find_ways(c, s);
        state = after(c, s);
        bool branch = s->insn.flow == THUMB_BRANCH;
        unsigned ways = branch ? code_decide(s, &s->before) : CODE_YES | CODE_NO;
        code_state taken = state;
        if (branch) {
            code_assume(s, &taken, true);
            code_assume(s, &state, false);
        }
        if (ways & CODE_YES)
            reach(c, &work, s->target, &taken);
        if (ways & CODE_NO)
            reach(c, &work, s->next, &state);
        for (uint32_t i = 0; i < s->table_count; i++)
            reach(c, &work, s->table[i], &taken);
    }
    free(work.steps);
    free(work.state);
}

/* ---- slots ---- */

static uint16_t slot_at(code *c, uint32_t address)
{
    uint32_t i = 0;
    while (i < c->slot_count && c->slots[i].address != address)
        i++;
    if (i == c->slot_count) {
        c->slots = memory_grow(c->slots, i + 1, sizeof *c->slots);
        c->slots[c->slot_count++] = (code_slot){.address = address};
    }
    return (uint16_t)i;
}

/* Words of the frame that a step loads or stores, one or two. */
static void find_words(code *c, code_step *s)
{
    const thumb_insn *insn = &s->insn;
    uint64_t reads = (insn->base < 15 ? BIT(insn->base) : 0) | (insn->index < 15 ? BIT(insn->index) : 0);
    thumb_state values = {{0}};
    uint32_t address;
    memcpy(values.r, s->before.r, sizeof s->before.r);
    if (!insn->memory || insn->access_size != 4 || (reads & ~s->before.known) || insn->base == THUMB_PC ||
        !thumb_address(insn, &values, &address) || address - (CODE_STACK - CODE_FRAME_MAX) > 2 * CODE_FRAME_MAX)
        return;
    for (unsigned i = 0; i < 2 && insn->data[i] < 15 && c->slot_count < SLOTS_MAX; i++) {
        s->word_register[i] = insn->data[i];
        s->word[i] = slot_at(c, address + 4 * i);
        s->word_count++;
    }
}

/* ---- what is needed, backward ---- */

typedef uint64_t (*transfer)(code *c, code_step *s, uint64_t out, bool *more);

static uint64_t needed_after(const uint64_t *in, const code_step *s)
{
    uint64_t out = s->next != CODE_NONE ? in[s->next] : 0;
    if (s->target != CODE_NONE)
        out |= in[s->target];
    for (uint32_t i = 0; i < s->table_count; i++)
        out |= in[s->table[i]];
    return out;
}

/* Applies a transfer function until nothing changes. `in`: before each step. */
static void solve(code *c, transfer apply, uint64_t *in)
{
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t i = c->count; i-- > 0;) {
            uint64_t before = apply(c, &c->steps[i], needed_after(in, &c->steps[i]), &more);
            more |= before != in[i];
            in[i] = before;
        }
    }
}

static uint64_t kept(const code_step *s, uint64_t out)
{
    return s->insn.condition < THUMB_ALWAYS ? out : out & ~s->writes;
}

static uint64_t called(const code_step *s)
{
    return s->insn.flow == THUMB_CALL_INDIRECT ? s->insn.reads & REGISTERS : 0;
}

static bool words_related(const code *c, const code_step *s)
{
    for (unsigned i = 0; i < s->word_count; i++)
        if (c->slots[s->word[i]].number)
            return true;
    return false;
}

/* Words of the frame that path numbers go through. */
static uint64_t words_need(code *c, code_step *s, uint64_t out, uint64_t in, bool *more)
{
    for (unsigned i = 0; i < s->word_count; i++) {
        code_slot *slot = &c->slots[s->word[i]];
        bool loads = s->insn.memory == THUMB_LOAD && out >> s->word_register[i] & 1;
        if (loads && !slot->number && c->related_slots < CODE_SLOTS_MAX) {
            slot->number = (uint8_t)++c->related_slots;
            *more = true;
        }
        if (loads && slot->number)
            in |= SLOT(slot->number);
        if (s->insn.memory != THUMB_STORE || !slot->number || !(out & SLOT(slot->number)))
            continue;
        s->related = true;
        if (s->insn.condition >= THUMB_ALWAYS)
            in &= ~SLOT(slot->number);
        in |= BIT(s->word_register[i]);
    }
    return in;
}

/* What path numbers are made of, and the flags. */
static uint64_t path_needs(code *c, code_step *s, uint64_t out, bool *more)
{
    const thumb_insn *insn = &s->insn;
    uint64_t flags = (insn->reads & FLAGS) | (s->condition < THUMB_ALWAYS ? FLAGS : 0);
    if (s->call)
        return (out & ~(CLOBBERED & 0xffff)) | called(s) | (s->call == CODE_PATH) | flags;
    uint64_t results = s->writes & out & REGISTERS,
             in = s->insn.condition < THUMB_ALWAYS ? out : out & ~(s->writes & 0xffff);
    s->related = results;
    if (insn->memory)
        in |= insn->base < 15 ? results & BIT(insn->base) : 0;
    else if (results)
        in |= insn->reads & REGISTERS;
    return words_need(c, s, out, in, more) | flags;
}

static bool in_activation(const code *c, const code_step *s)
{
    bool inside = s->word_count > 0;
    for (unsigned i = 0; i < s->word_count; i++)
        inside &= c->activation && c->slots[s->word[i]].address - c->activation < 16;
    return inside && s->insn.memory == THUMB_STORE;
}

/* Registers that arguments of probes are made of. `own` is set of what serves them; it may serve the program too. */
static uint64_t probe_needs(code *c, code_step *s, uint64_t out, bool *more)
{
    (void)more;
    if (s->call)
        return (out & ~CLOBBERED) | (s->call == CODE_CALL ? 0 : called(s) | arguments_of(c, s));
    uint64_t results = s->writes & out;
    bool stores = s->insn.memory == THUMB_STORE && (words_related(c, s) || in_activation(c, s));
    s->own = results || stores;
    return kept(s, out) | (s->own ? s->insn.reads : 0);
}

/* Whether it is needed for more than its results. */
static bool has_effect(const code *c, const code_step *s)
{
    if (s->insn.memory == THUMB_STORE) {
        bool program = !s->word_count;
        for (unsigned i = 0; i < s->word_count; i++)
            program |= !c->slots[s->word[i]].number || c->slots[s->word[i]].needed;
        return program && !in_activation(c, s);
    }
    return s->insn.flow != THUMB_NEXT || !s->writes;
}

/* What the program needs, if its probes are not called. Clears `own` of what serves it. */
static uint64_t program_needs(code *c, code_step *s, uint64_t out, bool *more)
{
    if (s->call > CODE_CALL)
        return s->leaves ? RETURNED : out & ~CLOBBERED;
    if (s->call == CODE_CALL && !s->leaves)
        return (out & ~CLOBBERED) | ARGUMENTS | s->insn.reads;
    if (s->leaves)
        return RETURNED | s->insn.reads | out;
    if (!(out & s->writes) && !has_effect(c, s))
        return out;
    s->own = false;
    for (unsigned i = 0; i < s->word_count && s->insn.memory == THUMB_LOAD; i++) {
        *more |= !c->slots[s->word[i]].needed;
        c->slots[s->word[i]].needed = true;
    }
    return kept(s, out) | s->insn.reads;
}

/* The activation of a k-slab forest is the second argument of its probes. */
static void find_activation(code *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const code_step *s = &c->steps[i];
        if (s->call == CODE_PATH && arguments_of(c, s) & 2 && s->before.known & 2)
            c->activation = s->before.r[1];
    }
}

/* An IT is own if all of its block is. */
static void settle_its(code *c)
{
    uint8_t conditions[4];
    for (uint32_t i = 0; i < c->count; i++) {
        code_step *s = &c->steps[i];
        int count = decode_it((uint16_t)half_at(c, s->insn.pc), conditions);
        bool own = count > 0;
        for (uint32_t k = s->next; own && count-- > 0; k = c->steps[k].next)
            if (!(own = k != CODE_NONE && c->steps[k].own))
                break;
        s->own |= own;
    }
}

static void analyse(code *c)
{
    uint64_t *in = memory_zero(c->count + 1, sizeof *in);
    for (uint32_t i = 0; i < c->count; i++)
        find_words(c, &c->steps[i]);
    find_activation(c);
    solve(c, path_needs, in);
    for (uint32_t i = 0; i < c->count; i++)
        c->steps[i].live = in[i];
    memset(in, 0, c->count * sizeof *in);
    solve(c, probe_needs, in);
    memset(in, 0, c->count * sizeof *in);
    solve(c, program_needs, in);
    for (uint32_t i = 0; i < c->count; i++)
        c->steps[i].own |= c->steps[i].call > CODE_CALL;
    settle_its(c);
    free(in);
}

/* ---- cycles without a path probe ---- */

enum { NEW, ON_THE_WAY, DONE };

typedef struct search {
    uint8_t *color;
    uint32_t *stack, depth;
} search;

static void take_way(code *c, search *s, uint32_t to)
{
    if (to == CODE_NONE)
        return;
    if (s->color[to] == NEW)
        s->stack[s->depth++] = to;
    if (s->color[to] == ON_THE_WAY && !c->steps[to].head) {
        c->known &= c->heads < HEADS_MAX;
        c->steps[to].head = (uint8_t)++c->heads;
    }
}

/* One step of a search in depth. A step that ends a path has no ways here: what is behind it is a start of its own. */
static void search_on(code *c, search *f)
{
    uint32_t at = f->stack[f->depth - 1];
    code_step *s = &c->steps[at];
    if (f->color[at] != NEW) {
        f->color[at] = DONE;
        f->depth--;
        return;
    }
    f->color[at] = ON_THE_WAY;
    if (s->call == CODE_PATH && s->condition >= THUMB_ALWAYS)
        return;
    take_way(c, f, s->next);
    take_way(c, f, s->target);
    for (uint32_t i = 0; !s->away && i < s->table_count; i++)
        take_way(c, f, s->table[i]);
}

static void find_heads(code *c)
{
    size_t ways = 1;
    for (uint32_t i = 0; i < c->count; i++)
        ways += 2 + c->steps[i].table_count;
    search f = {memory_zero(c->count + 1, 1), memory_zero(ways, sizeof *f.stack), 0};
    for (uint32_t root = 0; root < c->count; root++) {
        if (f.color[root] == NEW)
            f.stack[f.depth++] = root;
        while (f.depth)
            search_on(c, &f);
    }
    free(f.color);
    free(f.stack);
}

static void count_way(code *c, uint8_t *ways, uint32_t to)
{
    if (to != CODE_NONE && ways[to] < 2)
        c->steps[to].joined = ++ways[to] == 2;
}

static void find_joins(code *c)
{
    uint8_t *ways = memory_zero(c->count + 1, 1);
    for (uint32_t i = 0; i < c->count; i++)
        c->steps[i].joined = false;
    for (uint32_t i = 0; i < c->count; i++) {
        count_way(c, ways, c->steps[i].next);
        count_way(c, ways, c->steps[i].target);
        for (uint32_t k = 0; k < c->steps[i].table_count; k++)
            count_way(c, ways, c->steps[i].table[k]);
    }
    free(ways);
}

code *code_new(const image *im, uint32_t start, uint32_t end, bool gotos)
{
    code *c = memory_zero(1, sizeof *c);
    *c = (code){.im = im, .start = start, .end = end, .known = end > start && (end - start) / 2 < STEPS_MAX};
    if (!c->known)
        return c;
    c->steps = memory_zero((end - start) / 2 + 1, sizeof *c->steps);
    c->index = memory_zero((end - start) / 2 + 1, sizeof *c->index);
    if (gotos)
        find_landings(c);
    propagate(c);
    c->known &= c->count > 0;
    if (c->known) {
        analyse(c);
        find_joins(c);
        code_trips(c);
        find_joins(c);
        find_heads(c);
    }
    return c;
}

void code_free(code *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; i < c->count; i++)
        free(c->steps[i].table);
    free(c->steps);
    free(c->slots);
    free(c->index);
    free(c->landings);
    free(c);
}
