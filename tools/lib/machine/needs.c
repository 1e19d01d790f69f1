/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/needs.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

/* Registers that may hold a call's arguments, and those that the caller may use after a return (the procedure call
 * standard). */
#define ARGUMENTS (UINT64_C(0x200f) | UINT64_C(0xffff) << 32)
#define RETURNED (UINT64_C(0x6fff) | UINT64_C(0xffffffff) << 32)

enum { SLOTS_MAX = 1 << 12 };

/* ---- slots ---- */

/* The arguments of a probe that it calls, as registers. */
static uint64_t arguments_of(const routine *r, const routine_step *s)
{
    uint32_t to = s->insn.target;
    if (s->insn.flow == THUMB_CALL_INDIRECT)
        to = s->before.r[s->insn.bytes[0] >> 3 & 15];
    const image_symbol *f = image_function(&r->im->symbols, to & ~1u);
    const char *probe = f ? f->name + 7 : "";
    if (!strcmp(probe, "path") || !strcmp(probe, "mark"))
        return 1;
    if (routine_ends_pack(s))
        return 3;
    if (routine_ends_loop(s))
        return 15;
    if (!strcmp(probe, "bytes_until") || !strncmp(probe, "same_", 5))
        return 7;
    return !strcmp(probe, "value64") ? 13 : 3;
}

static uint16_t slot_at(routine *r, uint32_t address)
{
    uint32_t i = 0;
    while (i < r->slot_count && r->slots[i].address != address)
        i++;
    if (i == r->slot_count) {
        r->slots = memory_room(r->slots, i, &r->slot_max, sizeof *r->slots);
        r->slots[r->slot_count++] = (routine_slot){.address = address};
    }
    return (uint16_t)i;
}

/* Words of the frame that a step loads or stores, one or two. */
static void find_words(routine *r, routine_step *s)
{
    const thumb_insn *insn = &s->insn;
    uint64_t reads =
        (insn->base < 15 ? ROUTINE_BIT(insn->base) : 0) | (insn->index < 15 ? ROUTINE_BIT(insn->index) : 0);
    thumb_state values = {{0}};
    uint32_t address;
    memcpy(values.r, s->before.r, sizeof s->before.r);
    if (!insn->memory || insn->access_size != 4 || (reads & ~s->before.known) || insn->base == THUMB_PC ||
        !thumb_address(insn, &values, &address) ||
        address - (ROUTINE_STACK - ROUTINE_FRAME_MAX) > 2 * ROUTINE_FRAME_MAX)
        return;
    for (unsigned i = 0; i < 2 && insn->data[i] < 15 && r->slot_count < SLOTS_MAX; i++) {
        s->word_register[i] = insn->data[i];
        s->word[i] = slot_at(r, address + 4 * i);
        s->word_count++;
    }
}

/* ---- what is needed, backward ---- */

typedef uint64_t (*transfer)(routine *r, routine_step *s, uint64_t out, bool *more);

/* `all`: also along the way that is taken where a pack is not full. */
static uint64_t needed_after(const uint64_t *in, const routine_step *s, bool all)
{
    uint64_t out = s->next != ROUTINE_NONE ? in[s->next] : 0;
    if (all && s->not_full != ROUTINE_NONE)
        out |= in[s->not_full];
    if (s->target != ROUTINE_NONE)
        out |= in[s->target];
    for (uint32_t i = 0; i < s->table_count; i++)
        out |= in[s->table[i]];
    return out;
}

/* Applies a transfer function until nothing changes. `in`: before each step. */
static void solve(routine *r, transfer apply, bool all, uint64_t *in)
{
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t i = r->count; i-- > 0;) {
            uint64_t before = apply(r, &r->steps[i], needed_after(in, &r->steps[i], all), &more);
            more |= before != in[i];
            in[i] = before;
        }
    }
}

/* What nothing before the step has given, if it is read after it. */
static uint64_t given(const routine_step *s)
{
    return s->insn.condition < THUMB_ALWAYS ? s->covers : s->writes;
}

static uint64_t kept(const routine_step *s, uint64_t out)
{
    return out & ~given(s);
}

/* The rest of an IT block, from a step of it on: what its other half writes, and did not read before. */
static void find_covers(const routine *r, routine_step *s)
{
    uint64_t read = 0;
    unsigned other = s->insn.condition ^ 1u;
    s->covers = 0;
    if (s->insn.condition >= THUMB_ALWAYS || s->insn.flow != THUMB_NEXT)
        return;
    for (uint32_t k = s->next; k != ROUTINE_NONE && r->steps[k].insn.condition < THUMB_ALWAYS; k = r->steps[k].next) {
        const routine_step *later = &r->steps[k];
        if (later->insn.flow != THUMB_NEXT || (later->writes & ROUTINE_FLAGS))
            return;
        if (later->insn.condition != other)
            continue;
        read |= later->insn.reads;
        s->covers |= s->writes & later->writes & ~read;
    }
}

static uint64_t called(const routine_step *s)
{
    return s->insn.flow == THUMB_CALL_INDIRECT ? s->insn.reads & ROUTINE_REGISTERS : 0;
}

static bool words_related(const routine *r, const routine_step *s)
{
    for (unsigned i = 0; i < s->word_count; i++)
        if (r->slots[s->word[i]].number)
            return true;
    return false;
}

