/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/statement.h"

static uint32_t input_of(wet_node *node, uint8_t loc)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        if (node->inputs[i] == loc)
            return i;
    node->inputs = memory_room(node->inputs, node->input_count, &node->input_max, 1);
    node->inputs[node->input_count] = loc;
    return node->input_count++;
}

static void uses_make(wet_node *node, uint8_t operation, const wet_operation *o, const uint8_t local[64])
{
    uint64_t rest = o->reads | o->computes;
    for (; rest; rest &= rest - 1) {
        uint8_t loc = (uint8_t)__builtin_ctzll(rest);
        node->uses = memory_room(node->uses, node->use_count, &node->use_max, sizeof *node->uses);
        wet_use *use = &node->uses[node->use_count++];
        *use = (wet_use){.operation = operation, .loc = loc, .depends = o->reads >> loc & 1, .producer = local[loc]};
        if (local[loc] == 255)
            use->input = (uint16_t)input_of(node, loc);
    }
}

void wet_node_statement(wet_node *node, const wet_statement *s, uint32_t index, uint8_t local[64])
{
    uint32_t before = node->operation_count;
    for (uint32_t o = 0; o < s->operation_count; o++) {
        uint32_t at = node->operation_count++;
        node->operation_statement[at] = (uint8_t)index;
        node->operation_in_statement[at] = (uint8_t)o;
        node->slot_first[at] = node->slot_count;
        uses_make(node, (uint8_t)at, &s->operations[o], local);
        for (uint32_t k = 0; k < s->slot_count; k++) {
            if (s->slots[k].operation != o)
                continue;
            const wet_access *access = &s->accesses[s->operations[o].first_access + s->slots[k].access];
            if (s->slots[k].kind == WET_ADDRESS && !access->store) {
                node->loads = memory_room(node->loads, node->load_count, &node->load_max, sizeof *node->loads);
                node->loads[node->load_count++] = (wet_load){(uint8_t)at, access->size, node->slot_count};
            }
            node->slot_count++;
        }
    }
    /* All of an instruction's operations read what was before it. */
    for (uint32_t o = 0; o < s->operation_count; o++)
        for (uint64_t rest = s->operations[o].defines; rest; rest &= rest - 1)
            local[__builtin_ctzll(rest)] = (uint8_t)(before + o);
}

void wet_node_begin(wet_node *node, const uint32_t *statements, uint32_t count)
{
    node->statement_count = count;
    node->statements = memory_zero(count + 1, sizeof *node->statements);
    memcpy(node->statements, statements, count * sizeof *node->statements);
    node->operation_statement = memory_zero(WET_OPERATIONS_MAX, 1);
    node->operation_in_statement = memory_zero(WET_OPERATIONS_MAX, 1);
    node->slot_first = memory_zero(WET_OPERATIONS_MAX + 1, sizeof *node->slot_first);
    node->parent = memory_zero(WET_OPERATIONS_MAX, 1);
    node->parent_input = memory_zero(WET_OPERATIONS_MAX, 1);
}

void wet_node_free(wet_node *node)
{
    free(node->statements);
    free(node->operation_statement);
    free(node->operation_in_statement);
    free(node->slot_first);
    free(node->uses);
    free(node->inputs);
    free(node->parent);
    free(node->parent_input);
    free(node->control_sets);
    free(node->control_set_counts);
    free(node->loads);
    free(node->parts);
}

uint32_t wet_slot_find(const wet_node *node, const wet_statement *statements, uint32_t operation, unsigned kind,
                       unsigned loc)
{
    const wet_statement *s = &statements[node->statements[node->operation_statement[operation]]];
    uint32_t slot = node->slot_first[operation];
    for (uint32_t k = 0; k < s->slot_count; k++) {
        if (s->slots[k].operation != node->operation_in_statement[operation])
            continue;
        if (s->slots[k].kind == kind && (kind != WET_VALUE || s->slots[k].loc == loc))
            return slot;
        slot++;
    }
    return WET_NONE;
}

const wet_slot *wet_slot_at(const wet_node *node, const wet_statement *statements, uint32_t operation, uint32_t slot)
{
    const wet_statement *s = &statements[node->statements[node->operation_statement[operation]]];
    uint32_t first = 0;
    while (s->slots[first].operation != node->operation_in_statement[operation])
        first++;
    return &s->slots[first + slot - node->slot_first[operation]];
}

uint32_t wet_load_word(uint32_t data, uint32_t offset, unsigned size, bool sign)
{
    uint32_t word = data >> (8 * (offset & 3));
    if (size == 1)
        return sign ? (uint32_t)(int32_t)(int8_t)word : word & 0xff;
    if (size == 2)
        return sign ? (uint32_t)(int32_t)(int16_t)word : word & 0xffff;
    return word;
}
