/* SPDX-License-Identifier: MIT */
/* From a full recording to nodes with rows. Steps, for each event:
 *   1. the statement: static instruction, outcome, operations (wet_statement.c)
 *   2. whether it goes on with the path or starts a new one (step_before)
 *   3. its words, and whether they could have been computed (words_add)
 * and for each path that ends (path_end):
 *   4. the node, found in the tree of paths, made when new (node_of, node_make)
 *   5. producers of what it reads: registers by the last definition, memory by a shadow of each byte, control by the last
 *      branch of the activation (dependences of wet_memory.c, wet_activation.c)
 *   6. what it defines. */
#include "tools/lib/wet/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/activation.h"
#include "tools/lib/wet/memory.h"
#include "tools/lib/wet/statement.h"

#define BIT(n) (UINT64_C(1) << (n))
#define WORDS_MAX 16384u

/* The tree of paths: a state is a prefix. */
typedef struct path_state {
    uint32_t statement, next; /* the way taken last */
    uint32_t node;            /* WET_NOBODY: no path ended here yet */
} path_state;

typedef struct reader {
    wet_trace *t;
    uint32_t *static_of; /* full number -> static */
    uint32_t static_of_room;
    uint32_t *exceptions; /* statics that are exceptions: few */
    uint32_t exception_count;

    path_state *states;
    uint32_t state_count, state_room;
    uint64_t *ways; /* (state, statement) + 1 -> next, open addressing */
    uint32_t *way_next;
    uint32_t way_slots, way_count;

    uint32_t path[WET_OPERATIONS_MAX], path_length, path_operations, state;
    uint32_t words[WORDS_MAX], word_count;
    uint32_t
        last_static; /* of the instruction before, in this thread; WET_NOBODY at first and where a handler starts */
    bool last_passed;
    uint32_t last_producer, last_instance; /* its last operation, once its path has ended */

    uint32_t registers[64]; /* as the statements wrote them */
    uint32_t defined[64];   /* producers */
    wet_memory *memory;
    wet_activations *activations;
} reader;

/* ---- static instructions and statements ---- */

static uint32_t static_add(wet_trace *t)
{
    if (t->static_count == t->static_room) {
        t->static_room = t->static_room * 2 + 1024;
        t->statics = memory_grow(t->statics, t->static_room, sizeof *t->statics);
    }
    t->statics[t->static_count] = (wet_static){.last = WET_NOBODY};
    return t->static_count++;
}

static uint32_t static_of(reader *r, const full_instruction *instruction)
{
    uint32_t number = instruction->number;
    if (number >= r->static_of_room) {
        uint32_t room = number * 2 + 1024;
        r->static_of = memory_grow(r->static_of, room, sizeof *r->static_of);
        memset(r->static_of + r->static_of_room, 0xff, (room - r->static_of_room) * sizeof *r->static_of);
        r->static_of_room = room;
    }
    if (r->static_of[number] == WET_NOBODY) {
        uint32_t at = r->static_of[number] = static_add(r->t);
        wet_static *s = &r->t->statics[at];
        thumb_decode(&s->insn, instruction->pc, instruction->bytes, instruction->size, instruction->condition);
        s->place = cfg_at(r->t->graph, instruction->pc);
    }
    return r->static_of[number];
}

static uint32_t exception_static(reader *r, const full_event *event, uint8_t kind)
{
    wet_trace *t = r->t;
    for (uint32_t i = 0; i < r->exception_count; i++) {
        const wet_static *s = &t->statics[r->exceptions[i]];
        if (s->exception == kind && s->from == event->from && s->to == event->to)
            return r->exceptions[i];
    }
    uint32_t at = static_add(t);
    wet_static *s = &t->statics[at];
    r->exceptions = memory_grow(r->exceptions, r->exception_count + 1, sizeof *r->exceptions);
    r->exceptions[r->exception_count++] = at;
    s->exception = kind;
    s->from = (uint16_t)event->from;
    s->to = (uint16_t)event->to;
    s->insn = (thumb_insn){.pc = 0xfffff000u + 2 * at, .size = 2, .falls = true, .condition = THUMB_ALWAYS};
    s->place = (cfg_place){.procedure = WET_NOBODY, .branch = CFG_NO_BRANCH};
    return at;
}

