/* SPDX-License-Identifier: MIT */
/* Step 1: the rows of a node become columns, compressed. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/packing.h"

/* Whether all that a computed slot reads is in the same execution; and the cost then. */
static bool computed_here(const pack_work *w, uint32_t operation, const wet_slot *slot, uint32_t *cost)
{
    const wet_node *node = w->node;
    uint64_t reads = wet_slot_reads(pack_insn(w->t, node, operation), slot, slot->source);
    *cost = 1;
    for (uint32_t i = 0; i < node->use_count; i++) {
        const wet_use *use = &node->uses[i];
        if (use->operation != operation || !(reads >> use->loc & 1))
            continue;
        if (use->producer == 255)
            return false;
        *cost += w->out->cost[wet_slot_find(node, w->t->statements, use->producer, WET_VALUE, use->loc)];
    }
    return *cost <= PACK_COST_MAX;
}

static void slot_pack(const pack_work *w, uint32_t at)
{
    const wet_node *node = w->node;
    packed_node *out = w->out;
    uint32_t operation = pack_slot_operation(node, at), cost;
    const wet_slot *slot = wet_slot_at(node, w->t->statements, operation, at);
    out->cost[at] = 1;
    if (slot->computed && computed_here(w, operation, slot, &cost)) {
        out->cost[at] = (uint16_t)cost;
        out->way[at] = COMPUTED;
        out->slots[at] = wet_columns_infer(&out->columns);
        return;
    }
    uint32_t load = pack_plain_load(w->t, node, operation, slot);
    out->slots[at] = wet_columns_add(&out->columns, w->coder, pack_column(w, 1 + at), node->count, true,
                                     slot->computed || load != WET_NONE);
    if (!pack_worth_dropping(node, wet_columns_whole(&out->columns, out->slots[at])))
        return;
    if (slot->computed)
        out->way[at] = COMPUTED;
    else if (load != WET_NONE && pack_load_follows(w, load, at, pack_insn(w->t, node, operation)->sign))
        out->way[at] = LOADED;
}

static void packed_node_init(packed_node *out, const wet_node *node, int tier)
{
    out->columns.tier = tier;
    out->slots = memory_zero(node->slot_count + 1, sizeof *out->slots);
    out->way = memory_zero(node->slot_count + 1, 1);
    out->dropped = memory_zero(node->slot_count + 1, sizeof *out->dropped);
    out->cost = memory_zero(node->slot_count + 1, sizeof *out->cost);
    out->inputs = memory_zero(node->input_count + 1, sizeof *out->inputs);
    out->controls = memory_zero(node->control_count + 1, sizeof *out->controls);
}

/* The columns in the order of a row (trace.h). */
static void columns_pack(const pack_work *w)
{
    const wet_node *node = w->node;
    packed_node *out = w->out;
    uint32_t at = wet_row_inputs(node);
    out->times = wet_columns_add(&out->columns, w->coder, pack_copy(w->times, node->count), node->count, false, false);
    for (uint32_t i = 0; i < node->slot_count; i++)
        slot_pack(w, i);
    for (uint32_t i = 0; i < node->input_count; i++)
        pack_edge(w, &out->inputs[i], (edge_words){.producers = pack_column(w, at++)}, false);
    for (uint32_t i = 0; i < node->control_count; i++, at += 3)
        pack_edge(w, &out->controls[i],
                  (edge_words){pack_column(w, at), pack_column(w, at + 1), pack_column(w, at + 2), NULL}, false);
    for (uint32_t i = 0; i < node->load_count; i++)
        pack_load(w, i);
}

void pack_node(packing *p, uint32_t number, squeeze_coder *coder, wet_rows_reader *reader)
{
    pack_work w = {p->t, &p->t->nodes[number], &p->nodes[number], coder, reader, NULL};
    packed_node_init(w.out, w.node, p->tier);
    w.times = pack_column(&w, 0);
    columns_pack(&w);
    pack_weigh_loads(&w);
    free(w.times);
}
