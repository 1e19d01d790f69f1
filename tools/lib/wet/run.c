/* SPDX-License-Identifier: MIT */
/* A statement of a node becomes an event, in the order of time. An exception has the address of what comes after it. */
#include "tools/lib/wet/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/blocks.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/open.h"
#include "tools/lib/wet/place.h"
#include "tools/lib/wet/run_words.h"

#define BIT(n) (UINT64_C(1) << (n))

/* The statements of a node, and where its words come from. */
typedef struct steps {
    const wet_statement **statement; /* NULL: not made yet */
    uint32_t *slot;                  /* of each: its first */
    wet_tap *taps;                   /* of each slot */
} steps;

enum { ENTRY = 1, RETURN, CHAINED }; /* wet_static.exception */

typedef struct run {
    wet_file *f;
    wet_control *control;
    const uint32_t *nodes, *instances;
    uint32_t count, at; /* executions of the chunk, and the current one */
    uint32_t statement; /* of its node: the next */
    steps *steps;       /* by node */
    uint64_t time;
    full_instruction *instructions; /* by static instruction */
    uint64_t *all_written;          /* likewise: what it writes when it completes */
    bool *numbered;
    uint32_t met;
    run_words words;
    uint32_t *frames; /* of the handlers that are active */
    size_t depth, frames_max;
    char error[80];
} run;

/* ---- opening ---- */

static void make_instructions(run *r)
{
    const wet_file *f = r->f;
    r->instructions = memory_zero(f->static_count + 1, sizeof *r->instructions);
    r->all_written = memory_zero(f->static_count + 1, sizeof *r->all_written);
    r->numbered = memory_zero(f->static_count + 1, sizeof *r->numbered);
    for (uint32_t i = 0; i < f->statement_count; i++)
        r->all_written[f->statements[i].instruction] |= f->statements[i].written;
    for (uint32_t i = 0; i < f->static_count; i++) {
        const thumb_insn *insn = &f->statics[i].insn;
        full_instruction *to = &r->instructions[i];
        *to = (full_instruction){
            .pc = insn->pc, .size = insn->size, .condition = insn->condition, .writes = r->all_written[i]};
        memcpy(to->bytes, insn->bytes, sizeof to->bytes);
    }
}

static const steps *steps_of(run *r, uint32_t node)
{
    const wet_file_node *fn = &r->f->nodes[node];
    const wet_node *n = &fn->n;
    steps *made = &r->steps[node];
    if (made->statement)
        return made;
    made->statement = memory_zero(n->statement_count + 1, sizeof *made->statement);
    made->slot = memory_zero(n->statement_count + 1, sizeof *made->slot);
    made->taps = memory_zero(n->slot_count + 1, sizeof *made->taps);
    for (uint32_t i = 0, operation = 0; i < n->statement_count; i++) {
        made->statement[i] = &r->f->statements[n->statements[i]];
        made->slot[i] = n->slot_first[operation];
        operation += made->statement[i]->operation_count;
    }
    for (uint32_t i = 0; i < n->slot_count; i++)
        made->taps[i] = wet_tap_make(fn->slots[i], true);
    return made;
}

/* The next execution of a node comes to hand. False: the end, or damage. */
static bool at_node(run *r)
{
    uint32_t low;
    if (r->at == r->count) {
        r->count = wet_control_next(r->control, &low, &r->nodes, &r->instances);
        r->at = 0;
    }
    if (r->count && r->nodes[r->at] == WET_NONE)
        r->f->damaged = true;
    if ((r->f->damaged || r->f->damaged_at) && !*r->error)
        snprintf(r->error, sizeof r->error, "it is damaged");
    return r->count && !*r->error;
}

/* ---- events ---- */

static void take_values(full_event *event, const wet_statement *s, const uint32_t *words)
{
    event->written = s->written;
    event->value_count = (uint32_t)__builtin_popcountll(s->written);
    for (uint32_t i = 0; i < s->slot_count; i++) {
        const wet_slot *slot = &s->slots[i];
        if (slot->kind == WET_VALUE)
            event->values[slot->source] = words[i];
    }
}

static void take_accesses(full_event *event, const wet_statement *s, const uint32_t *words)
{
    wet_access_seen seen[FULL_ACCESSES_MAX];
    event->access_count = s->access_count ? wet_accesses_from(s, words, seen) : 0;
    event->unknown = 0;
    for (uint32_t i = 0; i < event->access_count; i++) {
        event->accesses[i] = (full_access){seen[i].address, seen[i].size, seen[i].store, seen[i].value};
        event->unknown |= seen[i].known ? 0 : BIT(i);
    }
}