static uint64_t shape_of(const full_event *event)
{
    uint64_t shape = event->access_count;
    for (uint32_t i = 0; i < event->access_count; i++)
        shape = shape * 37 + event->accesses[i].size * 2u + event->accesses[i].store;
    return shape;
}

static uint32_t statement_of(reader *r, uint32_t at, const full_event *event)
{
    wet_trace *t = r->t;
    uint64_t shape = shape_of(event);
    for (uint32_t i = t->statics[at].last; i != WET_NOBODY; i = t->statements[i].other) {
        const wet_statement *s = &t->statements[i];
        if (s->written == event->written && s->passed == event->passed && s->shape == shape)
            return i;
    }
    if (t->statement_count == t->statement_room) {
        t->statement_room = t->statement_room * 2 + 1024;
        t->statements = memory_grow(t->statements, t->statement_room, sizeof *t->statements);
    }
    t->statements[t->statement_count] = (wet_statement){.instruction = at,
                                                        .other = t->statics[at].last,
                                                        .passed = event->passed,
                                                        .written = event->written,
                                                        .shape = shape};
    t->statics[at].last = t->statement_count;
    wet_statement_split(&t->statements[t->statement_count], &t->statics[at], event);
    return t->statement_count++;
}

/* ---- the tree of paths ---- */

static uint32_t state_add(reader *r)
{
    if (r->state_count == r->state_room) {
        r->state_room = r->state_room * 2 + 4096;
        r->states = memory_grow(r->states, r->state_room, sizeof *r->states);
    }
    r->states[r->state_count] = (path_state){WET_NOBODY, 0, WET_NOBODY};
    return r->state_count++;
}

static uint32_t way_slot(const reader *r, uint64_t key)
{
    uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 20;
    while (r->ways[at & (r->way_slots - 1)] && r->ways[at & (r->way_slots - 1)] != key)
        at++;
    return (uint32_t)(at & (r->way_slots - 1));
}

static void ways_grow(reader *r)
{
    uint64_t *old = r->ways;
    uint32_t *old_next = r->way_next, old_slots = r->way_slots;
    r->way_slots = old_slots ? old_slots * 2 : 4096;
    r->ways = memory_zero(r->way_slots, sizeof *r->ways);
    r->way_next = memory_zero(r->way_slots, sizeof *r->way_next);
    for (uint32_t i = 0; i < old_slots; i++)
        if (old[i]) {
            uint32_t slot = way_slot(r, old[i]);
            r->ways[slot] = old[i];
            r->way_next[slot] = old_next[i];
        }
    free(old);
    free(old_next);
}

static uint32_t state_next(reader *r, uint32_t state, uint32_t statement)
{
    if (r->states[state].statement == statement)
        return r->states[state].next;
    if (2 * r->way_count >= r->way_slots)
        ways_grow(r);
    uint64_t key = ((uint64_t)state << 32 | statement) + 1;
    uint32_t slot = way_slot(r, key);
    if (!r->ways[slot]) {
        uint32_t next = state_add(r);
        r->ways[slot] = key;
        r->way_next[slot] = next;
        r->way_count++;
    }
    r->states[state].statement = statement;
    return r->states[state].next = r->way_next[slot];
}

/* ---- nodes ---- */

static uint8_t control_of(wet_node *node, const cfg_place *place)
{
    for (uint32_t i = 0; i < node->control_count; i++)
        if (node->control_set_counts[i] == place->control_count &&
            (!place->control_count ||
             !memcmp(node->control_sets[i], place->controls, place->control_count * sizeof(uint32_t))))
            return (uint8_t)i;
    uint32_t count = node->control_count + 1;
    node->control_sets = memory_grow(node->control_sets, count, sizeof *node->control_sets);
    node->control_set_counts = memory_grow(node->control_set_counts, count, sizeof *node->control_set_counts);
    node->control_sets[count - 1] = place->controls;
    node->control_set_counts[count - 1] = place->control_count;
    node->control_count = count;
    return (uint8_t)(count - 1);
}

