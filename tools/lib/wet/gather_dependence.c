/* SPDX-License-Identifier: MIT */
/* Step 5: who produced what an execution reads. Step 6: what it defines. */
#include "tools/lib/base/memory.h"
#include "tools/lib/wet/gathering.h"

/* Executions of the producer's node since, its own counted. */
static uint32_t age_of(const wet_trace *t, uint32_t producer, uint32_t instance)
{
    return producer ? t->nodes[t->producer_node[producer]].count - 1 - instance : 0;
}

static void controls_fill(gather *g, const wet_node *node, uint32_t *row)
{
    for (uint32_t i = 0; i < node->control_count; i++, row += 3) {
        wet_origin parent = node->procedure == WET_NOBODY ? (wet_origin){0, 0}
                                                          : wet_activation_parent(g->activations, node->control_sets[i],
                                                                                  node->control_set_counts[i]);
        row[0] = parent.producer;
        row[1] = parent.instance;
        row[2] = age_of(g->t, parent.producer, parent.instance);
    }
}

static void load_fill(gather *g, wet_node *node, uint32_t load, uint32_t *row, uint32_t instance)
{
    const wet_load *l = &node->loads[load];
    uint32_t *out = row + wet_row_loads(node) + 3 * load, address = row[1 + l->slot];
    wet_origin first = wet_memory_get(g->memory, address);
    out[0] = first.producer;
    out[1] = first.instance;
    out[2] = age_of(g->t, first.producer, first.instance);
    for (uint32_t byte = 1; byte < l->size; byte++) {
        wet_origin other = wet_memory_get(g->memory, address + byte);
        if (other.producer == first.producer && other.instance == first.instance)
            continue;
        node->parts = memory_room(node->parts, node->part_count, &node->part_max, sizeof *node->parts);
        node->parts[node->part_count++] = (wet_part){.instance = instance,
                                                     .load = load,
                                                     .byte = byte,
                                                     .producer = other.producer,
                                                     .producer_instance = other.instance,
                                                     .age = age_of(g->t, other.producer, other.instance)};
    }
}

/* Loads and stores in the order in which they were made. */
static void memory_fill(gather *g, wet_node *node, uint32_t *row, uint32_t instance)
{
    const wet_trace *t = g->t;
    uint32_t slot = 0, load = 0, operation = 0;
    for (uint32_t i = 0; i < node->statement_count; i++) {
        const wet_statement *s = &t->statements[node->statements[i]];
        for (uint32_t k = 0; k < s->slot_count; k++, slot++) {
            const wet_slot *sl = &s->slots[k];
            if (sl->kind != WET_ADDRESS)
                continue;
            const wet_access *access = &s->accesses[s->operations[sl->operation].first_access + sl->access];
            if (access->store)
                wet_memory_set(g->memory, row[1 + slot], access->size,
                               (wet_origin){node->base + operation + sl->operation, instance});
            else
                load_fill(g, node, load++, row, instance);
        }
        operation += s->operation_count;
    }
}

static void branches_note(gather *g, const wet_node *node, uint32_t instance)
{
    const wet_trace *t = g->t;
    for (uint32_t o = 0; o < node->operation_count; o++) {
        uint32_t index = node->operation_statement[o];
        const cfg_place *place = &t->statics[t->statements[node->statements[index]].instruction].place;
        bool last = o + 1 == node->operation_count || node->operation_statement[o + 1] != index;
        if (last && place->branch != CFG_NO_BRANCH)
            wet_activation_branch(g->activations, place->branch, (wet_origin){node->base + o, instance});
    }
}

static void definitions_note(gather *g, const wet_node *node)
{
    uint32_t operation = node->base;
    for (uint32_t i = 0; i < node->statement_count; i++) {
        const wet_statement *s = &g->t->statements[node->statements[i]];
        for (uint32_t o = 0; o < s->operation_count; o++, operation++)
            for (uint64_t rest = s->operations[o].defines; rest; rest &= rest - 1)
                g->defined[__builtin_ctzll(rest)] = operation;
    }
}

void gather_dependences(gather *g, wet_node *node, uint32_t *row, uint32_t instance)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        row[wet_row_inputs(node) + i] = g->defined[node->inputs[i]];
    controls_fill(g, node, row + wet_row_controls(node));
    memory_fill(g, node, row, instance);
    if (node->procedure != WET_NOBODY)
        branches_note(g, node, instance);
    definitions_note(g, node);
}
