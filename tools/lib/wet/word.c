/* SPDX-License-Identifier: MIT */
/* Words are found in two ways that use each other:
 *   alone (word_alone.h): one word, through the edges of its execution, with a memo of the words found lately
 *   by blocks (words_find): a slot that is asked for often, or for many executions. These come in the order of time, so
 *   that producers are followed along their own executions instead of being searched for (walk). */
#include "tools/lib/wet/word.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/past.h"
#include "tools/lib/wet/statement.h"
#include "tools/lib/wet/store_search.h"
#include "tools/lib/wet/stream.h"

#define ASKED_MAX 1024u /* words of a slot found alone, before its blocks are found. More: slower long queries */
#define SPARSE 16u      /* a stream that is read less often than once in SPARSE numbers is not decoded as a whole */
#define STEPS_MAX 8u    /* executions of a producer that are stepped over before the next is searched for */

static const uint32_t *word_block(wet_file *f, uint32_t stream, uint32_t block);

/* A slot that is asked for often is found block by block. */
uint32_t wet_word(wet_file *f, uint32_t node, uint32_t slot, uint32_t instance)
{
    wet_stream *s = slot < f->nodes[node].n.slot_count ? &f->streams[f->nodes[node].slots[slot]] : NULL;
    const uint32_t *kept = s ? wet_stream_kept(s, instance >> f->block_bits) : NULL;
    if (kept)
        return kept[instance & wet_block_mask(f)];
    if (s && s->kind == WET_INFERRED && !f->alone && s->asked++ >= ASKED_MAX)
        return word_block(f, f->nodes[node].slots[slot], instance >> f->block_bits)[instance & wet_block_mask(f)];
    wet_execution at = {node, instance, 0};
    return wet_word_alone(f, &at, slot);
}

/* ---- words of a block ---- */

/* A stream whose numbers are read near each other. */
typedef struct near {
    uint32_t stream;        /* WET_NONE: there is none (a damaged file) */
    uint32_t number, drops; /* of the current block, and when it was taken */
    bool single;
    const uint32_t *block;
} near;

static near near_make(const wet_file *f, uint32_t stream, uint32_t uses)
{
    near n = {.stream = stream, .number = WET_NONE, .single = true};
    if (stream != WET_NONE)
        n.single = f->streams[stream].count / SPARSE > uses || !wet_stream_has_blocks(f, stream);
    return n;
}

static uint32_t near_fetch(wet_file *f, near *n, uint32_t at)
{
    if (n->stream == WET_NONE) {
        f->damaged = true;
        return 0;
    }
    if (n->single) {
        const wet_stream *s = &f->streams[n->stream];
        return s->kind == WET_INFERRED ? wet_word(f, s->first, s->second, at) : wet_stream_get(f, n->stream, at);
    }
    n->block = word_block(f, n->stream, at >> f->block_bits);
    n->number = at >> f->block_bits;
    n->drops = f->drops;
    return n->block[at & wet_block_mask(f)];
}

static inline uint32_t near_get(wet_file *f, near *n, uint32_t at)
{
    if (n->number == at >> f->block_bits && n->drops == f->drops)
        return n->block[at & wet_block_mask(f)];
    return near_fetch(f, n, at);
}

/* One of an edge's producers: what is asked of it, and where its executions have been followed to. */
typedef struct source {
    near times, words[2];
    uint32_t node, count, rank; /* rank WET_NONE: not known yet */
    uint32_t next;              /* timestamp of execution `rank`; UINT32_MAX: there is none */
} source;

typedef struct walk {
    const wet_edge *edge;
    uint32_t node;
    near times, which, when, address;
    source *sources;
    /* Of an edge that leads to the newest of several: the one of other nodes than this, when it executed, and up to
     * when (not included) that is so. */
    uint32_t newest, latest, until;
} walk;

static near slot_near(const wet_file *f, uint32_t node, uint32_t slot, uint32_t uses)
{
    const wet_file_node *n = &f->nodes[node];
    return near_make(f, slot < n->n.slot_count ? n->slots[slot] : WET_NONE, uses);
}