static bool controlled_by(const cfg_place *place, uint32_t branch)
{
    for (uint32_t i = 0; i < place->control_count; i++)
        if (place->controls[i] == branch)
            return true;
    return false;
}

/* The last branch before, on the path, that controls a statement: its last operation; else 255 and the input. */
static void parent_make(wet_trace *t, wet_node *node, uint32_t index, const uint32_t *last_operation)
{
    const cfg_place *place = &t->statics[t->statements[node->statements[index]].instruction].place;
    uint8_t parent = 255, input = 0;
    for (uint32_t i = 0; i < index; i++) {
        uint32_t branch = t->statics[t->statements[node->statements[i]].instruction].place.branch;
        if (branch != CFG_NO_BRANCH && controlled_by(place, branch))
            parent = (uint8_t)last_operation[i];
    }
    if (parent == 255)
        input = control_of(node, place);
    uint32_t first = index ? last_operation[index - 1] + 1 : 0;
    for (uint32_t o = first; o <= last_operation[index]; o++) {
        node->parent[o] = parent;
        node->parent_input[o] = input;
    }
}

static void producers_add(wet_trace *t, const wet_node *node, uint32_t number)
{
    while (t->producer_room < node->base + node->operation_count) {
        t->producer_room = t->producer_room * 2 + 4096;
        t->producer_node = memory_grow(t->producer_node, t->producer_room, sizeof *t->producer_node);
    }
    for (uint32_t i = 0; i < node->operation_count; i++)
        t->producer_node[node->base + i] = number;
    t->producer_count = node->base + node->operation_count;
}

static uint32_t node_make(reader *r)
{
    wet_trace *t = r->t;
    uint8_t local[64];
    uint32_t last_operation[WET_OPERATIONS_MAX];
    if (t->node_count == t->node_room) {
        t->node_room = t->node_room * 2 + 256;
        t->nodes = memory_grow(t->nodes, t->node_room, sizeof *t->nodes);
    }
    wet_node *node = &t->nodes[t->node_count];
    *node = (wet_node){.base = t->producer_count, .slot_base = t->slot_total};
    wet_node_begin(node, r->path, r->path_length);
    memset(local, 255, sizeof local);
    for (uint32_t i = 0; i < r->path_length; i++) {
        wet_node_statement(node, &t->statements[node->statements[i]], i, local);
        last_operation[i] = node->operation_count - 1;
        parent_make(t, node, i, last_operation);
    }
    node->procedure = t->statics[t->statements[node->statements[0]].instruction].place.procedure;
    node->width = wet_row_loads(node) + 3 * node->load_count;
    t->slot_total += node->slot_count;
    producers_add(t, node, t->node_count);
    return t->node_count++;
}

/* ---- step 5: producers ---- */

/* Executions of the producer's node since, its own counted. */
static uint32_t age_of(const wet_trace *t, uint32_t producer, uint32_t instance)
{
    return producer ? t->nodes[t->producer_node[producer]].count - 1 - instance : 0;
}

static void controls_fill(reader *r, const wet_node *node, uint32_t *row)
{
    for (uint32_t i = 0; i < node->control_count; i++, row += 3) {
        wet_origin parent = node->procedure == WET_NOBODY ? (wet_origin){0, 0}
                                                          : wet_activation_parent(r->activations, node->control_sets[i],
                                                                                  node->control_set_counts[i]);
        row[0] = parent.producer;
        row[1] = parent.instance;
        row[2] = age_of(r->t, parent.producer, parent.instance);
    }
}

