/* SPDX-License-Identifier: MIT */
/* Step 2: which words go without a column (choice.h), and with them which edges. */
#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/packing.h"

/* The words that a loaded slot needs: its address, data and address of each store that it ever reads from. A search
 * for these takes about a step more. */
static void needs_of_load(const packing *p, uint32_t number, uint32_t load, wet_choice *choice)
{
    const wet_trace *t = p->t;
    const wet_node *n = &t->nodes[number];
    const packed_node *o = &p->nodes[number];
    uint32_t i = 0;
    wet_choice_need(choice, 0, n->slot_base + n->loads[load].slot, o->steps[load] > 0);
    while (o->parts[i].load != load || o->parts[i].byte != 0)
        i++;
    const packed_edge *edge = &o->parts[i].edge;
    for (uint32_t use = 1; use <= 2; use++)
        for (uint32_t k = 0; k < edge->producer_count; k++) {
            plain_store from = pack_plain_store(t, edge->producers[k]);
            if (from.node)
                wet_choice_need(choice, use, from.node->slot_base + (use == 1 ? from.data : from.address),
                                from.node == n ? 0 : PACK_HOP_COST);
        }
}

/* The words that a computed slot needs, through the registers that it reads. */
static void needs_of_computed(const packing *p, uint32_t number, uint32_t operation, const wet_slot *s,
                              wet_choice *choice)
{
    const wet_trace *t = p->t;
    const wet_node *n = &t->nodes[number];
    uint64_t reads = wet_slot_reads(pack_insn(t, n, operation), s, s->source);
    for (uint32_t i = 0; i < n->use_count; i++) {
        const wet_use *use = &n->uses[i];
        if (use->operation != operation || !(reads >> use->loc & 1))
            continue;
        const packed_edge *edge = use->producer == 255 ? &p->nodes[number].inputs[use->input] : NULL;
        for (uint32_t k = 0; k < (edge ? edge->producer_count : 1); k++) {
            uint32_t producer = edge ? edge->producers[k] : n->base + use->producer;
            const wet_node *from = producer ? &t->nodes[t->producer_node[producer]] : NULL;
            uint32_t slot =
                from ? wet_slot_find(from, t->statements, producer - from->base, WET_VALUE, use->loc) : WET_NONE;
            if (slot != WET_NONE)
                wet_choice_need(choice, i, from->slot_base + slot, from == n ? 0 : PACK_HOP_COST);
        }
    }
}

/* Counts a use of the columns that are written for a column. */
static void column_use(const packed_node *out, uint32_t column, uint32_t *uses)
{
    uint32_t written[2];
    for (uint32_t i = wet_columns_written(&out->columns, column, written); i-- > 0;)
        uses[written[i]]++;
}

static void edge_use(const packed_node *out, const packed_edge *edge, uint32_t *uses)
{
    if (!edge->newest)
        column_use(out, edge->which, uses);
    if (edge->when != WET_NONE)
        column_use(out, edge->when, uses);
}

/* How often each column is used by edges, timestamps and the slots with way STORED. Such a column is written anyway:
 * dropping another word that shares it saves nothing. */
static uint32_t *uses_of_columns(const wet_node *n, const packed_node *out)
{
    uint32_t *uses = memory_zero(out->columns.count + 1, sizeof *uses);
    column_use(out, out->times, uses);
    for (uint32_t i = 0; i < n->slot_count; i++)
        if (out->way[i] == STORED)
            column_use(out, out->slots[i], uses);
    for (uint32_t i = 0; i < n->input_count; i++)
        edge_use(out, &out->inputs[i], uses);
    for (uint32_t i = 0; i < n->control_count; i++)
        edge_use(out, &out->controls[i], uses);
    for (uint32_t i = 0; i < out->part_count; i++)
        edge_use(out, &out->parts[i].edge, uses);
    return uses;
}

static bool has_column(const packed_node *out, uint32_t slot)
{
    return out->columns.all[out->slots[slot]].kind[1] != WET_INFERRED;
}

/* The words of a node, in the order of slots. */
static void words_describe(const packing *p, uint32_t number, wet_choice *choice)
{
    const wet_trace *t = p->t;
    const wet_node *n = &t->nodes[number];
    packed_node *out = &p->nodes[number];
    uint32_t *uses = uses_of_columns(n, out);
    for (uint32_t i = 0; i < n->slot_count; i++) {
        uint32_t operation = pack_slot_operation(n, i);
        const wet_slot *s = wet_slot_at(n, t->statements, operation, i);
        uint64_t bytes = wet_columns_without(&out->columns, out->slots[i], uses);
        if (out->way[i] == STORED || (has_column(out, i) && !pack_worth_dropping(n, bytes))) {
            out->way[i] = STORED;
            wet_choice_stored(choice);
            continue;
        }
        if (has_column(out, i))
            wet_choice_candidate(choice, bytes);
        else
            wet_choice_found(choice);
        if (out->way[i] == LOADED)
            needs_of_load(p, number, pack_plain_load(t, n, operation, s), choice);
        else
            needs_of_computed(p, number, operation, s, choice);
    }
    free(uses);
}

/* Keep a droppable word if its column must be written anyway. */
static void drop(const wet_node *n, packed_node *out, const wet_choice *choice)
{
    for (uint32_t i = 0; i < n->slot_count; i++)
        if (!wet_choice_is_found(choice, n->slot_base + i))
            out->way[i] = STORED;
    uint32_t *uses = uses_of_columns(n, out);
    for (uint32_t i = 0; i < n->slot_count; i++) {
        out->dropped[i] =
            out->way[i] != STORED &&
            (!has_column(out, i) || pack_worth_dropping(n, wet_columns_without(&out->columns, out->slots[i], uses)));
        if (!out->dropped[i])
            column_use(out, out->slots[i], uses);
    }
    free(uses);
}

void pack_choose(packing *p)
{
    wet_choice *choice = wet_choice_new();
    for (uint32_t i = 0; i < p->t->node_count; i++)
        words_describe(p, i, choice);
    wet_choice_run(choice, PACK_COST_MAX);
    for (uint32_t i = 0; i < p->t->node_count; i++) {
        drop(&p->t->nodes[i], &p->nodes[i], choice);
        pack_search_loads(p->t, &p->t->nodes[i], &p->nodes[i]);
    }
    wet_choice_free(choice);
}
