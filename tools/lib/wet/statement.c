/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/statement.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

#define BIT(n) (UINT64_C(1) << (n))

/* What is being put together; a statement has at most 40 accesses and 49 values. */
typedef struct splitter {
    wet_operation operations[WET_OPERATIONS_MAX];
    wet_access accesses[FULL_ACCESSES_MAX];
    wet_slot slots[4 * FULL_ACCESSES_MAX + FULL_VALUES_MAX];
    unsigned operation_count, access_count, slot_count;
    uint64_t written;
    const wet_static *instruction;
    bool floats_apart;
} splitter;

static void operation_add(splitter *s, uint64_t reads, uint64_t defines, unsigned accesses)
{
    s->operations[s->operation_count++] = (wet_operation){.reads = reads,
                                                          .defines = defines,
                                                          .first_access = (uint8_t)(s->access_count),
                                                          .access_count = (uint8_t)accesses};
    s->access_count += accesses;
}

/* The register that access `order` of a multiple load or store moves; THUMB_NONE: the pc. */
static unsigned moved_register(const thumb_insn *insn, unsigned order)
{
    if (insn->data[0] != THUMB_NONE)
        return order < 2 ? insn->data[order] : THUMB_NONE;
    uint64_t list = insn->list;
    for (unsigned i = 0; list && i < order; i++)
        list &= list - 1;
    return list ? (unsigned)__builtin_ctzll(list) : THUMB_NONE;
}

/* push, pop, ldm, stm, ldrd, strd: an operation a register, and one for the base. */
static void split_multiple(splitter *s, const thumb_insn *insn, unsigned accesses)
{
    uint64_t always = insn->reads & BIT(THUMB_FLAGS), base = insn->base < 15 ? BIT(insn->base) : 0;
    for (unsigned i = 0; i < accesses; i++) {
        unsigned reg = moved_register(insn, i);
        uint64_t moved = reg < 15 ? BIT(reg) : 0;
        if (insn->memory == THUMB_STORE)
            operation_add(s, always | base | moved, 0, 1);
        else
            operation_add(s, always | base, moved & s->written, 1);
    }
    if (insn->writeback && !(insn->memory == THUMB_LOAD && insn->list & base))
        operation_add(s, always | base, base & s->written, 0);
}

/* vldm, vstm, vpush, vpop: from which float on, how many words, and whether the base moves. */
typedef struct float_list {
    unsigned first, count, base;
    bool load, writeback;
} float_list;

static bool float_list_of(const thumb_insn *insn, float_list *list)
{
    unsigned hw1 = insn->bytes[0] | (unsigned)insn->bytes[1] << 8, hw2 = insn->bytes[2] | (unsigned)insn->bytes[3] << 8;
    bool is_double = hw2 & 0x100, one = (hw1 & 0x120) == 0x100; /* vldr, vstr */
    if (insn->size != 4 || (hw1 & 0xfe00) != 0xec00 || (hw2 & 0xe00) != 0xa00 || one || (hw1 & 0xffe0) == 0xec40)
        return false;
    unsigned four = hw2 >> 12, bit = hw1 >> 6 & 1;
    *list = (float_list){.first = is_double ? 2 * (four | bit << 4) : four << 1 | bit,
                         .count = hw2 & (is_double ? 0xfe : 0xff),
                         .base = hw1 & 15,
                         .load = hw1 & 0x10,
                         .writeback = hw1 & 0x20};
    return list->first + list->count <= 32;
}

/* Each access moves the next one or two of the list. False: the accesses are not those of the list. */
static bool split_floats(splitter *s, const thumb_insn *insn, const full_event *event)
{
    float_list list;
    unsigned words = 0;
    if (!s->floats_apart || !float_list_of(insn, &list))
        return false;
    for (unsigned i = 0; i < event->access_count; i++)
        words += event->accesses[i].size % 4 ? 33 : event->accesses[i].size / 4;
    if (words != list.count)
        return false;
    uint64_t always = insn->reads & BIT(THUMB_FLAGS), base = list.base < 15 ? BIT(list.base) : 0;
    unsigned at = list.first;
    for (unsigned i = 0; i < event->access_count; i++) {
        uint64_t moved = 0;
        for (words = event->accesses[i].size / 4; words; words--)
            moved |= FULL_FLOAT(at++);
        operation_add(s, always | base | (list.load ? 0 : moved), list.load ? moved & s->written : 0, 1);
    }
    if (list.writeback)
        operation_add(s, always | base, base & s->written, 0);
    return true;
}

/* One access with a base that moves. */
static void split_writeback(splitter *s, const thumb_insn *insn, unsigned accesses)
{
    uint64_t always = insn->reads & BIT(THUMB_FLAGS), base = BIT(insn->base);
    operation_add(s, insn->reads, s->written & ~base, accesses);
    operation_add(s, always | base, base & s->written, 0);
}