static void load_fill(reader *r, wet_node *node, uint32_t load, uint32_t *row, uint32_t instance)
{
    const wet_load *l = &node->loads[load];
    uint32_t *out = row + wet_row_loads(node) + 3 * load, address = row[1 + l->slot];
    wet_origin first = wet_memory_get(r->memory, address);
    out[0] = first.producer;
    out[1] = first.instance;
    out[2] = age_of(r->t, first.producer, first.instance);
    for (uint32_t byte = 1; byte < l->size; byte++) {
        wet_origin other = wet_memory_get(r->memory, address + byte);
        if (other.producer == first.producer && other.instance == first.instance)
            continue;
        if (node->part_count == node->part_room) {
            node->part_room = node->part_room * 2 + 16;
            node->parts = memory_grow(node->parts, node->part_room, sizeof *node->parts);
        }
        node->parts[node->part_count++] = (wet_part){.instance = instance,
                                                     .load = load,
                                                     .byte = byte,
                                                     .producer = other.producer,
                                                     .producer_instance = other.instance,
                                                     .age = age_of(r->t, other.producer, other.instance)};
    }
}

/* Loads and stores in the order in which they were made. */
static void memory_fill(reader *r, wet_node *node, uint32_t *row, uint32_t instance)
{
    const wet_trace *t = r->t;
    uint32_t slot = 0, load = 0, operation = 0;
    for (uint32_t i = 0; i < node->statement_count; i++) {
        const wet_statement *s = &t->statements[node->statements[i]];
        for (uint32_t k = 0; k < s->slot_count; k++, slot++) {
            const wet_slot *sl = &s->slots[k];
            if (sl->kind != WET_ADDRESS)
                continue;
            const wet_access *access = &s->accesses[s->operations[sl->operation].first_access + sl->access];
            if (access->store)
                wet_memory_set(r->memory, row[1 + slot], access->size,
                               (wet_origin){node->base + operation + sl->operation, instance});
            else
                load_fill(r, node, load++, row, instance);
        }
        operation += s->operation_count;
    }
}

/* Steps 5 and 6. */
static void branches_note(reader *r, const wet_node *node, uint32_t instance)
{
    const wet_trace *t = r->t;
    for (uint32_t o = 0; o < node->operation_count; o++) {
        uint32_t index = node->operation_statement[o];
        const cfg_place *place = &t->statics[t->statements[node->statements[index]].instruction].place;
        bool last = o + 1 == node->operation_count || node->operation_statement[o + 1] != index;
        if (last && place->branch != CFG_NO_BRANCH)
            wet_activation_branch(r->activations, place->branch, (wet_origin){node->base + o, instance});
    }
}

static void definitions_note(reader *r, const wet_node *node)
{
    uint32_t operation = node->base;
    for (uint32_t i = 0; i < node->statement_count; i++) {
        const wet_statement *s = &r->t->statements[node->statements[i]];
        for (uint32_t o = 0; o < s->operation_count; o++, operation++)
            for (uint64_t rest = s->operations[o].defines; rest; rest &= rest - 1)
                r->defined[__builtin_ctzll(rest)] = operation;
    }
}

static uint32_t *row_add(wet_node *node)
{
    if (node->count == node->room) {
        node->room = node->room + node->room / 2 + 4;
        node->rows = memory_grow(node->rows, (size_t)node->room * node->width, sizeof *node->rows);
    }
    return node->rows + (size_t)node->count++ * node->width;
}

static void dependences_count(wet_trace *t, const wet_node *node)
{
    t->dependences += node->load_count + node->operation_count;
    for (uint32_t i = 0; i < node->use_count; i++)
        t->dependences += node->uses[i].depends;
}