/* `load`: the producers are stores, and their data and addresses are asked for; else the register's value. */
static walk walk_begin(const wet_file *f, const wet_edge *edge, uint32_t node, bool load)
{
    uint32_t uses = f->nodes[node].n.count;
    walk w = {.edge = edge, .node = node, .times = near_make(f, f->nodes[node].times, uses)};
    w.which = near_make(f, edge->which, uses);
    w.when = near_make(f, edge->when, uses);
    w.address = wet_edge_wants_address(edge) ? slot_near(f, node, edge->slot, uses) : near_make(f, WET_NONE, 0);
    w.sources = memory_zero(edge->producer_count, sizeof *w.sources);
    for (uint32_t i = 0; i < edge->producer_count; i++) {
        source *s = &w.sources[i];
        if (!edge->producers[i])
            continue;
        s->node = f->producer_node[edge->producers[i]];
        const wet_file_node *from = &f->nodes[s->node];
        uint32_t operation = edge->producers[i] - from->n.base;
        s->count = from->n.count;
        s->rank = WET_NONE;
        s->times = near_make(f, from->times, uses);
        s->words[0] = slot_near(
            f, s->node, load ? wet_slot_find(&from->n, f->statements, operation, WET_DATA, 0) : edge->slots[i], uses);
        if (load)
            s->words[1] =
                slot_near(f, s->node, wet_slot_find(&from->n, f->statements, operation, WET_ADDRESS, 0), uses);
    }
    return w;
}

static void source_search(wet_file *f, source *s, uint32_t time)
{
    s->rank = wet_rank(f, s->node, time);
    s->next = s->rank < s->count ? near_get(f, &s->times, s->rank) : UINT32_MAX;
}

/* How many executions a source has had up to `time`; times ascend. */
static uint32_t source_rank(wet_file *f, source *s, uint32_t time)
{
    if (s->rank == WET_NONE)
        source_search(f, s, time);
    for (uint32_t step = 0; s->next <= time && s->rank < s->count; step++) {
        if (step == STEPS_MAX) {
            f->nodes[s->node].finger = s->rank;
            source_search(f, s, time);
            break;
        }
        s->rank++;
        s->next = s->rank < s->count ? near_get(f, &s->times, s->rank) : UINT32_MAX;
    }
    return s->rank;
}

/* Looks at all producers of other nodes. */
static void newest_look(wet_file *f, walk *w, uint32_t time)
{
    w->newest = w->latest = 0;
    w->until = UINT32_MAX;
    for (uint32_t i = 0; i < w->edge->producer_count; i++) {
        source *s = &w->sources[i];
        if (w->edge->producers[i] && s->node == w->node)
            continue;
        uint32_t before = w->edge->producers[i] ? source_rank(f, s, time) : 0;
        uint32_t when = before ? near_get(f, &s->times, before - 1) : 0;
        if (when > w->latest || (!w->edge->producers[i] && !w->latest)) {
            w->latest = when;
            w->newest = i;
        }
        if (w->edge->producers[i] && s->next < w->until)
            w->until = s->next;
    }
}

/* The producer that executed last. */
static uint32_t walk_newest(wet_file *f, walk *w, uint32_t instance, uint32_t time)
{
    uint32_t before = instance + (w->edge->mode != WET_BEFORE);
    if (time >= w->until)
        newest_look(f, w, time);
    uint32_t best = w->newest, latest = w->latest;
    for (uint32_t i = 0; before && i < w->edge->producer_count; i++) {
        source *s = &w->sources[i];
        if (!w->edge->producers[i] || s->node != w->node)
            continue;
        uint32_t when = near_get(f, &s->times, before - 1);
        if (when > latest) {
            latest = when;
            best = i;
        }
    }
    return best;
}

