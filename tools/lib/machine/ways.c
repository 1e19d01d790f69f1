/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/ways.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/decode_in.h"
#include "tools/lib/machine/writes.h"

/* ---- decoding ---- */

static bool is_inside(const routine *r, uint32_t address)
{
    return address >= r->start && address < r->end && !(address & 1) && !image_data_end(&r->im->symbols, address);
}

/* The condition of a branch, in any of its forms. Of other instructions: that of the IT block. */
static uint8_t condition_of(const thumb_insn *insn)
{
    if (insn->flow != THUMB_BRANCH || insn->condition < THUMB_ALWAYS || !insn->falls || routine_is_compare_branch(insn))
        return insn->condition;
    return insn->size == 2 ? insn->bytes[1] & 15 : (uint8_t)((insn->bytes[1] << 2 | insn->bytes[0] >> 6) & 15);
}

static routine_call call_to(const routine *r, uint32_t address)
{
    const image_symbol *f = image_function(&r->im->symbols, address & ~1u);
    if (!f || f->address != (address & ~1u) || strncmp(f->name, "__weft_", 7))
        return ROUTINE_CALL;
    const char *probe = f->name + (strncmp(f->name, "__weft_kept_", 12) ? 7 : 12);
    if (!strcmp(probe, "path") || !strcmp(probe, "kpath") || !strcmp(probe, "kpath_exit"))
        return ROUTINE_PATH;
    if (!strcmp(probe, "packed") || !strcmp(probe, "packed_full"))
        return probe[6] ? ROUTINE_PACK_FULL : ROUTINE_PACK;
    if (!strcmp(probe, "access") || !strcmp(probe, "value") || !strcmp(probe, "value64"))
        return ROUTINE_PROBE;
    return !strcmp(probe, "loop") ? ROUTINE_LOOP : !strcmp(probe, "loop_path") ? ROUTINE_LOOP_PATH : ROUTINE_ASIDE;
}

/* `steps` has room for each halfword of the function. */
static uint32_t add_step(routine *r, uint32_t pc, unsigned condition)
{
    unsigned size = thumb_size((uint16_t)routine_half(r, pc));
    const uint8_t *bytes = image_bytes(r->im, pc, size);
    routine_step *s = &r->steps[r->count];
    *s = (routine_step){.next = ROUTINE_NONE, .target = ROUTINE_NONE, .not_full = ROUTINE_NONE};
    if (!bytes) {
        r->known = false;
        return ROUTINE_NONE;
    }
    /* What is not known to it goes on, and changes what `writes` says. */
    thumb_decode_in(&s->insn, r->im, pc, bytes, size, condition);
    s->writes =
        thumb_writes((uint16_t)routine_half(r, pc), (uint16_t)routine_half(r, pc + 2), condition < THUMB_ALWAYS);
    s->condition = condition_of(&s->insn);
    return (r->index[(pc - r->start) / 2] = ++r->count) - 1;
}

/* The step at an address, decoded if need be, an IT with all of its block. ROUTINE_NONE: not in the function's code. */
static uint32_t step_at(routine *r, uint32_t pc)
{
    uint8_t conditions[4];
    if (!is_inside(r, pc))
        return ROUTINE_NONE;
    if (r->index[(pc - r->start) / 2])
        return r->index[(pc - r->start) / 2] - 1;
    uint32_t step = add_step(r, pc, THUMB_ALWAYS);
    int count = thumb_it((uint16_t)routine_half(r, pc), conditions);
    pc += 2;
    for (int i = 0; i < count && is_inside(r, pc) && !r->index[(pc - r->start) / 2]; i++) {
        add_step(r, pc, conditions[i]);
        pc += thumb_size((uint16_t)routine_half(r, pc));
    }
    return step;
}

static void add_way(routine *r, routine_step *s, uint32_t pc)
{
    uint32_t to = step_at(r, pc);
    bool known = to == ROUTINE_NONE;
    for (uint32_t i = 0; i < s->table_count; i++)
        known |= s->table[i] == to;
    if (known)
        return;
    s->table = memory_room(s->table, s->table_count, &s->table_max, sizeof *s->table);
    s->table[s->table_count++] = to;
}

/* How many ways a jump table has that is indexed by a register: what the compare before it says. 0: not known. */
static uint32_t bound_of(const routine *r, const routine_step *s, unsigned index)
{
    for (uint32_t pc = s->insn.pc; pc >= r->start + 2 && s->insn.pc - pc < 16;) {
        pc -= 2;
        uint32_t at = r->index[(pc - r->start) / 2];
        const thumb_insn *insn = at ? &r->steps[at - 1].insn : NULL;
        if (insn && insn->form == THUMB_CMP && insn->rn == index && insn->rm == THUMB_NONE &&
            insn->imm < r->end - r->start)
            return insn->imm + 1;
    }
    return 0;
}