/* Steps 4 to 6: the path that was gathered has ended. */
static void path_end(reader *r)
{
    wet_trace *t = r->t;
    if (!r->path_length)
        return;
    if (r->states[r->state].node == WET_NOBODY)
        r->states[r->state].node = node_make(r);
    wet_node *node = &t->nodes[r->states[r->state].node];
    uint32_t instance = node->count, *row = row_add(node);
    row[0] = ++t->time;
    memcpy(row + 1, r->words, r->word_count * sizeof *row);
    for (uint32_t i = 0; i < node->input_count; i++)
        row[wet_row_inputs(node) + i] = r->defined[node->inputs[i]];
    controls_fill(r, node, row + wet_row_controls(node));
    memory_fill(r, node, row, instance);
    if (node->procedure != WET_NOBODY)
        branches_note(r, node, instance);
    definitions_note(r, node);
    dependences_count(t, node);
    r->last_producer = node->base + node->operation_count - 1;
    r->last_instance = instance;
    r->path_length = r->path_operations = r->word_count = r->state = 0;
}

/* ---- steps 2 and 3 ---- */

/* The instruction before has led to `pc`: ends the path if it must, and follows calls and returns. */
static void step_before(reader *r, uint32_t pc)
{
    const wet_static *last = &r->t->statics[r->last_static];
    unsigned flow = r->last_passed ? last->insn.flow : THUMB_NEXT;
    uint32_t procedure = cfg_procedure(r->t->graph, pc);
    bool leaves = procedure != wet_activation_procedure(r->activations);
    bool call = flow == THUMB_CALL || flow == THUMB_CALL_INDIRECT;
    if (!leaves && !call && flow != THUMB_RETURN && pc > last->insn.pc)
        return;
    path_end(r);
    wet_origin from = {r->last_producer, r->last_instance};
    if (call)
        wet_activation_call(r->activations, procedure, last->insn.pc + last->insn.size, from);
    else if (flow == THUMB_RETURN || (flow == THUMB_SWITCH && leaves))
        wet_activation_return(r->activations, procedure, pc, from);
    else if (leaves)
        wet_activation_jump(r->activations, procedure, from);
}

static void state_masked(const reader *r, uint64_t reads, thumb_state *state)
{
    memset(state, 0, sizeof *state);
    for (reads &= 0xffff; reads; reads &= reads - 1)
        state->r[__builtin_ctzll(reads)] = r->registers[__builtin_ctzll(reads)];
}

static void word_check(reader *r, const thumb_insn *insn, const wet_statement *s, wet_slot *slot, uint32_t word)
{
    thumb_state state;
    uint32_t computed;
    unsigned at = slot->kind == WET_VALUE ? 0 : slot->source;
    state_masked(r, wet_slot_reads(insn, slot, at), &state);
    if (!wet_slot_compute(insn, slot, at, s->access_count ? s->accesses[at].size : 0, &state, &computed) ||
        computed != word)
        slot->computed = false;
}

static void words_add(reader *r, uint32_t statement, const full_event *event)
{
    wet_statement *s = &r->t->statements[statement];
    const thumb_insn *insn = &r->t->statics[s->instruction].insn;
    for (uint32_t i = 0; i < s->slot_count; i++) {
        wet_slot *slot = &s->slots[i];
        uint32_t word = slot->kind == WET_VALUE     ? event->values[slot->source]
                        : slot->kind == WET_ADDRESS ? event->accesses[slot->source].address
                        : slot->kind == WET_DATA    ? (uint32_t)event->accesses[slot->source].value
                                                    : (uint32_t)(event->accesses[slot->source].value >> 32);
        if (slot->computed)
            word_check(r, insn, s, slot, word);
        r->words[r->word_count++] = word;
    }
    uint32_t k = 0;
    for (uint64_t rest = event->written; rest; rest &= rest - 1, k++)
        r->registers[__builtin_ctzll(rest)] = event->values[k];
}

static void path_add(reader *r, uint32_t statement, const full_event *event)
{
    const wet_statement *s = &r->t->statements[statement];
    if (r->path_operations + s->operation_count > WET_OPERATIONS_MAX || r->word_count + s->slot_count > WORDS_MAX)
        path_end(r);
    r->path[r->path_length++] = statement;
    r->path_operations += s->operation_count;
    r->state = state_next(r, r->state, statement);
    words_add(r, statement, event);
}

