/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/branch.h"

/* ---- bits ---- */

void wet_bits_set(wet_bits *bits, uint32_t at)
{
    if (at / 64 >= bits->room) {
        uint32_t room = at / 64 + at / 128 + 1;
        bits->words = memory_grow(bits->words, room, sizeof *bits->words);
        memset(bits->words + bits->room, 0, (room - bits->room) * sizeof *bits->words);
        bits->room = room;
    }
    bits->words[at / 64] |= UINT64_C(1) << at % 64;
    bits->ones++;
}

static uint32_t bits_count(const wet_bits *bits, uint32_t from, uint32_t to)
{
    uint32_t count = 0;
    uint64_t end = (uint64_t)bits->room * 64;
    to = to < end ? to : (uint32_t)end;
    while (from < to) {
        uint32_t here = 64 - from % 64, left = to - from;
        uint64_t word = bits->words[from / 64] >> from % 64;
        if (left < here)
            word &= (UINT64_C(1) << left) - 1;
        count += (uint32_t)__builtin_popcountll(word);
        from += left < here ? left : here;
    }
    return count;
}

uint32_t wet_bits_misses(const wet_bits *bits, uint32_t from, uint32_t to)
{
    uint32_t ones = bits_count(bits, from, to);
    return bits->hits ? to - from - ones : ones;
}

/* ---- steps ---- */

/* What the model gets, in the order in which it was made. */
struct wet_history_step {
    uint32_t where; /* pc; accesses: the slot of the address */
    uint16_t event;
    uint8_t kind, size;
    bool backward, taken;
    bool open; /* a branch that ends the node: the execution says whether it was taken */
};

/* The slot with the address of access `at` of a statement whose slots begin at `first`. */
static uint32_t address_slot(const wet_statement *s, uint32_t first, uint32_t at)
{
    for (uint32_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].kind == WET_ADDRESS && s->slots[i].source == at)
            return first + i;
    return first;
}

/* Where the node goes on after a statement; 0: not in this node. */
static uint32_t next_pc(const wet_node *n, wet_code code, uint32_t statement)
{
    if (statement + 1 == n->statement_count)
        return 0;
    return code.statics[code.statements[n->statements[statement + 1]].instruction].insn.pc;
}

static void accesses_add(wet_history_node *node, const wet_statement *s, uint32_t first, uint16_t event)
{
    bool store = node->events[event].kind == MISSES_STORE;
    for (uint32_t i = 0; i < s->access_count; i++)
        if (s->accesses[i].store == store)
            node->steps[node->step_count++] = (wet_history_step){.where = address_slot(s, first, i),
                                                                 .event = event,
                                                                 .kind = node->events[event].kind,
                                                                 .size = s->accesses[i].size};
}

static void step_add(wet_history_node *node, const wet_node *n, wet_code code, uint16_t event)
{
    uint32_t statement = node->events[event].statement;
    const wet_statement *s = &code.statements[n->statements[statement]];
    const thumb_insn *insn = &code.statics[s->instruction].insn;
    wet_history_step step = {.where = insn->pc, .event = event, .kind = node->events[event].kind, .size = insn->size};
    if (step.kind == MISSES_LOAD || step.kind == MISSES_STORE) {
        accesses_add(node, s, wet_statement_slot(n, code, statement), event);
        return;
    }
    if (step.kind == MISSES_BRANCH) {
        step.backward = thumb_is_backward(insn);
        step.open = statement + 1 == n->statement_count;
        step.taken = s->passed && next_pc(n, code, statement) != insn->pc + insn->size;
    }
    node->steps[node->step_count++] = step;
}

static void steps_make(wet_history_node *node, const wet_node *n, wet_code code)
{
    uint32_t count = node->event_count;
    for (uint32_t i = 0; i < n->statement_count; i++)
        count += code.statements[n->statements[i]].access_count;
    node->steps = memory_zero(count + 1, sizeof *node->steps);
    for (uint32_t i = 0; i < node->event_count; i++)
        step_add(node, n, code, (uint16_t)i);
}

/* ---- histories ---- */

wet_history *wet_history_new(const char *model, char *message, size_t message_size)
{
    misses_model *m = misses_new(model, message, message_size);
    if (!m)
        return NULL;
    wet_history *h = memory_zero(1, sizeof *h);
    h->model = m;
    snprintf(h->text, sizeof h->text, "%s", misses_text(m));
    return h;
}

void wet_history_free(wet_history *h)
{
    for (uint32_t i = 0; i < h->node_count; i++) {
        for (uint32_t k = 0; k < h->nodes[i].event_count; k++)
            free(h->nodes[i].bits[k].words);
        free(h->nodes[i].events);
        free(h->nodes[i].bits);
        free(h->nodes[i].steps);
    }
    free(h->nodes);
    if (h->model)
        misses_free(h->model);
    free(h);
}

void wet_history_node_add(wet_history *h, const wet_node *n, wet_code code, bool steps)
{
    wet_event events[WET_EVENTS_MAX];
    h->nodes = memory_room(h->nodes, h->node_count, &h->node_max, sizeof *h->nodes);
    wet_history_node *node = &h->nodes[h->node_count++];
    *node = (wet_history_node){.event_count = wet_events_of(n, code, events)};
    node->events = memory_zero(node->event_count + 1, sizeof *node->events);
    node->bits = memory_zero(node->event_count + 1, sizeof *node->bits);
    memcpy(node->events, events, node->event_count * sizeof *events);
    if (steps)
        steps_make(node, n, code);
}

static bool step_misses(misses_model *m, const wet_history_step *s, const uint32_t *words, bool taken)
{
    switch (s->kind) {
    case MISSES_FETCH:
        return misses_fetch(m, s->where, s->size);
    case MISSES_BRANCH:
        return misses_branch(m, s->where, s->backward, s->open ? taken : s->taken);
    default:
        return misses_access(m, words[s->where], s->size, s->kind == MISSES_STORE);
    }
}

void wet_history_execution(wet_history *h, uint32_t number, const uint32_t *words, bool taken)
{
    wet_history_node *node = &h->nodes[number];
    uint32_t at = node->executions++, last = WET_NONE;
    for (uint32_t i = 0; i < node->step_count; i++) {
        const wet_history_step *s = &node->steps[i];
        if (!step_misses(h->model, s, words, taken) || s->event == last)
            continue;
        wet_bits_set(&node->bits[s->event], at);
        last = s->event;
    }
}

void wet_history_done(wet_history *h)
{
    for (unsigned i = 0; h->model && i < MISSES_KINDS; i++)
        h->waited[i] = misses_waited(h->model, i);
}