/* A jump table: tbb, tbh, or ldr pc, [base, index, lsl #2]. False: this is none. */
static bool read_table(routine *r, routine_step *s)
{
    uint32_t first = routine_half(r, s->insn.pc), second = routine_half(r, s->insn.pc + 2);
    bool halves = (first & 0xfff0) == 0xe8d0;
    unsigned base = halves ? first & 15 : s->insn.base, index = halves ? second & 15 : s->insn.index;
    unsigned size = halves ? 1u + (second >> 4 & 1) : 4;
    bool at_pc = base == 15 || base == THUMB_PC;
    if (!halves && (s->insn.memory != THUMB_LOAD || s->insn.shift != 2 || s->insn.post))
        return false;
    if (index > 14 || !(at_pc || (base < 15 && s->before.known >> base & 1)))
        return false;
    uint32_t table = at_pc ? (s->insn.pc + 4) & (halves ? ~0u : ~3u) : s->before.r[base];
    uint32_t count = bound_of(r, s, index);
    table += halves ? 0 : (uint32_t)s->insn.offset;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = image_bytes(r->im, table + i * size, size);
        uint32_t value = !entry      ? 0
                         : size == 4 ? routine_word(entry) & ~1u
                                     : entry[0] | (size == 2 ? (uint32_t)entry[1] << 8 : 0);
        if (entry)
            add_way(r, s, size == 4 ? value : s->insn.pc + 4 + 2 * value);
    }
    return count > 0;
}

/* steps: between the question whether a pack is full, and its call; and after the call. Registers are saved there */
enum { RARE_MAX = 24 };

/* The call that records a full pack, if the steps from here on lead to it without a choice; or ROUTINE_NONE. */
static uint32_t full_call(routine *r, uint32_t step)
{
    for (int i = 0; i < RARE_MAX && step != ROUTINE_NONE; i++) {
        const thumb_insn *insn = &r->steps[step].insn;
        if (insn->flow == THUMB_CALL)
            return call_to(r, insn->target) == ROUTINE_PACK_FULL ? step : ROUTINE_NONE;
        if (insn->condition < THUMB_ALWAYS || (insn->flow != THUMB_NEXT && (insn->flow != THUMB_BRANCH || insn->falls)))
            return ROUTINE_NONE;
        step = step_at(r, insn->flow == THUMB_NEXT ? insn->pc + insn->size : insn->target);
    }
    return ROUTINE_NONE;
}

/* Steps up to the call, and after it to `end`, are rare. */
static void mark_rare(routine *r, uint32_t step, uint32_t call, uint32_t end)
{
    bool after = false, more = true;
    uint32_t count = 0;
    while (more && count < 2 * RARE_MAX && step != ROUTINE_NONE && step != end) {
        const thumb_insn *insn = &r->steps[step].insn;
        more = insn->flow == THUMB_NEXT || step == call || (!after && insn->flow == THUMB_BRANCH);
        r->steps[step].rare = true;
        count++;
        after |= step == call;
        step = step_at(r, insn->flow == THUMB_BRANCH ? insn->target : insn->pc + insn->size);
    }
    r->steps[call].rare_count = count;
}

/* Steps of IT blocks before the branch that have this condition, by the same flags. */
static void mark_never(routine *r, const routine_step *branch, unsigned condition)
{
    for (uint32_t pc = branch->insn.pc; pc >= r->start + 2 && branch->insn.pc - pc < 20;) {
        pc -= 2;
        uint32_t at = r->index[(pc - r->start) / 2];
        if (!at)
            continue;
        routine_step *s = &r->steps[at - 1];
        if (s->insn.flow != THUMB_NEXT || (s->writes & ROUTINE_FLAGS))
            return;
        s->never |= s->insn.condition == condition;
        s->always |= s->insn.condition == (condition ^ 1);
    }
}

/* A branch that asks whether a pack is full: whether it is does not change what the program does, and a path ends
 * either way. So the routine is read as if it always were: then a call stands where the path ends. */
static void settle_full(routine *r, routine_step *s)
{
    if (s->insn.flow != THUMB_BRANCH || s->next == ROUTINE_NONE || s->target == ROUTINE_NONE)
        return;
    uint32_t by_next = full_call(r, s->next), by_target = full_call(r, s->target);
    if ((by_next == ROUTINE_NONE) == (by_target == ROUTINE_NONE))
        return;
    bool next = by_next != ROUTINE_NONE;
    s->full = true;
    if (s->condition < THUMB_ALWAYS)
        mark_never(r, s, s->condition ^ !next);
    mark_rare(r, next ? s->next : s->target, next ? by_next : by_target, next ? s->target : s->next);
    s->not_full = next ? s->target : s->next;
    *(next ? &s->target : &s->next) = ROUTINE_NONE;
}