static unsigned bits(uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

static void split_instruction(splitter *s, const full_event *event)
{
    const thumb_insn *insn = &s->instruction->insn;
    unsigned accesses = event->access_count;
    if (!event->passed) {
        operation_add(s, insn->reads & BIT(THUMB_FLAGS), 0, 0);
    } else if (insn->multiple && insn->access_size &&
               (accesses == bits(insn->list) || (insn->flow == THUMB_RETURN && accesses == bits(insn->list) + 1))) {
        split_multiple(s, insn, accesses);
    } else if (insn->access_size && insn->writeback && insn->base < 15 && accesses == 1 &&
               !(insn->list >> insn->base & 1)) {
        split_writeback(s, insn, accesses);
    } else if (!split_floats(s, insn, event)) {
        operation_add(s, insn->reads, s->written, accesses);
    }
    for (unsigned i = 0; i < s->operation_count; i++)
        for (uint64_t rest = s->operations[i].defines; rest; rest &= rest - 1)
            s->operations[i].computes |=
                thumb_compute_reads(insn, (unsigned)__builtin_ctzll(rest)) & ~s->operations[i].reads & BIT(THUMB_FLAGS);
}

/* The core stores r0-r3 r12 lr pc xpsr on entry and loads them on return. Each is an operation; so are sp and lr. */
static void split_exception(splitter *s)
{
    static const uint64_t stacked[8] = {BIT(0), BIT(1), BIT(2), BIT(3), BIT(12), BIT(14), 0, BIT(THUMB_FLAGS)};
    uint64_t sp = BIT(13);
    for (unsigned i = 0; i < 8 && s->instruction->exception != 3; i++) {
        if (s->instruction->exception == 1)
            operation_add(s, sp | stacked[i], 0, 1);
        else
            operation_add(s, sp, stacked[i], 1);
    }
    operation_add(s, sp, sp, 0);
    if (s->instruction->exception != 2)
        operation_add(s, 0, s->written & ~sp, 0); /* lr, and what the core clears */
}

static void slot_add(splitter *s, unsigned kind, unsigned operation, unsigned access, unsigned loc, unsigned source)
{
    const thumb_insn *insn = &s->instruction->insn;
    bool computed = !s->instruction->exception &&
                    (kind == WET_VALUE     ? insn->memory == THUMB_NO_MEMORY ? insn->form != THUMB_OPAQUE
                                                                             : insn->writeback && loc == insn->base
                     : kind == WET_ADDRESS ? insn->access_size != 0
                                           : kind == WET_DATA && insn->memory == THUMB_STORE && insn->access_size);
    s->slots[s->slot_count++] = (wet_slot){.kind = (uint8_t)kind,
                                           .loc = (uint8_t)loc,
                                           .operation = (uint8_t)operation,
                                           .access = (uint8_t)access,
                                           .source = (uint8_t)source,
                                           .computed = computed};
}

/* A load's data need no slot of their own where one register gets them. */
static bool data_apart(const splitter *s, const wet_operation *operation, const wet_access *access)
{
    if (s->instruction->exception)
        return false;
    return access->store || operation->access_count != 1 || access->size > 4 ||
           bits(operation->defines & ~BIT(THUMB_FLAGS)) != 1;
}

static void slots_make(splitter *s)
{
    for (unsigned o = 0; o < s->operation_count; o++) {
        const wet_operation *operation = &s->operations[o];
        for (uint64_t rest = operation->defines; rest; rest &= rest - 1) {
            unsigned loc = (unsigned)__builtin_ctzll(rest);
            slot_add(s, WET_VALUE, o, 0, loc, bits(s->written & (BIT(loc) - 1)));
        }
        for (unsigned a = 0; a < operation->access_count; a++) {
            unsigned at = operation->first_access + a;
            const wet_access *access = &s->accesses[at];
            slot_add(s, WET_ADDRESS, o, a, 0, at);
            if (!data_apart(s, operation, access))
                continue;
            slot_add(s, WET_DATA, o, a, 0, at);
            if (access->size > 4)
                slot_add(s, WET_DATA_HIGH, o, a, 0, at);
        }
    }
}

static void *copy(const void *from, size_t count, size_t size)
{
    void *to = memory_zero(count + 1, size);
    memcpy(to, from, count * size);
    return to;
}

void wet_statement_split(wet_statement *statement, const wet_static *instruction, const full_event *event,
                         bool floats_apart)
{
    splitter s = {.instruction = instruction, .written = statement->written, .floats_apart = floats_apart};
    for (unsigned i = 0; i < event->access_count; i++)
        s.accesses[i] = (wet_access){event->accesses[i].size, event->accesses[i].store, (uint8_t)i};
    if (instruction->exception)
        split_exception(&s);
    else
        split_instruction(&s, event);
    slots_make(&s);
    statement->operation_count = (uint8_t)s.operation_count;
    statement->access_count = (uint8_t)event->access_count;
    statement->slot_count = (uint8_t)s.slot_count;
    statement->operations = copy(s.operations, s.operation_count, sizeof *s.operations);
    statement->accesses = copy(s.accesses, event->access_count, sizeof *s.accesses);
    statement->slots = copy(s.slots, s.slot_count, sizeof *s.slots);
}

void wet_statement_free(wet_statement *statement)
{
    free(statement->operations);
    free(statement->accesses);
    free(statement->slots);
}

uint64_t wet_slot_reads(const thumb_insn *insn, const wet_slot *slot, unsigned order)
{
    uint64_t reads = 0;
    if (slot->kind == WET_VALUE)
        return thumb_compute_reads(insn, slot->loc);
    if (slot->kind == WET_ADDRESS) {
        reads |= insn->base < 15 ? BIT(insn->base) : 0;
        return reads | (insn->index < 15 ? BIT(insn->index) : 0);
    }
    unsigned reg = moved_register(insn, insn->multiple ? order : 0);
    return reg < 15 ? BIT(reg) : 0;
}

bool wet_slot_compute(const thumb_insn *insn, const wet_slot *slot, unsigned order, unsigned size,
                      const thumb_state *state, uint32_t *word)
{
    if (slot->kind == WET_VALUE)
        return thumb_compute(insn, state, slot->loc, word);
    if (slot->kind == WET_ADDRESS) {
        bool known = thumb_address(insn, state, word);
        *word += 4 * order;
        return known;
    }
    unsigned reg = moved_register(insn, insn->multiple ? order : 0);
    if (slot->kind != WET_DATA || reg >= 15)
        return false;
    *word = size >= 4 ? state->r[reg] : state->r[reg] & ((1u << 8 * size) - 1);
    return true;
}