/* Words of the frame that path numbers go through. */
static uint64_t words_need(routine *r, routine_step *s, uint64_t out, uint64_t in, bool *more)
{
    for (unsigned i = 0; i < s->word_count; i++) {
        routine_slot *slot = &r->slots[s->word[i]];
        bool loads = s->insn.memory == THUMB_LOAD && out >> s->word_register[i] & 1;
        if (loads && !slot->number && r->related_slots < ROUTINE_SLOTS_MAX) {
            slot->number = (uint8_t)++r->related_slots;
            *more = true;
        }
        if (loads && slot->number)
            in |= ROUTINE_SLOT(slot->number);
        if (s->insn.memory != THUMB_STORE || !slot->number || !(out & ROUTINE_SLOT(slot->number)))
            continue;
        s->related = true;
        if (s->insn.condition >= THUMB_ALWAYS)
            in &= ~ROUTINE_SLOT(slot->number);
        in |= ROUTINE_BIT(s->word_register[i]);
    }
    return in;
}

/* What path numbers are made of: the number of passes is not. */
static uint64_t numbers_of(const routine_step *s)
{
    return s->call == ROUTINE_PATH ? 1 : routine_ends_pack(s) ? 3 : routine_ends_loop(s) ? 7 : 0;
}

/* What path numbers are made of, and the flags. */
static uint64_t path_needs(routine *r, routine_step *s, uint64_t out, bool *more)
{
    const thumb_insn *insn = &s->insn;
    uint64_t flags = (insn->reads & ROUTINE_FLAGS) | (s->condition < THUMB_ALWAYS ? ROUTINE_FLAGS : 0);
    if (s->never)
        return out;
    if (s->call)
        return (out & ~(ROUTINE_CLOBBERED & 0xffff)) | called(s) | numbers_of(s) | flags;
    uint64_t results = s->writes & out & ROUTINE_REGISTERS, in = out & ~((s->always ? s->writes : given(s)) & 0xffff);
    s->related = results;
    if (insn->memory)
        in |= insn->base < 15 ? results & ROUTINE_BIT(insn->base) : 0;
    else if (results)
        in |= insn->reads & ROUTINE_REGISTERS;
    return words_need(r, s, out, in, more) | flags;
}

static bool in_activation(const routine *r, const routine_step *s)
{
    bool inside = s->word_count > 0;
    for (unsigned i = 0; i < s->word_count; i++)
        inside &= r->activation && r->slots[s->word[i]].address - r->activation < 16;
    return inside && s->insn.memory == THUMB_STORE;
}

/* Registers that arguments of probes are made of. `own` is set of what serves them; it may serve the program too. */
static uint64_t probe_needs(routine *r, routine_step *s, uint64_t out, bool *more)
{
    (void)more;
    if (s->call)
        return (out & ~ROUTINE_CLOBBERED) | (s->call == ROUTINE_CALL ? 0 : called(s) | arguments_of(r, s));
    uint64_t results = s->writes & out;
    bool stores = s->insn.memory == THUMB_STORE && (words_related(r, s) || in_activation(r, s));
    s->own = results || stores || s->full;
    return kept(s, out) | (s->own ? s->insn.reads : 0);
}

/* Whether it is needed for more than its results. */
static bool has_effect(const routine *r, const routine_step *s)
{
    if (s->insn.memory == THUMB_STORE) {
        bool program = !s->word_count;
        for (unsigned i = 0; i < s->word_count; i++)
            program |= !r->slots[s->word[i]].number || r->slots[s->word[i]].needed;
        return program && !in_activation(r, s);
    }
    return !s->full && (s->insn.flow != THUMB_NEXT || !s->writes);
}

/* What the program needs, if its probes are not called. Clears `own` of what serves it. */
static uint64_t program_needs(routine *r, routine_step *s, uint64_t out, bool *more)
{
    if (s->call > ROUTINE_CALL)
        return s->leaves ? RETURNED : out & ~ROUTINE_CLOBBERED;
    if (s->call == ROUTINE_CALL && !s->leaves)
        return (out & ~ROUTINE_CLOBBERED) | ARGUMENTS | s->insn.reads;
    if (s->leaves)
        return RETURNED | s->insn.reads | out;
    if (!(out & s->writes) && !has_effect(r, s))
        return out;
    s->own = false;
    for (unsigned i = 0; i < s->word_count && s->insn.memory == THUMB_LOAD; i++) {
        *more |= !r->slots[s->word[i]].needed;
        r->slots[s->word[i]].needed = true;
    }
    return kept(s, out) | s->insn.reads;
}

/* The activation of a k-slab forest is the second argument of its probes. */
static void find_activation(routine *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const routine_step *s = &r->steps[i];
        if (s->call == ROUTINE_PATH && arguments_of(r, s) & 2 && s->before.known & 2)
            r->activation = s->before.r[1];
    }
}

/* An IT is own if all of its block is. */
static void settle_its(routine *r)
{
    uint8_t conditions[4];
    for (uint32_t i = 0; i < r->count; i++) {
        routine_step *s = &r->steps[i];
        int count = thumb_it((uint16_t)routine_half(r, s->insn.pc), conditions);
        bool own = count > 0;
        for (uint32_t k = s->next; own && count-- > 0; k = r->steps[k].next)
            if (!(own = k != ROUTINE_NONE && r->steps[k].own))
                break;
        s->own |= own;
    }
}

void needs_find(routine *r)
{
    uint64_t *in = memory_zero(r->count + 1, sizeof *in);
    for (uint32_t i = 0; i < r->count; i++)
        find_words(r, &r->steps[i]);
    for (uint32_t i = 0; i < r->count; i++)
        find_covers(r, &r->steps[i]);
    find_activation(r);
    solve(r, path_needs, false, in);
    for (uint32_t i = 0; i < r->count; i++)
        r->steps[i].live = in[i];
    memset(in, 0, r->count * sizeof *in);
    solve(r, probe_needs, true, in);
    memset(in, 0, r->count * sizeof *in);
    solve(r, program_needs, true, in);
    for (uint32_t i = 0; i < r->count; i++)
        r->steps[i].own |= r->steps[i].call > ROUTINE_CALL;
    settle_its(r);
    free(in);
}