static void execute(run *r, uint32_t number, const wet_statement *s, full_event *event)
{
    full_instruction *i = &r->instructions[number];
    if (!r->numbered[number])
        i->number = r->met++;
    r->numbered[number] = true;
    event->kind = FULL_EXECUTED;
    event->unknown_values = 0;
    event->instruction = i;
    event->passed = s->passed;
    event->completed = !s->passed || s->written == r->all_written[number];
    event->time = r->time++;
}

/* The frame of an exception: where the core stored or loads; of one that chains, that of the handler before. */
static uint32_t frame_of(run *r, unsigned exception, const full_event *event)
{
    uint32_t stored = event->access_count ? event->accesses[0].address : 0;
    uint32_t top = r->depth ? r->frames[r->depth - 1] : 0;
    if (exception == ENTRY) {
        r->frames = memory_room(r->frames, r->depth, &r->frames_max, sizeof *r->frames);
        r->frames[r->depth++] = stored;
    } else if (exception == RETURN && r->depth) {
        r->depth--;
    }
    return exception == CHAINED ? top : stored;
}

static const wet_static *first_static(const run *r, uint32_t execution)
{
    const wet_node *n = &r->f->nodes[r->nodes[execution]].n;
    return &r->f->statics[r->f->statements[n->statements[0]].instruction];
}

/* The instruction that is next. If handlers come before it, they end first. 0: not known in this chunk. */
static uint32_t next_pc(run *r)
{
    int64_t handlers = 0;
    if (!at_node(r))
        return 0;
    for (uint32_t i = r->at; i < r->count && r->nodes[i] != WET_NONE; i++) {
        const wet_static *s = first_static(r, i);
        if (!s->exception && !handlers)
            return s->insn.pc;
        handlers += (s->exception == ENTRY) - (s->exception == RETURN);
        if (handlers < 0)
            return 0;
    }
    return 0;
}

/* An exception is the only statement of its node, which is left already. */
static void interrupt(run *r, const wet_static *s, full_event *event)
{
    event->kind = FULL_EXCEPTION;
    event->time = r->time;
    event->from = s->from;
    event->to = s->to;
    event->entry = s->exception != RETURN;
    event->frame = frame_of(r, s->exception, event);
    event->pc = next_pc(r);
    memcpy(event->registers, r->words.state.r, sizeof event->registers);
    event->registers[15] = event->pc;
    event->xpsr = r->words.state.r[THUMB_FLAGS] | (uint32_t)BIT(24) | event->to;
}

static int next(void *own, full_event *event)
{
    run *r = own;
    if (!at_node(r))
        return 0;
    uint32_t words[UINT8_MAX], node = r->nodes[r->at], instance = r->instances[r->at];
    const steps *all = steps_of(r, node);
    const wet_statement *s = all->statement[r->statement];
    run_words_next(&r->words, &(run_statement){node, all->slot[r->statement], instance, s, all->taps}, words);
    if (++r->statement == r->f->nodes[node].n.statement_count) {
        r->statement = 0;
        r->at++;
    }
    take_values(event, s, words);
    take_accesses(event, s, words);
    if (r->f->statics[s->instruction].exception)
        interrupt(r, &r->f->statics[s->instruction], event);
    else
        execute(r, s->instruction, s, event);
    return 1;
}

static const char *error(void *own)
{
    const run *r = own;
    return *r->error ? r->error : NULL;
}

static void close_run(void *own)
{
    run *r = own;
    for (uint32_t i = 0; i < r->f->node_count; i++) {
        free(r->steps[i].statement);
        free(r->steps[i].slot);
        free(r->steps[i].taps);
    }
    free(r->steps);
    run_words_free(&r->words);
    wet_control_free(r->control);
    wet_file_close(r->f);
    free(r->instructions);
    free(r->all_written);
    free(r->numbered);
    free(r->frames);
    free(r);
}

bool wet_run_is(const char *path)
{
    return wet_is(path) || full_is(path);
}

full_reader *wet_run_open(const char *path, char *message, size_t message_size)
{
    if (!wet_is(path))
        return full_open(path, message, message_size);
    wet_file *f = wet_file_open(path, message, message_size);
    if (!f)
        return NULL;
    run *r = memory_zero(1, sizeof *r);
    r->f = f;
    wet_blocks_in_order(f);
    r->words = run_words_new(f);
    r->control = wet_control_new(f, 1, f->time, false);
    r->steps = memory_zero(f->node_count + 1, sizeof *r->steps);
    make_instructions(r);
    return full_over((full_origin){r, next, error, close_run});
}