static void executed(reader *r, const full_event *event)
{
    uint32_t at = static_of(r, event->instruction);
    if (r->last_static != WET_NOBODY)
        step_before(r, event->instruction->pc);
    else
        wet_activation_start(r->activations, cfg_procedure(r->t->graph, event->instruction->pc));
    path_add(r, statement_of(r, at, event), event);
    r->last_static = at;
    r->last_passed = event->passed;
    r->t->executed++;
    r->t->values += event->value_count;
}

/* A handler starts in place of one that has ended, if both go back to thread mode, perhaps to another thread by now; or, over
 * a third handler, if the frame is the same. */
static bool is_chained(const reader *r, const full_event *event)
{
    bool to_thread = event->registers[14] & 8;
    return event->entry && event->from && (to_thread || wet_activation_frame(r->activations) == event->frame);
}

/* An exception is a node of its own, with the accesses and definitions of the core. */
static void exception(reader *r, const full_event *event)
{
    full_event e = *event;
    path_end(r);
    wet_interrupted at = {r->last_static, r->last_passed, {r->last_producer, r->last_instance}};
    bool chained = is_chained(r, event);
    uint8_t kind = chained ? 3 : event->entry ? 1 : 2;
    uint64_t written =
        BIT(13) | (kind == 2 ? BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(12) | BIT(14) | BIT(THUMB_FLAGS) : BIT(14));
    e.passed = e.completed = true;
    e.written = written;
    e.access_count = kind == 3 ? 0 : 8;
    for (uint32_t i = 0; i < e.access_count; i++)
        e.accesses[i] = (full_access){.address = event->frame + 4 * i, .size = 4, .store = kind == 1};
    e.value_count = 0;
    for (uint64_t rest = written; rest; rest &= rest - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(rest);
        e.values[e.value_count++] = loc == THUMB_FLAGS ? event->xpsr & 0xf80f0000u : event->registers[loc];
    }
    path_add(r, statement_of(r, exception_static(r, event, kind), &e), &e);
    path_end(r);
    uint32_t procedure = cfg_procedure(r->t->graph, event->pc);
    if (kind == 2) {
        at = wet_activation_resume(r->activations, procedure, event->frame);
    } else {
        wet_activation_interrupt(r->activations, procedure, event->frame, chained, at);
        at.instruction = WET_NOBODY;
    }
    r->last_static = at.instruction;
    r->last_passed = at.passed;
    r->last_producer = at.last.producer;
    r->last_instance = at.last.instance;
}

/* ---- the first reading: the graph ---- */

typedef struct scanner {
    wet_trace *t;
    uint8_t *known; /* by full number */
    thumb_insn *insns;
    uint32_t room;
    uint32_t last;       /* full number of an instruction that goes where only the run tells; WET_NOBODY */
    uint32_t strange;    /* an instruction's address where the image has another one; WET_NOBODY */
    uint64_t seen[4096]; /* ways noted lately */
} scanner;

static void scan_new(scanner *s, const full_instruction *i)
{
    if (i->number >= s->room) {
        uint32_t room = i->number * 2 + 1024;
        s->insns = memory_grow(s->insns, room, sizeof *s->insns);
        s->known = memory_grow(s->known, room, 1);
        memset(s->known + s->room, 0, room - s->room);
        s->room = room;
    }
    s->known[i->number] = 1;
    if (s->strange == WET_NOBODY && image_differs(s->t->im, i->pc, i->bytes, i->size))
        s->strange = i->pc;
    thumb_decode(&s->insns[i->number], i->pc, i->bytes, i->size, i->condition);
    cfg_add(s->t->graph, &s->insns[i->number]);
}