/* As wet_edge_choose. NULL: none. */
static source *walk_step(wet_file *f, walk *w, uint32_t instance, uint32_t *from)
{
    const wet_edge *edge = w->edge;
    uint32_t choice = 0, word = edge->when == WET_NONE ? 0 : near_get(f, &w->when, instance);
    if (edge->which != WET_NONE)
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
    if (wet_edge_wants_address(edge))
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

/* The words of a slot that are wanted: of `count` executions from `at`. */
typedef struct request {
    uint32_t node, operation;
    const wet_slot *slot;
    uint32_t at, count, *out;
} request;

static void compute(wet_file *f, const request *q)
{
    const wet_statement *s = wet_operation_statement(f, &f->nodes[q->node].n, q->operation);
    const thumb_insn *insn = &f->statics[s->instruction].insn;
    const wet_slot *slot = q->slot;
    unsigned order = slot->kind == WET_VALUE ? 0 : slot->source, size = s->access_count ? s->accesses[order].size : 0;
    input inputs[THUMB_FLAGS + 1];
    uint32_t input_count = inputs_make(f, q->node, q->operation, wet_slot_reads(insn, slot, slot->source), inputs);
    thumb_state state;
    memset(&state, 0, sizeof state);
    for (uint32_t i = 0; i < q->count; i++) {
        for (uint32_t k = 0; k < input_count; k++)
            state.r[inputs[k].loc] = input_get(f, &inputs[k], q->at + i);
        if (!wet_slot_compute(insn, slot, order, size, &state, &q->out[i]))
            f->damaged = true;
    }
    for (uint32_t k = 0; k < input_count; k++)
        if (!inputs[k].local)
            free(inputs[k].walk.sources);
}

static uint32_t word_of(wet_file *f, wet_execution *at, uint32_t slot)
{
    return wet_word(f, at->node, slot, at->instance);
}

/* Stores that no edge names: what memory held mostly is in the snapshots. */
static void search(wet_file *f, const request *q, uint32_t load)
{
    char message[200];
    if (!f->past && f->window)
        wet_past_open(f, message, sizeof message);
    for (uint32_t i = 0; i < q->count && !f->damaged; i++) {
        wet_execution at = {q->node, q->at + i, 0};
        q->out[i] = wet_store_word(f, &at, load, word_of);
    }
}

static void load(wet_file *f, const request *q)
{
    const wet_file_node *fn = &f->nodes[q->node];
    uint32_t number = fn->load_of[q->operation], from;
    if (number == WET_NO_LOAD || !wet_load_has_source(&fn->loads[number])) {
        f->damaged = true;
        return;
    }
    if (!fn->loads[number].part_count) {
        search(f, q, number);
        return;
    }
    const wet_load *l = &fn->n.loads[number];
    const wet_load_edge *edges = &fn->loads[number];
    walk w = walk_begin(f, &edges->parts[edges->part_count - 1].edge, q->node, true);
    near address = slot_near(f, q->node, l->slot, fn->n.count);
    bool sign = f->statics[wet_operation_statement(f, &fn->n, q->operation)->instruction].insn.sign;
    for (uint32_t i = 0; i < q->count; i++) {
        source *s = walk_step(f, &w, q->at + i, &from);
        uint32_t data = s ? near_get(f, &s->words[0], from) : 0, base = s ? near_get(f, &s->words[1], from) : 0;
        q->out[i] = wet_load_word(data, near_get(f, &address, q->at + i) - base, l->size, sign);
    }
    free(w.sources);
}

/* A word never needs itself: if it does the file is damaged. */
static void words_find(wet_file *f, wet_stream *s, uint32_t at, uint32_t count, uint32_t *out)
{
    const wet_file_node *node = &f->nodes[s->first];
    request q = {s->first, node->slot_operation[s->second], node->slot[s->second], at, count, out};
    if (s->busy) {
        f->damaged = true;
        return;
    }
    s->busy = true;
    if (q.slot->computed)
        compute(f, &q);
    else
        load(f, &q);
    s->busy = false;
}

/* As wet_stream_block, of inferred streams too. */
static const uint32_t *word_block(wet_file *f, uint32_t stream, uint32_t block)
{
    wet_stream *s = &f->streams[stream];
    const uint32_t *kept = wet_stream_kept(s, block);
    if (kept)
        return kept;
    if (s->kind != WET_INFERRED)
        return wet_stream_block(f, stream, block);
    uint32_t count = wet_stream_block_size(f, s, block), *words = memory_zero(count, sizeof *words);
    if (s->first < f->node_count && s->second < f->nodes[s->first].n.slot_count)
        words_find(f, s, block << f->block_bits, count, words);
    else
        f->damaged = true;
    return wet_stream_keep(f, stream, block, words);
}

void wet_words(wet_file *f, uint32_t node, uint32_t slot, uint32_t at, uint32_t count, uint32_t *out)
{
    uint32_t stream = f->nodes[node].slots[slot];
    if (f->streams[stream].kind != WET_INFERRED) {
        wet_stream_read(f, stream, at, count, out);
        return;
    }
    while (count) {
        uint32_t here = wet_block_mask(f) + 1 - (at & wet_block_mask(f)), part = count < here ? count : here;
        memcpy(out, word_block(f, stream, at >> f->block_bits) + (at & wet_block_mask(f)), part * sizeof *out);
        out += part;
        at += part;
        count -= part;
    }
}
