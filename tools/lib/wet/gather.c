/* SPDX-License-Identifier: MIT */
/* From a full recording to nodes with rows, in two readings. The first gives the control flow graph (gather_graph.c).
 * Steps of the second, for each event:
 *   1. the statement: static instruction, outcome, operations (gather_statement.c, statement.c)
 *   2. whether it goes on with the path or starts a new one (step_before)
 *   3. its words, and whether they could have been computed (words_add)
 * and for each path that ends (path_end):
 *   4. the node, found in the tree of paths (gather_path.c), made when new (gather_node.c, gather_plan.c)
 *   5. producers of what it reads: registers by the last definition, memory by a shadow of each byte, control by the
 *      last branch of the activation (gather_dependence.c, memory.c, activation.c)
 *   6. what it defines.
 * Beside these, what a debugger asks for: where interrupts go on (gather_resume.c, first reading), snapshots
 * (gather_moment.c). */
#include "tools/lib/wet/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/attributes.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/machine/branch.h"
#include "tools/lib/wet/core.h"
#include "tools/lib/wet/gathering.h"
#include "tools/lib/wet/history.h"
#include "tools/lib/wet/schedule.h"
#include "tools/lib/wet/statement.h"

#define BIT(n) (UINT64_C(1) << (n))

/* Steps 4 to 6: the path that was gathered has ended. */
static void path_end(gather *g)
{
    wet_trace *t = g->t;
    if (!g->path_length)
        return;
    if (g->states[g->state].node == WET_NONE)
        g->states[g->state].node = gather_node(g);
    wet_node *node = &t->nodes[g->states[g->state].node];
    uint32_t instance = node->count++, *row = wet_rows_add(node->rows);
    row[0] = ++t->time;
    memcpy(row + 1, g->words, g->word_count * sizeof *row);
    gather_dependences(g, node, row, instance);
    gather_moment_path(g, g->states[g->state].node);
    if (t->history)
        wet_history_execution(t->history, g->states[g->state].node, row + 1, g->taken);
    g->last_producer = node->base + node->operation_count - 1;
    g->last_instance = instance;
    g->path_length = g->path_operations = g->word_count = g->state = 0;
}

/* ---- steps 2 and 3 ---- */

/* The instruction before has led to `to`: ends the path if it must, and follows calls and returns. */
static void step_before(gather *g, const wet_static *to)
{
    const wet_static *last = &g->t->statics[g->last_static];
    unsigned flow = g->last_passed ? last->insn.flow : THUMB_NEXT;
    uint32_t procedure = to->place.procedure, pc = to->insn.pc;
    bool leaves = procedure != wet_activation_procedure(g->activations);
    bool call = flow == THUMB_CALL || flow == THUMB_CALL_INDIRECT;
    if (!leaves && !call && flow != THUMB_RETURN && pc > last->insn.pc)
        return;
    path_end(g);
    wet_origin from = {g->last_producer, g->last_instance};
    if (call)
        wet_activation_call(g->activations, procedure, last->insn.pc + last->insn.size, last->place.branch, from);
    else if (flow == THUMB_RETURN || (flow == THUMB_SWITCH && leaves))
        wet_activation_return(g->activations, procedure, pc, from);
    else if (leaves)
        wet_activation_jump(g->activations, procedure, from);
}

static void state_masked(const gather *g, uint64_t reads, thumb_state *state)
{
    memset(state, 0, sizeof *state);
    for (reads &= 0xffff; reads; reads &= reads - 1)
        state->r[__builtin_ctzll(reads)] = g->registers[__builtin_ctzll(reads)];
}

static void word_check(gather *g, const thumb_insn *insn, const wet_statement *s, wet_slot *slot, uint32_t word)
{
    thumb_state state;
    uint32_t computed;
    unsigned at = slot->kind == WET_VALUE ? 0 : slot->source;
    state_masked(g, wet_slot_reads(insn, slot, at), &state);
    if (!wet_slot_compute(insn, slot, at, s->access_count ? s->accesses[at].size : 0, &state, &computed) ||
        computed != word)
        slot->computed = false;
}

