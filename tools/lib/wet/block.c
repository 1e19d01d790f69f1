/* SPDX-License-Identifier: MIT */
/* Words that have no stream of their own, a block at a time: as wet_word.c finds one, but executions come in order, so that
 * producers are followed along their own executions instead of being searched for. */
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/file.h"
#include "tools/lib/wet/statement.h"

#define SPARSE 16u   /* a stream that is read less often than once in so many numbers is not decoded as a whole */
#define STEPS_MAX 8u /* along the executions of a producer, before it is searched for */

/* A stream whose numbers are read near each other. */
typedef struct near {
    uint32_t stream;        /* WET_NOBODY: there is none (a damaged file) */
    uint32_t number, drops; /* of the block at hand, and when it was taken */
    bool single;
    const uint32_t *block;
} near;

static near near_make(const wet_file *f, uint32_t stream, uint32_t uses)
{
    near n = {.stream = stream, .number = WET_NOBODY, .single = true};
    if (stream != WET_NOBODY)
        n.single = f->streams[stream].count / SPARSE > uses || !wet_stream_has_blocks(f, stream);
    return n;
}

static uint32_t near_fetch(wet_file *f, near *n, uint32_t at)
{
    if (n->stream == WET_NOBODY) {
        f->damaged = true;
        return 0;
    }
    if (n->single) {
        const wet_stream *s = &f->streams[n->stream];
        return s->kind == WET_INFERRED ? wet_word(f, s->first, s->second, at) : wet_stream_get(f, n->stream, at);
    }
    n->block = wet_stream_block(f, n->stream, at / WET_BLOCK);
    n->number = at / WET_BLOCK;
    n->drops = f->drops;
    return n->block[at % WET_BLOCK];
}

static inline uint32_t near_get(wet_file *f, near *n, uint32_t at)
{
    if (n->number == at / WET_BLOCK && n->drops == f->drops)
        return n->block[at % WET_BLOCK];
    return near_fetch(f, n, at);
}

/* One of an edge's producers: what is asked of it, and where its executions have been followed to. */
typedef struct source {
    near times, words[2];
    uint32_t node, count, rank; /* rank WET_NOBODY: not known yet */
} source;

typedef struct walk {
    const wet_edge *edge;
    uint32_t node;
    near times, which, when, address;
    source *sources;
} walk;

static near slot_near(const wet_file *f, uint32_t node, uint32_t slot, uint32_t uses)
{
    const wet_file_node *n = &f->nodes[node];
    return near_make(f, slot < n->n.slot_count ? n->slots[slot] : WET_NOBODY, uses);
}

/* `load`: the producers are stores, and their data and addresses are asked for; else the register's value. */
static walk walk_begin(const wet_file *f, const wet_edge *edge, uint32_t node, bool load)
{
    uint32_t uses = f->nodes[node].n.count;
    walk w = {.edge = edge, .node = node, .times = near_make(f, f->nodes[node].times, uses)};
    w.which = near_make(f, edge->which, uses);
    w.when = near_make(f, edge->when, uses);
    w.address = edge->mode >= WET_IN_STEP ? slot_near(f, node, edge->slot, uses) : near_make(f, WET_NOBODY, 0);
    w.sources = memory_zero(edge->producer_count, sizeof *w.sources);
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        source *s = &w.sources[i];
        if (!edge->producers[i])
            continue;
        s->node = f->producer_node[edge->producers[i]];
        const wet_file_node *from = &f->nodes[s->node];
        uint32_t operation = edge->producers[i] - from->n.base;
        s->count = from->n.count;
        s->rank = WET_NOBODY;
        s->times = near_make(f, from->times, uses);
        s->words[0] = slot_near(
            f, s->node, load ? wet_slot_find(&from->n, f->statements, operation, WET_DATA, 0) : edge->slots[i], uses);
        if (load)
            s->words[1] =
                slot_near(f, s->node, wet_slot_find(&from->n, f->statements, operation, WET_ADDRESS, 0), uses);
    }
    return w;
}

/* How many executions a source has had up to `time`; times ascend. */
static uint32_t source_rank(wet_file *f, source *s, uint32_t time)
{
    if (s->rank == WET_NOBODY)
        return s->rank = wet_rank(f, s->node, time);
    for (uint32_t step = 0; s->rank < s->count && near_get(f, &s->times, s->rank) <= time; s->rank++)
        if (step++ == STEPS_MAX) {
            f->nodes[s->node].finger = s->rank;
            return s->rank = wet_rank(f, s->node, time);
        }
    return s->rank;
}

/* The producer that executed last. */
static uint32_t walk_newest(wet_file *f, walk *w, uint32_t instance, uint32_t time)
{
    uint32_t best = 0, latest = 0;
    for (uint32_t i = 0; i < w->edge->producer_count; i++) {
        source *s = &w->sources[i];
        uint32_t before = 0;
        if (w->edge->producers[i])
            before = s->node == w->node ? instance + (w->edge->mode != WET_BEFORE) : source_rank(f, s, time);
        uint32_t when = before ? near_get(f, &s->times, before - 1) : 0;
        if (when > latest || (!w->edge->producers[i] && !latest)) {
            latest = when;
            best = i;
        }
    }
    return best;
}