/* The ways out of a step, from what is known before it. */
static void find_ways(routine *r, routine_step *s)
{
    const thumb_insn *insn = &s->insn;
    unsigned reg = insn->bytes[0] >> 3 & 15; /* of bx and blx */
    bool jumps = insn->flow == THUMB_RETURN && insn->size == 2 && insn->bytes[1] == 0x47 && reg != 14;
    if (insn->flow == THUMB_CALL)
        s->call = (uint8_t)call_to(r, insn->target);
    if (insn->flow == THUMB_CALL_INDIRECT)
        s->call = s->before.known >> reg & 1 ? (uint8_t)call_to(r, s->before.r[reg]) : ROUTINE_CALL;
    if (insn->flow == THUMB_BRANCH && is_inside(r, insn->target)) {
        s->target = step_at(r, insn->target);
    } else if (insn->flow == THUMB_BRANCH) {
        s->call = (uint8_t)call_to(r, insn->target);
        s->leaves = true;
    } else if ((insn->flow == THUMB_SWITCH || jumps) && !read_table(r, s)) {
        s->away = r->landing_count > 0;
        s->leaves = !s->away;
        r->known &= s->away || jumps;
    } else if (insn->flow == THUMB_RETURN) {
        s->leaves = true;
    }
    for (uint32_t i = 0; s->away && i < r->landing_count; i++)
        add_way(r, s, r->landings[i]);
    if (insn->falls)
        s->next = step_at(r, insn->pc + insn->size);
    settle_full(r, s);
}

/* Addresses inside the function that the image holds as words. */
static void find_landings(routine *r)
{
    uint32_t address;
    size_t size;
    const uint8_t *part;
    for (size_t i = 0; (part = image_part(r->im, i, &address, &size)); i++)
        for (size_t at = -address & 3; at + 4 <= size; at += 4) {
            uint32_t word = routine_word(part + at) & ~1u;
            if (!is_inside(r, word) || word == r->start)
                continue;
            r->landings = memory_room(r->landings, r->landing_count, &r->landing_max, sizeof *r->landings);
            r->landings[r->landing_count++] = word;
        }
}

/* ---- constants ---- */

/* Adds a way into a step; true: less is known there than before. */
static bool meet(routine_state *to, const routine_state *from, bool first)
{
    if (first) {
        *to = *from;
        return true;
    }
    uint64_t known = to->known & from->known;
    uint16_t flags = to->flags | from->flags;
    for (unsigned reg = 0; reg < 15; reg++)
        if (known >> reg & 1 && to->r[reg] != from->r[reg])
            known &= ~ROUTINE_BIT(reg);
    bool changed = known != to->known || flags != to->flags;
    routine_forget(to, to->known & ~known);
    to->flags = flags;
    return changed;
}

typedef struct worklist {
    uint32_t *steps;
    uint8_t *state; /* by step: 1 reached, 2 waiting */
    uint32_t count;
} worklist;

static void reach(routine *r, worklist *work, uint32_t step, const routine_state *from)
{
    if (step == ROUTINE_NONE)
        return;
    if (meet(&r->steps[step].before, from, !(work->state[step] & 1)) && !(work->state[step] & 2)) {
        work->steps[work->count++] = step;
        work->state[step] |= 2;
    }
    work->state[step] |= 1;
}

/* What may or may not be done leaves what both have in common. */
static routine_state after(const routine *r, const routine_step *s)
{
    routine_state done = s->before;
    routine_execute(r, s, &done);
    if (s->insn.condition < THUMB_ALWAYS && routine_decide(s, &s->before) & ROUTINE_NO) {
        routine_state skipped = s->before;
        if (routine_decide(s, &s->before) == ROUTINE_NO)
            return skipped;
        meet(&done, &skipped, false);
    }
    return done;
}

/* Decodes all that can be reached, and finds what is always known before each step. */
void ways_find(routine *r, bool gotos)
{
    if (gotos)
        find_landings(r);
    uint32_t room = (r->end - r->start) / 2 + 1;
    worklist work = {memory_zero(room, sizeof *work.steps), memory_zero(room, 1), 0};
    routine_state state = {.known = 1u << 13, .flags = ROUTINE_ANY_FLAGS};
    state.r[13] = ROUTINE_STACK;
    reach(r, &work, step_at(r, r->start), &state);
    while (work.count && r->known) {
        routine_step *s = &r->steps[work.steps[--work.count]];
        work.state[s - r->steps] &= 1;
        find_ways(r, s);
        state = after(r, s);
        bool branch = s->insn.flow == THUMB_BRANCH;
        bool decides = branch && !s->full;
        unsigned ways = decides ? routine_decide(s, &s->before) : ROUTINE_YES | ROUTINE_NO;
        routine_state taken = state;
        if (decides) {
            routine_assume(s, &taken, true);
            routine_assume(s, &state, false);
        }
        if (ways & ROUTINE_YES)
            reach(r, &work, s->target, &taken);
        if (ways & ROUTINE_NO)
            reach(r, &work, s->next, &state);
        for (uint32_t i = 0; i < s->table_count; i++)
            reach(r, &work, s->table[i], &taken);
    }
    free(work.steps);
    free(work.state);
}