static void words_add(gather *g, uint32_t statement, const full_event *event)
{
    wet_statement *s = &g->t->statements[statement];
    const thumb_insn *insn = &g->t->statics[s->instruction].insn;
    for (uint32_t i = 0; i < s->slot_count; i++) {
        wet_slot *slot = &s->slots[i];
        uint32_t word = slot->kind == WET_VALUE     ? event->values[slot->source]
                        : slot->kind == WET_ADDRESS ? event->accesses[slot->source].address
                        : slot->kind == WET_DATA    ? (uint32_t)event->accesses[slot->source].value
                                                    : (uint32_t)(event->accesses[slot->source].value >> 32);
        if (slot->computed)
            word_check(g, insn, s, slot, word);
        g->words[g->word_count++] = word;
    }
    uint32_t k = 0;
    for (uint64_t rest = event->written; rest; rest &= rest - 1, k++)
        g->registers[__builtin_ctzll(rest)] = event->values[k];
    g->known |= event->written;
}

static void path_add(gather *g, uint32_t statement, const full_event *event)
{
    const wet_statement *s = &g->t->statements[statement];
    if (g->path_operations + s->operation_count > WET_OPERATIONS_MAX ||
        g->word_count + s->slot_count > GATHER_WORDS_MAX)
        path_end(g);
    g->path[g->path_length++] = statement;
    g->path_operations += s->operation_count;
    g->state = gather_next(g, g->state, statement);
    words_add(g, statement, event);
}

/* Whether an instruction that has executed, and may end its path, has branched. */
static bool branched(const gather *g, const thumb_insn *insn, bool passed)
{
    thumb_state state;
    if (!thumb_is_conditional(insn))
        return false;
    memcpy(state.r, g->registers, sizeof state.r);
    return thumb_is_taken(insn, passed, &state);
}

static void instruction_add(gather *g, const full_event *event)
{
    uint32_t at = gather_static(g, event->instruction);
    if (g->last_static != WET_NONE)
        step_before(g, &g->t->statics[at]);
    else
        wet_activation_start(g->activations, g->t->statics[at].place.procedure);
    uint32_t r0 = g->registers[0], r1 = g->registers[1];
    path_add(g, gather_statement(g, at, event), event);
    gather_moment_executed(g, event, &g->t->statics[at].insn, r0, r1);
    if (g->t->history)
        g->taken = branched(g, &g->t->statics[at].insn, event->passed);
    g->last_static = at;
    g->last_passed = event->passed;
    g->t->executed++;
    g->t->unknown +=
        (uint64_t)__builtin_popcountll(event->unknown) + (uint64_t)__builtin_popcountll(event->unknown_values);
    g->t->values += event->value_count;
}

/* What an entry writes besides sp and lr: cores of ARMv8.1-M clear r0-r3, r12 and the flags, all of them or none. */
static uint64_t cleared(gather *g, const full_event *event)
{
    const uint64_t group = BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(12) | BIT(THUMB_FLAGS);
    bool zero = !(event->xpsr & WET_XPSR_FLAGS), differs = g->known & BIT(THUMB_FLAGS) && g->registers[THUMB_FLAGS];
    for (uint64_t rest = group & ~BIT(THUMB_FLAGS); rest; rest &= rest - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(rest);
        zero &= !event->registers[loc];
        differs |= g->known & BIT(loc) && g->registers[loc];
    }
    g->t->clears |= zero && differs;
    return g->t->clears && zero ? group : 0;
}

/* What the core does in an exception, as an event: the words that it stores and loads, the registers that it writes. */
static full_event core_event(gather *g, const full_event *event, uint8_t kind)
{
    full_event e = *event;
    e.passed = e.completed = true;
    e.written = BIT(13) | BIT(14) |
                (kind == 2 ? BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(12) | BIT(THUMB_FLAGS) : cleared(g, event));
    e.access_count = kind == 3 ? 0 : 8;
    for (uint32_t i = 0; i < e.access_count; i++)
        e.accesses[i] = (full_access){.address = event->frame + 4 * i, .size = 4, .store = kind == 1};
    e.value_count = 0;
    for (uint64_t rest = e.written; rest; rest &= rest - 1) {
        unsigned loc = (unsigned)__builtin_ctzll(rest);
        e.values[e.value_count++] = loc == THUMB_FLAGS ? event->xpsr & WET_XPSR_FLAGS : event->registers[loc];
    }
    return e;
}

