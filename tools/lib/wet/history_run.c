/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/history_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/progress.h"
#include "tools/lib/machine/branch.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/statement.h"
#include "tools/lib/wet/stream.h"
#include "tools/lib/wet/word.h"

#define PART 256u /* executions whose addresses are read at once */

/* The words of a node that are addresses, of PART executions. */
typedef struct addresses {
    uint32_t *slots, count; /* NULL: not made yet */
    uint32_t *words;        /* PART of each slot */
    uint32_t from, have;    /* executions */
} addresses;

typedef struct runner {
    wet_file *f;
    wet_history *h;
    addresses *nodes;
    uint32_t *words; /* of an execution, by slot */
    /* The execution that waits: what comes next says whether its last branch was taken. */
    uint32_t node, instance, time;
} runner;

static addresses *addresses_of(runner *r, uint32_t node)
{
    const wet_node *n = &r->f->nodes[node].n;
    addresses *a = &r->nodes[node];
    if (a->slots)
        return a;
    a->slots = memory_zero(n->slot_count + 1, sizeof *a->slots);
    for (uint32_t i = 0; i < n->slot_count; i++)
        if (r->f->nodes[node].slot[i]->kind == WET_ADDRESS)
            a->slots[a->count++] = i;
    a->words = memory_zero(a->count * (size_t)PART + 1, sizeof *a->words);
    return a;
}

static void words_take(runner *r)
{
    addresses *a = addresses_of(r, r->node);
    uint32_t at = r->instance, count = r->f->nodes[r->node].n.count;
    if (at < a->from || at >= a->from + a->have) {
        a->from = at;
        a->have = count - at < PART ? count - at : PART;
        for (uint32_t i = 0; i < a->count; i++)
            wet_words(r->f, r->node, a->slots[i], at, a->have, a->words + (size_t)i * PART);
    }
    for (uint32_t i = 0; i < a->count; i++)
        r->words[a->slots[i]] = a->words[(size_t)i * PART + at - a->from];
}

/* The value of a register that an operation of the waiting execution reads; 0: it was never written. */
static uint32_t use_word(runner *r, uint32_t use)
{
    wet_file *f = r->f;
    const wet_file_node *node = &f->nodes[r->node];
    const wet_use *u = &node->n.uses[use];
    if (u->producer != 255)
        return wet_word(f, r->node, node->use_slot[use], r->instance);
    wet_origin from = wet_edge_origin(f, &node->inputs[u->input], r->node, r->instance, r->time);
    if (!from.producer)
        return 0;
    uint32_t producer = f->producer_node[from.producer];
    const wet_node *n = &f->nodes[producer].n;
    uint32_t slot = wet_slot_find(n, f->statements, from.producer - n->base, WET_VALUE, u->loc);
    if (slot != WET_NONE)
        return wet_word(f, producer, slot, from.instance);
    f->damaged = true;
    return 0;
}

/* Whether the branch was taken, from what it reads. */
static bool taken_by_words(runner *r, const wet_statement *s)
{
    const wet_file_node *node = &r->f->nodes[r->node];
    uint32_t operation = node->n.operation_count - 1;
    thumb_state state;
    memset(&state, 0, sizeof state);
    for (uint32_t i = node->use_first[operation]; i < node->use_first[operation + 1]; i++)
        if (node->n.uses[i].loc <= THUMB_FLAGS)
            state.r[node->n.uses[i].loc] = use_word(r, i);
    return thumb_is_taken(&r->f->statics[s->instruction].insn, s->passed, &state);
}

static const wet_statement *statement_at(const wet_file *f, const wet_node *n, uint32_t statement)
{
    return &f->statements[n->statements[statement]];
}

/* The last branch of the waiting execution; `next`: the node that comes next, WET_NONE: none. */
static bool taken(runner *r, uint32_t next)
{
    const wet_file *f = r->f;
    const wet_node *n = &f->nodes[r->node].n;
    const wet_statement *s = statement_at(f, n, n->statement_count - 1);
    const wet_static *w = &f->statics[s->instruction];
    if (w->exception || !thumb_is_conditional(&w->insn))
        return false;
    const wet_static *to = next == WET_NONE ? NULL : &f->statics[statement_at(f, &f->nodes[next].n, 0)->instruction];
    if (!to || to->exception)
        return taken_by_words(r, s);
    return to->insn.pc != w->insn.pc + w->insn.size;
}

static void run_waiting(runner *r, uint32_t next)
{
    if (r->node == WET_NONE)
        return;
    words_take(r);
    wet_history_execution(r->h, r->node, r->words, taken(r, next));
}