/* As wet_edge_choose. NULL: nobody. */
static source *walk_step(wet_file *f, walk *w, uint32_t instance, uint32_t *from)
{
    const wet_edge *edge = w->edge;
    uint32_t choice = 0, word = edge->when == WET_NOBODY ? 0 : near_get(f, &w->when, instance);
    if (edge->which != WET_NOBODY)
        choice = near_get(f, &w->which, instance);
    else if (edge->producer_count > 1)
        choice = walk_newest(f, w, instance, near_get(f, &w->times, instance));
    if (choice >= edge->producer_count) {
        f->damaged = true;
        return NULL;
    }
    source *s = &w->sources[choice];
    if (!edge->producers[choice])
        return NULL;
    *from = word;
    if (edge->mode >= WET_IN_STEP)
        *from = word + (near_get(f, &w->address, instance) >> (edge->mode - WET_IN_STEP));
    else if (edge->mode != WET_INSTANCES && s->node == w->node)
        *from = instance - (edge->mode == WET_BEFORE) - word;
    else if (edge->mode != WET_INSTANCES)
        *from = source_rank(f, s, near_get(f, &w->times, instance)) - 1 - word;
    if (*from < s->count)
        return s;
    f->damaged = true;
    return NULL;
}

/* A register that is read: from a slot of the same execution, or along an edge. */
typedef struct input {
    uint8_t loc;
    bool local;
    near word;
    walk walk;
} input;

static const wet_statement *statement_of(const wet_file *f, const wet_node *n, uint32_t operation)
{
    return &f->statements[n->statements[n->operation_statement[operation]]];
}

static uint32_t inputs_make(const wet_file *f, uint32_t node, uint32_t operation, uint64_t reads, input *inputs)
{
    const wet_file_node *fn = &f->nodes[node];
    uint32_t count = 0;
    for (uint32_t i = fn->use_first[operation]; i < fn->use_first[operation + 1]; i++) {
        const wet_use *use = &fn->n.uses[i];
        if (!(reads >> use->loc & 1) || use->loc > THUMB_FLAGS)
            continue;
        input *in = &inputs[count++];
        *in = (input){.loc = use->loc, .local = use->producer != 255};
        if (in->local)
            in->word = slot_near(f, node, fn->use_slot[i], fn->n.count);
        else
            in->walk = walk_begin(f, &fn->inputs[use->input], node, false);
    }
    return count;
}

static uint32_t input_get(wet_file *f, input *in, uint32_t instance)
{
    uint32_t from;
    if (in->local)
        return near_get(f, &in->word, instance);
    source *s = walk_step(f, &in->walk, instance, &from);
    return s ? near_get(f, &s->words[0], from) : 0;
}

static void compute(wet_file *f, uint32_t node, const wet_slot *slot, uint32_t operation, uint32_t at, uint32_t count,
                    uint32_t *out)
{
    const wet_statement *s = statement_of(f, &f->nodes[node].n, operation);
    const thumb_insn *insn = &f->statics[s->instruction].insn;
    unsigned order = slot->kind == WET_VALUE ? 0 : slot->source, size = s->access_count ? s->accesses[order].size : 0;
    input inputs[THUMB_FLAGS + 1];
    uint32_t input_count = inputs_make(f, node, operation, wet_slot_reads(insn, slot, slot->source), inputs);
    thumb_state state;
    memset(&state, 0, sizeof state);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < input_count; k++)
            state.r[inputs[k].loc] = input_get(f, &inputs[k], at + i);
        if (!wet_slot_compute(insn, slot, order, size, &state, &out[i]))
            f->damaged = true;
    }
    for (uint32_t k = 0; k < input_count; k++)
        if (!inputs[k].local)
            free(inputs[k].walk.sources);
}

static void load(wet_file *f, uint32_t node, uint32_t operation, uint32_t at, uint32_t count, uint32_t *out)
{
    const wet_file_node *fn = &f->nodes[node];
    uint32_t number = fn->load_of[operation], from;
    if (number == WET_NO_LOAD || !fn->loads[number].part_count) {
        f->damaged = true;
        return;
    }
    const wet_load *l = &fn->n.loads[number];
    const wet_load_edge *edges = &fn->loads[number];
    walk w = walk_begin(f, &edges->parts[edges->part_count - 1].edge, node, true);
    near address = slot_near(f, node, l->slot, fn->n.count);
    bool sign = f->statics[statement_of(f, &fn->n, operation)->instruction].insn.sign;
    for (uint32_t i = 0; i < count; i++) {
        source *s = walk_step(f, &w, at + i, &from);
        uint32_t data = s ? near_get(f, &s->words[0], from) : 0, base = s ? near_get(f, &s->words[1], from) : 0;
        out[i] = wet_load_word(data, near_get(f, &address, at + i) - base, l->size, sign);
    }
    free(w.sources);
}

void wet_words_find(wet_file *f, uint32_t node, uint32_t slot, uint32_t at, uint32_t count, uint32_t *out)
{
    const wet_file_node *fn = &f->nodes[node];
    uint32_t operation = fn->slot_operation[slot];
    if (fn->slot[slot]->computed)
        compute(f, node, fn->slot[slot], operation, at, count, out);
    else
        load(f, node, operation, at, count, out);
}