/* An exception is a node of its own, with the accesses and definitions of the core. */
static void exception(gather *g, const full_event *event)
{
    path_end(g);
    wet_interrupted at = {g->last_static, g->last_passed, {g->last_producer, g->last_instance}};
    bool chained = full_is_chained(event, wet_activation_frame(g->activations));
    uint8_t kind = chained ? 3 : event->entry ? 1 : 2;
    full_event e = core_event(g, event, kind);
    gather_moment_before(g, event, kind);
    path_add(g, gather_statement(g, gather_exception(g, event, kind), &e), &e);
    gather_moment_after(g, event, kind);
    path_end(g);
    uint32_t procedure = cfg_procedure(g->t->graph, event->pc);
    if (kind == 2) {
        at = wet_activation_resume(g->activations, procedure, event->frame);
    } else {
        wet_activation_interrupt(g->activations, procedure, event->frame, chained, at);
        at.instruction = WET_NONE;
    }
    g->last_static = at.instruction;
    g->last_passed = at.passed;
    g->last_producer = at.last.producer;
    g->last_instance = at.last.instance;
}

/* Timestamps must not begin again: an event takes two of them at most. */
static bool take_event(void *context, const full_event *event)
{
    const gather *g = context;
    if (g->t->time >= WET_TIME_MAX)
        return false;
    if (event->kind == FULL_EXCEPTION)
        exception(context, event);
    else
        instruction_add(context, event);
    return true;
}

static gather *gather_new(wet_trace *t)
{
    gather *g = memory_zero(1, sizeof *g);
    g->t = t;
    g->last_static = WET_NONE;
    g->known = BIT(WET_IPSR);
    g->v8m = attributes_v8m(t->im);
    g->memory = wet_memory_new();
    g->activations = wet_activations_new(t->graph);
    gather_root(g);
    return g;
}

static void gather_free(gather *g)
{
    wet_memory_free(g->memory);
    wet_activations_free(g->activations);
    gather_plans_free(g);
    free(g->static_of);
    free(g->exceptions);
    free(g->frames);
    free(g->states);
    free(g->ways);
    free(g->way_next);
    free(g);
}

/* The second reading. */
static bool nodes_read(wet_trace *t, const char *full, gather_resumes resumes, bool *cut, char *message, size_t size)
{
    gather *g = gather_new(t);
    g->resumes = resumes;
    bool good = gather_read(full, cut, message, size, take_event, g);
    path_end(g);
    if (t->time % WET_WINDOW)
        gather_moment_window(g);
    if (good && t->time >= WET_TIME_MAX) {
        snprintf(message, size, "'%s' is too long: a .wet holds fewer than %u path executions", full, WET_TIME_MAX);
        good = false;
    }
    if (good && !t->executed) {
        snprintf(message, size, "'%s' holds no instruction", full);
        good = false;
    }
    gather_free(g);
    return good;
}

wet_trace *wet_trace_read(const char *full, const char *elf, const char *model, bool *cut, char *message, size_t size)
{
    *cut = false;
    wet_history *history = model ? wet_history_new(model, message, size) : NULL;
    if (model && !history)
        return NULL;
    image *im = image_open(elf, message, size);
    if (!im) {
        if (history)
            wet_history_free(history);
        return NULL;
    }
    wet_trace *t = memory_zero(1, sizeof *t);
    t->im = im;
    t->history = history;
    t->producer_count = 1;
    t->snapshots = wet_snapshots_new();
    t->schedule = wet_schedule_new();
    t->store = wet_store_new(ROWS_MEMORY_MAX, ROWS_TAILS_MAX);
    gather_resumes resumes = {0};
    bool good = gather_graph(t, full, &resumes, cut, message, size) && nodes_read(t, full, resumes, cut, message, size);
    gather_resumes_free(&resumes);
    if (history)
        wet_history_done(history);
    if (good)
        return t;
    wet_trace_free(t);
    return NULL;
}

void wet_trace_free(wet_trace *t)
{
    for (uint32_t i = 0; i < t->node_count; i++)
        wet_node_free(&t->nodes[i]);
    for (uint32_t i = 0; i < t->statement_count; i++)
        wet_statement_free(&t->statements[i]);
    free(t->nodes);
    free(t->statements);
    free(t->statics);
    free(t->producer_node);
    wet_snapshots_free(t->snapshots);
    wet_schedule_free(t->schedule);
    wet_store_free(t->store);
    if (t->history)
        wet_history_free(t->history);
    cfg_free(t->graph);
    image_close(t->im);
    free(t);
}