static void run_all(runner *r)
{
    wet_control *c = wet_control_new(r->f, 1, r->f->time, false);
    uint32_t low, count;
    const uint32_t *nodes, *instances;
    uint64_t done = 0;
    while ((count = wet_control_next(c, &low, &nodes, &instances)) > 0) {
        for (uint32_t i = 0; i < count; i++) {
            if (nodes[i] == WET_NONE) {
                r->f->damaged = true;
                continue;
            }
            run_waiting(r, nodes[i]);
            r->node = nodes[i];
            r->instance = instances[i];
            r->time = low + i;
        }
        progress_show(done += count, "path executions");
    }
    run_waiting(r, WET_NONE);
    progress_end();
    wet_control_free(c);
}

wet_history *wet_history_run(wet_file *f, const char *model, char *message, size_t message_size)
{
    wet_history *h = wet_history_new(model, message, message_size);
    if (!h)
        return NULL;
    runner *r = memory_zero(1, sizeof *r);
    *r = (runner){.f = f, .h = h, .node = WET_NONE, .nodes = memory_zero(f->node_count + 1, sizeof *r->nodes)};
    uint32_t slots = 0;
    for (uint32_t i = 0; i < f->node_count; i++) {
        wet_history_node_add(h, &f->nodes[i].n, wet_file_code(f), true);
        slots = f->nodes[i].n.slot_count > slots ? f->nodes[i].n.slot_count : slots;
    }
    r->words = memory_zero(slots + 1, sizeof *r->words);
    run_all(r);
    wet_history_done(h);
    free(r->words);
    for (uint32_t i = 0; i < f->node_count; i++) {
        free(r->nodes[i].slots);
        free(r->nodes[i].words);
    }
    free(r->nodes);
    free(r);
    return h;
}

/* ---- what a file keeps ---- */

/* Bits that are listed by their places, which ascend. */
static void bits_listed(wet_file *f, wet_bits *bits, uint32_t stream, uint32_t executions)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < f->streams[stream].count && !f->damaged; i++) {
        uint32_t at = wet_stream_get(f, stream, i);
        f->damaged |= at < next || at >= executions;
        if (!f->damaged)
            wet_bits_set(bits, at);
        next = at + 1;
    }
}

static void bits_plain(wet_file *f, wet_bits *bits, uint32_t stream, uint32_t executions)
{
    for (uint32_t i = 0; i < f->streams[stream].count && !f->damaged; i++)
        for (uint32_t word = wet_stream_get(f, stream, i); word && !f->damaged; word &= word - 1) {
            uint64_t at = UINT64_C(32) * i + (uint32_t)__builtin_ctz(word);
            if (at < executions)
                wet_bits_set(bits, (uint32_t)at);
            else
                f->damaged = true;
        }
}

static void bits_read(wet_file *f, wet_bits *bits, const wet_kept_event *e, uint32_t executions)
{
    bool mixed = e->misses && e->misses < executions;
    bits->hits = e->misses && (!mixed || e->mode == WET_HITS);
    if (mixed && e->mode == WET_BITS)
        bits_plain(f, bits, e->stream, executions);
    else if (mixed)
        bits_listed(f, bits, e->stream, executions);
    f->damaged |= bits->ones != (bits->hits ? executions - e->misses : e->misses);
}

/* The bits of a node's events of a kind. Returns the kept event after them. */
static const wet_kept_event *node_bits_read(wet_file *f, wet_history *h, uint32_t node, unsigned kind,
                                            const wet_kept_event *e)
{
    for (uint32_t k = 0; k < h->nodes[node].event_count; k++)
        if (h->nodes[node].events[k].kind == kind)
            bits_read(f, &h->nodes[node].bits[k], e++, h->nodes[node].executions);
    return e;
}

wet_history *wet_history_kept(wet_file *f)
{
    if (!f->kept)
        return NULL;
    wet_history *h = memory_zero(1, sizeof *h);
    snprintf(h->text, sizeof h->text, "%s", f->kept->text);
    memcpy(h->waited, f->kept->waited, sizeof h->waited);
    for (uint32_t i = 0; i < f->node_count; i++) {
        wet_history_node_add(h, &f->nodes[i].n, wet_file_code(f), false);
        h->nodes[i].executions = f->nodes[i].n.count;
    }
    const wet_kept_event *e = f->kept->events;
    for (unsigned kind = 0; kind < MISSES_KINDS; kind++)
        for (uint32_t i = 0; i < f->node_count; i++)
            e = node_bits_read(f, h, i, kind, e);
    return h;
}