static void scan_event(scanner *s, const full_event *event)
{
    if (event->kind == FULL_EXCEPTION) {
        if (event->entry)
            cfg_add_start(s->t->graph, event->pc);
        s->last = WET_NOBODY;
        return;
    }
    const full_instruction *i = event->instruction;
    if (i->number >= s->room || !s->known[i->number])
        scan_new(s, i);
    if (s->last != WET_NOBODY) {
        const thumb_insn *from = &s->insns[s->last];
        uint64_t way = (uint64_t)from->pc << 32 | i->pc;
        if (s->seen[(way ^ way >> 29) & 4095] != way) {
            if (from->flow == THUMB_SWITCH)
                cfg_add_way(s->t->graph, from->pc, i->pc);
            else
                cfg_add_start(s->t->graph, i->pc);
            s->seen[(way ^ way >> 29) & 4095] = way;
        }
    }
    unsigned flow = event->passed ? s->insns[i->number].flow : THUMB_NEXT;
    bool open = flow == THUMB_SWITCH || flow == THUMB_CALL || flow == THUMB_CALL_INDIRECT;
    s->last = open ? i->number : WET_NOBODY;
}

/* ---- both readings ---- */

static bool read_all(const char *path, bool *cut, char *message, size_t size, void (*take)(void *, const full_event *),
                     void *context)
{
    char wrong[200];
    full_reader *in = full_open(path, wrong, sizeof wrong);
    if (!in) {
        snprintf(message, size, "'%s': %s", path, wrong);
        return false;
    }
    full_event *event = memory_zero(1, sizeof *event);
    while (full_next(in, event) > 0)
        take(context, event);
    *cut = full_error(in) != NULL;
    if (*cut)
        snprintf(message, size, "%s", full_error(in));
    full_close(in);
    free(event);
    return true;
}

static void take_scan(void *context, const full_event *event)
{
    scan_event(context, event);
}

static void take_event(void *context, const full_event *event)
{
    if (event->kind == FULL_EXCEPTION)
        exception(context, event);
    else
        executed(context, event);
}

static void graph_read(wet_trace *t, const char *full, const char *elf, bool *cut, char *message, size_t size,
                       bool *good)
{
    scanner *s = memory_zero(1, sizeof *s);
    s->t = t;
    s->last = s->strange = WET_NOBODY;
    t->graph = cfg_new(t->im);
    *good = read_all(full, cut, message, size, take_scan, s);
    if (*good && s->strange != WET_NOBODY) {
        snprintf(message, size, "'%s' is not the program that was recorded: that had another instruction at 0x%08x",
                 elf, s->strange);
        *good = false;
    }
    if (*good)
        cfg_finish(t->graph);
    free(s->known);
    free(s->insns);
    free(s);
}

wet_trace *wet_trace_read(const char *full, const char *elf, bool *cut, char *message, size_t size)
{
    bool good;
    image *im = image_open(elf, message, size);
    if (!im)
        return NULL;
    wet_trace *t = memory_zero(1, sizeof *t);
    t->im = im;
    t->producer_count = 1;
    graph_read(t, full, elf, cut, message, size, &good);
    reader *r = memory_zero(1, sizeof *r);
    r->t = t;
    r->last_static = WET_NOBODY;
    r->memory = wet_memory_new();
    r->activations = wet_activations_new(t->graph);
    state_add(r);
    good = good && read_all(full, cut, message, size, take_event, r);
    path_end(r);
    if (good && !t->executed) {
        snprintf(message, size, "'%s' holds no instruction", full);
        good = false;
    }
    wet_memory_free(r->memory);
    wet_activations_free(r->activations);
    free(r->static_of);
    free(r->exceptions);
    free(r->states);
    free(r->ways);
    free(r->way_next);
    free(r);
    if (!good) {
        wet_trace_free(t);
        return NULL;
    }
    return t;
}

void wet_trace_free(wet_trace *t)
{
    for (uint32_t i = 0; i < t->node_count; i++)
        wet_node_free(&t->nodes[i]);
    for (uint32_t i = 0; i < t->statement_count; i++) {
        free(t->statements[i].operations);
        free(t->statements[i].accesses);
        free(t->statements[i].slots);
    }
    free(t->nodes);
    free(t->statements);
    free(t->statics);
    free(t->producer_node);
    cfg_free(t->graph);
    image_close(t->im);
    free(t);
}
