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
        wet_origin parent = node->procedure == WET_NONE ? (wet_origin){0, 0}
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
static void memory_fill(gather *g, const gather_plan *p, wet_node *node, uint32_t *row, uint32_t instance)
{
    for (uint32_t i = 0, load = 0; i < p->access_count; i++) {
        const gather_access *a = &p->accesses[i];
        if (a->store)
            wet_memory_set(g->memory, row[1 + a->slot], a->size, (wet_origin){node->base + a->operation, instance});
        else
            load_fill(g, node, load++, row, instance);
    }
}

static void branches_note(gather *g, const gather_plan *p, const wet_node *node, uint32_t instance)
{
    for (uint32_t i = 0; i < p->branch_count; i++)
        wet_activation_branch(g->activations, p->branches[i].branch,
                              (wet_origin){node->base + p->branches[i].operation, instance});
}

static void definitions_note(gather *g, const gather_plan *p, const wet_node *node)
{
    for (uint64_t rest = p->defines; rest; rest &= rest - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(rest);
        g->defined[loc] = node->base + p->definers[loc];
    }
}

void gather_dependences(gather *g, wet_node *node, uint32_t *row, uint32_t instance)
{
    const gather_plan *p = &g->plans[node - g->t->nodes];
    for (uint32_t i = 0; i < node->input_count; i++)
        row[wet_row_inputs(node) + i] = g->defined[node->inputs[i]];
    controls_fill(g, node, row + wet_row_controls(node));
    memory_fill(g, p, node, row, instance);
    if (node->procedure != WET_NONE)
        branches_note(g, p, node, instance);
    definitions_note(g, p, node);
    g->t->dependences += p->dependences;
}
