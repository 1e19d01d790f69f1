/* SPDX-License-Identifier: MIT */
/* Words of a whole execution trace: from their stream; or computed from what the operation reads; or from the store that a
 * load's edge names. */
#include <string.h>

#include "tools/lib/wet/file.h"
#include "tools/lib/wet/statement.h"

/* No file that was written as it should needs more. */
#define DEPTH_MAX 4000u
#define ASKED_MAX 1024u

typedef struct place {
    uint32_t node, instance, time; /* time 0: not asked for yet */
} place;

static uint32_t time_of(wet_file *f, place *at)
{
    if (!at->time)
        at->time = wet_time(f, at->node, at->instance);
    return at->time;
}

static uint32_t word_at(wet_file *f, place *at, uint32_t slot);

/* The value of a register that an operation of another execution defined. */
static uint32_t word_of(wet_file *f, wet_origin origin, unsigned kind, unsigned loc)
{
    if (!origin.producer)
        return 0;
    place at = {f->producer_node[origin.producer], origin.instance, 0};
    const wet_node *n = &f->nodes[at.node].n;
    uint32_t slot = wet_slot_find(n, f->statements, origin.producer - n->base, kind, loc);
    if (slot == WET_NOBODY) {
        f->damaged = true;
        return 0;
    }
    return word_at(f, &at, slot);
}

static const wet_statement *statement_of(const wet_file *f, const wet_node *n, uint32_t operation)
{
    return &f->statements[n->statements[n->operation_statement[operation]]];
}

static uint32_t input_word(wet_file *f, place *at, const wet_edge *edge)
{
    uint32_t choice;
    wet_origin origin = wet_edge_choose(f, edge, at->node, at->instance, time_of(f, at), &choice);
    if (!origin.producer)
        return 0;
    place from = {f->producer_node[origin.producer], origin.instance, 0};
    return word_at(f, &from, edge->slots[choice]);
}

static uint32_t computed(wet_file *f, place *at, uint32_t operation, const wet_slot *slot)
{
    wet_file_node *node = &f->nodes[at->node];
    const wet_statement *s = statement_of(f, &node->n, operation);
    const thumb_insn *insn = &f->statics[s->instruction].insn;
    uint64_t reads = wet_slot_reads(insn, slot, slot->source);
    thumb_state state;
    uint32_t word = 0;
    memset(&state, 0, sizeof state);
    for (uint32_t i = node->use_first[operation]; i < node->use_first[operation + 1]; i++) {
        const wet_use *use = &node->n.uses[i];
        if (!(reads >> use->loc & 1) || use->loc > THUMB_FLAGS)
            continue;
        state.r[use->loc] =
            use->producer != 255 ? word_at(f, at, node->use_slot[i]) : input_word(f, at, &node->inputs[use->input]);
    }
    unsigned order = slot->kind == WET_VALUE ? 0 : slot->source;
    if (!wet_slot_compute(insn, slot, order, s->access_count ? s->accesses[order].size : 0, &state, &word))
        f->damaged = true;
    return word;
}

static uint32_t loaded(wet_file *f, place *at, uint32_t operation)
{
    wet_file_node *node = &f->nodes[at->node];
    uint32_t load = node->load_of[operation];
    if (load == WET_NO_LOAD || !node->loads[load].part_count) {
        f->damaged = true;
        return 0;
    }
    const wet_load_edge *edges = &node->loads[load];
    const wet_load *l = &node->n.loads[load];
    wet_origin from =
        wet_edge_origin(f, &edges->parts[edges->part_count - 1].edge, at->node, at->instance, time_of(f, at));
    uint32_t data = word_of(f, from, WET_DATA, 0), address = word_of(f, from, WET_ADDRESS, 0);
    const thumb_insn *insn = &f->statics[statement_of(f, &node->n, operation)->instruction].insn;
    return wet_load_word(data, word_at(f, at, l->slot) - address, l->size, insn->sign);
}

static uint32_t word_at(wet_file *f, place *at, uint32_t slot)
{
    wet_file_node *node = &f->nodes[at->node];
    if (slot >= node->n.slot_count || f->depth > DEPTH_MAX) {
        f->damaged = true;
        return 0;
    }
    const wet_stream *stream = &f->streams[node->slots[slot]];
    if (stream->kind != WET_INFERRED || (stream->blocks && stream->blocks[at->instance / WET_BLOCK]))
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

/* A slot that is asked for often is found block by block. */
uint32_t wet_word(wet_file *f, uint32_t node, uint32_t slot, uint32_t instance)
{
    wet_stream *s = slot < f->nodes[node].n.slot_count ? &f->streams[f->nodes[node].slots[slot]] : NULL;
    if (s && s->blocks && s->blocks[instance / WET_BLOCK])
        return s->blocks[instance / WET_BLOCK][instance % WET_BLOCK];
    if (s && s->kind == WET_INFERRED && s->asked++ >= ASKED_MAX)
        return wet_stream_block(f, f->nodes[node].slots[slot], instance / WET_BLOCK)[instance % WET_BLOCK];
    place at = {node, instance, 0};
    return word_at(f, &at, slot);
}

void wet_words(wet_file *f, uint32_t node, uint32_t slot, uint32_t at, uint32_t count, uint32_t *out)
{
    wet_stream_read(f, f->nodes[node].slots[slot], at, count, out);
}
