/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/word_alone.h"

#include <string.h>

#include "tools/lib/wet/statement.h"
#include "tools/lib/wet/store_search.h"
#include "tools/lib/wet/stream.h"

#define DEPTH_MAX 4000u /* words that wait for each other; deeper recursion means a damaged file. More: more stack */

/* The value of a register that an operation of another execution defined. */
static uint32_t word_of(wet_file *f, wet_origin origin, unsigned kind, unsigned loc)
{
    if (!origin.producer)
        return 0;
    wet_execution at = {f->producer_node[origin.producer], origin.instance, 0};
    const wet_node *n = &f->nodes[at.node].n;
    uint32_t slot = wet_slot_find(n, f->statements, origin.producer - n->base, kind, loc);
    if (slot == WET_NONE) {
        f->damaged = true;
        return 0;
    }
    return wet_word_alone(f, &at, slot);
}

static wet_origin origin_at(wet_file *f, const wet_edge *edge, wet_execution *at, uint32_t *choice)
{
    uint32_t address = wet_edge_wants_address(edge) ? wet_word_alone(f, at, edge->slot) : 0;
    return wet_edge_choose(f, edge, at, address, choice);
}

static uint32_t input_word(wet_file *f, wet_execution *at, const wet_edge *edge)
{
    uint32_t choice;
    wet_origin origin = origin_at(f, edge, at, &choice);
    if (!origin.producer)
        return 0;
    wet_execution from = {f->producer_node[origin.producer], origin.instance, 0};
    return wet_word_alone(f, &from, edge->slots[choice]);
}

static uint32_t computed(wet_file *f, wet_execution *at, uint32_t operation, const wet_slot *slot)
{
    wet_file_node *node = &f->nodes[at->node];
    const wet_statement *s = wet_operation_statement(f, &node->n, operation);
    const thumb_insn *insn = &f->statics[s->instruction].insn;
    uint64_t reads = wet_slot_reads(insn, slot, slot->source);
    thumb_state state;
    uint32_t word = 0;
    memset(&state, 0, sizeof state);
    for (uint32_t i = node->use_first[operation]; i < node->use_first[operation + 1]; i++) {
        const wet_use *use = &node->n.uses[i];
        if (!(reads >> use->loc & 1) || use->loc > THUMB_FLAGS)
            continue;
        state.r[use->loc] = use->producer != 255 ? wet_word_alone(f, at, node->use_slot[i])
                                                 : input_word(f, at, &node->inputs[use->input]);
    }
    unsigned order = slot->kind == WET_VALUE ? 0 : slot->source;
    if (!wet_slot_compute(insn, slot, order, s->access_count ? s->accesses[order].size : 0, &state, &word))
        f->damaged = true;
    return word;
}

static uint32_t loaded(wet_file *f, wet_execution *at, uint32_t operation)
{
    wet_file_node *node = &f->nodes[at->node];
    uint32_t load = node->load_of[operation];
    if (load == WET_NO_LOAD || !wet_load_has_source(&node->loads[load])) {
        f->damaged = true;
        return 0;
    }
    if (!node->loads[load].part_count)
        return wet_store_word(f, at, load, wet_word_alone);
    const wet_load_edge *edges = &node->loads[load];
    const wet_load *l = &node->n.loads[load];
    uint32_t choice;
    wet_origin from = origin_at(f, &edges->parts[edges->part_count - 1].edge, at, &choice);
    uint32_t data = word_of(f, from, WET_DATA, 0), address = word_of(f, from, WET_ADDRESS, 0);
    const thumb_insn *insn = &f->statics[wet_operation_statement(f, &node->n, operation)->instruction].insn;
    return wet_load_word(data, wet_word_alone(f, at, l->slot) - address, l->size, insn->sign);
}

uint32_t wet_word_alone(wet_file *f, wet_execution *at, uint32_t slot)
{
    wet_file_node *node = &f->nodes[at->node];
    if (slot >= node->n.slot_count || f->depth > DEPTH_MAX) {
        f->damaged = true;
        return 0;
    }
    const wet_stream *stream = &f->streams[node->slots[slot]];
    const uint32_t *kept = wet_stream_kept(stream, at->instance >> f->block_bits);
    if (kept)
        return kept[at->instance & wet_block_mask(f)];
    if (stream->kind != WET_INFERRED)
        return wet_stream_get(f, node->slots[slot], at->instance);
    uint32_t hash = (at->node * 0x9e3779b1u + slot * 0x85ebca6bu + at->instance * 0xc2b2ae35u) >> (32 - WET_MEMO_BITS);
    wet_memo *memo = &f->memo[hash];
    if (memo->instance == at->instance && memo->slot == slot && memo->node == at->node)
        return memo->word;
    uint32_t operation = node->slot_operation[slot];
    const wet_slot *s = node->slot[slot];
    f->depth++;
    uint32_t word = s->computed ? computed(f, at, operation, s) : loaded(f, at, operation);
    f->depth--;
    *memo = (wet_memo){at->node, slot, at->instance, word};
    return word;
}

wet_origin wet_edge_origin(wet_file *f, const wet_edge *edge, uint32_t node, uint32_t instance, uint32_t time)
{
    uint32_t choice;
    wet_execution at = {node, instance, time};
    return origin_at(f, edge, &at, &choice);
}
