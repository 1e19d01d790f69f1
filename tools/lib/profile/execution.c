/* SPDX-License-Identifier: MIT */
/* The steps, for each instruction: 1. what led here from the instruction before in this context - a call, a return, a
 * jump (follow); 2. it is counted, and the way to it (count_step). Instructions of the top activation are given to the
 * tables when it changes. */
#include "tools/lib/profile/execution.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"

/* An activation. */
typedef struct call {
    uint32_t function;
    uint32_t return_to; /* EXECUTION_NONE: nobody waits for it */
    uint32_t last;      /* its instruction that executed last */
    bool stack_known;
    uint32_t stack, lowest; /* the stack pointer at its entry, and the lowest one since */
} call;

typedef struct context {
    uint32_t number;
    call *calls;
    size_t depth, max;
    uint32_t last; /* the instruction that executed last; EXECUTION_NONE: none */
    bool last_passed, stack_known;
    uint32_t stack, highest; /* the stack pointer, and the highest one since it was set to this stack */
} context;

/* A handler that runs, and what it interrupted. */
typedef struct handler {
    uint32_t context, interrupted, frame;
} handler;

/* A thread that waits: its registers are at `frame`. */
typedef struct waiting {
    uint32_t context, frame;
} waiting;

enum { SPEND_MOST = 32 }; /* instructions whose cost waits while somebody wants to know */

struct execution_own {
    functions *tables;
    execution_choice choice;
    numbering numbers;     /* of addresses */
    uint32_t *function_of; /* by symbol */
    uint32_t nameless;     /* the function "?" */
    size_t executed_max, way_max;
    context *contexts;
    size_t context_count, context_max;
    uint32_t current; /* context */
    handler *handlers;
    size_t handler_count, handler_max;
    waiting *threads;
    size_t thread_count, thread_max;
    uint32_t thread_numbers; /* given so far */
    execution_blocks blocks;
    uint32_t block_first, block_end, block_count; /* the one that is not over; count 0: none */
    uint64_t unspent; /* instructions of the top activation that the tables do not have yet */
};

/* ---- functions ---- */

static function_place place_at(const image *im, uint32_t address)
{
    const image_line *line = image_line_at(im, address);
    return line && line->file ? (function_place){line->file, line->line} : (function_place){0};
}

/* Symbols with the address of the one before are its other names. */
static void add_functions(execution *run)
{
    const image_symbols *symbols = &run->im->symbols;
    struct execution_own *own = run->own;
    own->function_of = memory_zero(symbols->count + 1, sizeof *own->function_of);
    for (size_t i = 0; i < symbols->count; i++) {
        const image_symbol *s = &symbols->all[i];
        if (!s->function)
            continue;
        if (image_function(symbols, s->address) != s)
            continue;
        own->function_of[i] = own->nameless++;
        if (own->tables)
            functions_add(own->tables, s->name, place_at(run->im, s->address));
    }
    if (own->tables)
        functions_add(own->tables, "?", (function_place){0});
}

static uint32_t function_at(const execution *run, uint32_t pc)
{
    const image_symbol *s = image_function(&run->im->symbols, pc);
    return s ? run->own->function_of[s - run->im->symbols.all] : run->own->nameless;
}

/* ---- what the tables get ---- */

static bool is_wanted(const struct execution_own *own, const context *c)
{
    return own->tables && (!own->choice.one_context || own->choice.context == c->number);
}

static context *current(const struct execution_own *own)
{
    return &own->contexts[own->current];
}

/* Gives the top activation what it executed since. */
static void spend(struct execution_own *own)
{
    context *c = current(own);
    if (own->unspent && is_wanted(own, c))
        functions_spend(own->tables, c->number, own->unspent, 0, false);
    own->unspent = 0;
}

static void enter(execution *run, uint32_t function, uint32_t return_to)
{
    struct execution_own *own = run->own;
    context *c = current(own);
    spend(own);
    if (is_wanted(own, c)) {
        if (c->depth && c->calls[c->depth - 1].last != EXECUTION_NONE)
            functions_at(own->tables, c->number, place_at(run->im, run->all[c->calls[c->depth - 1].last].insn.pc));
        functions_enter(own->tables, c->number, function);
    }
    c->calls = memory_room(c->calls, c->depth, &c->max, sizeof *c->calls);
    c->calls[c->depth++] = (call){function, return_to, EXECUTION_NONE, c->stack_known, c->stack, c->stack};
}

static void leave(struct execution_own *own)
{
    context *c = current(own);
    const call *top = &c->calls[--c->depth];
    spend(own);
    if (c->depth && top->stack_known && top->lowest < c->calls[c->depth - 1].lowest)
        c->calls[c->depth - 1].lowest = top->lowest;
    if (!is_wanted(own, c))
        return;
    functions_leave(own->tables, c->number, top->function);
    if (top->stack_known)
        functions_stack(own->tables, top->function, top->stack - top->lowest);
}

static void leave_to(struct execution_own *own, size_t depth)
{
    while (current(own)->depth > depth)
        leave(own);
}

/* ---- step 1 ---- */

/* A jump out of the function: another activation in its place, for which the same caller waits. */
static void jump(execution *run, uint32_t function)
{
    context *c = current(run->own);
    uint32_t return_to = c->calls[c->depth - 1].return_to;
    leave(run->own);
    enter(run, function, return_to);
}

static void go_back(execution *run, uint32_t pc, uint32_t function)
{
    context *c = current(run->own);
    size_t depth = c->depth;
    while (depth && c->calls[depth - 1].return_to != pc)
        depth--;
    if (depth > 1) {
        leave_to(run->own, depth - 1);
        if (c->calls[c->depth - 1].function != function) /* the call was the last instruction of its function */
            jump(run, function);
        return;
    }
    const image_symbol *s = image_function(&run->im->symbols, pc);
    for (depth = c->depth; depth && c->calls[depth - 1].function != function;)
        depth--;
    if (depth && !(s && s->address == pc))
        leave_to(run->own, depth);
    else
        jump(run, function);
}

/* The last instruction of this context led to this one. */
static void follow(execution *run, const executed *to)
{
    context *c = current(run->own);
    if (c->last == EXECUTION_NONE || !c->depth) {
        enter(run, to->function, EXECUTION_NONE);
        return;
    }
    const thumb_insn *last = &run->all[c->last].insn;
    unsigned flow = c->last_passed ? last->flow : THUMB_NEXT;
    bool leaves = to->function != c->calls[c->depth - 1].function;
    if (flow == THUMB_CALL || flow == THUMB_CALL_INDIRECT)
        enter(run, to->function, last->pc + last->size);
    else if (flow == THUMB_RETURN || (flow == THUMB_SWITCH && leaves))
        go_back(run, to->insn.pc, to->function);
    else if (leaves)
        jump(run, to->function);
}

/* ---- step 2 ---- */

static void count_way(execution *run, uint32_t from, uint32_t to)
{
    executed *e = &run->all[from];
    uint32_t *link = &e->ways;
    while (*link != EXECUTION_NONE && run->way[*link].to != to)
        link = &run->way[*link].next;
    uint32_t found = *link;
    if (found == EXECUTION_NONE) {
        size_t max = run->own->way_max;
        run->way = memory_room(run->way, run->way_count, &max, sizeof *run->way);
        run->own->way_max = max;
        found = run->way_count++;
        run->way[found] = (executed_way){from, to, 0, e->ways};
        e->ways = found;
    } else if (found != e->ways) { /* to the front: it is likely to be the next one too */
        *link = run->way[found].next;
        run->way[found].next = e->ways;
        e->ways = found;
    }
    run->way[found].count++;
}

static void end_block(struct execution_own *own)
{
    if (own->block_count)
        own->blocks.block(own->blocks.own, own->block_first, own->block_end, own->block_count);
    own->block_count = 0;
}

static void note_block(struct execution_own *own, const thumb_insn *insn)
{
    if (own->block_end != insn->pc)
        end_block(own);
    if (!own->block_count)
        own->block_first = insn->pc;
    own->block_end = insn->pc + insn->size;
    own->block_count++;
    if (insn->flow != THUMB_NEXT)
        end_block(own);
}

void execution_on_block(execution *run, execution_blocks listener)
{
    run->own->blocks = listener;
}

void execution_step(execution *run, uint32_t instruction, bool passed)
{
    struct execution_own *own = run->own;
    executed *e = &run->all[instruction];
    context *c = current(own);
    if (c->last == EXECUTION_NONE || !c->depth || (c->last_passed && run->all[c->last].insn.flow >= THUMB_CALL) ||
        e->function != c->calls[c->depth - 1].function) {
        follow(run, e);
        c = current(own);
    }
    call *top = &c->calls[c->depth - 1];
    if (!own->choice.one_context || own->choice.context == c->number) {
        if (top->last == EXECUTION_NONE)
            e->entered++;
        else
            count_way(run, top->last, instruction);
        e->count++;
    }
    run->steps++;
    if (own->blocks.block)
        note_block(own, &e->insn);
    own->unspent++;
    top->last = c->last = instruction;
    c->last_passed = passed;
    if (own->unspent == SPEND_MOST && own->tables && functions_wants_costs(own->tables))
        spend(own);
}

/* ---- the stack ---- */

/* msr sets the stack pointer to another stack: how deep the activations are is not known any more. */
static bool sets_other_stack(const thumb_insn *insn)
{
    return insn->size == 4 && insn->bytes[1] == 0xf3 && (insn->bytes[0] & 0xe0) == 0x80;
}

static void report_stack(struct execution_own *own)
{
    const context *c = current(own);
    if (!is_wanted(own, c) || !functions_wants_stack(own->tables))
        return;
    spend(own);
    functions_stack_now(own->tables, c->number, c->highest - c->stack);
}

void execution_stack(execution *run, uint32_t stack)
{
    context *c = current(run->own);
    bool known = c->stack_known && c->last != EXECUTION_NONE && !sets_other_stack(&run->all[c->last].insn);
    for (size_t i = 0; !known && i < c->depth; i++)
        c->calls[i].stack_known = false;
    if (!known || stack > c->highest)
        c->highest = stack;
    bool changed = !known || stack != c->stack;
    c->stack_known = true;
    c->stack = stack;
    if (changed)
        report_stack(run->own);
    if (c->depth && stack < c->calls[c->depth - 1].lowest)
        c->calls[c->depth - 1].lowest = stack;
}

/* ---- accesses ---- */

bool execution_wants_accesses(const execution *run)
{
    const struct execution_own *own = run->own;
    return is_wanted(own, current(own)) && functions_wants_accesses(own->tables);
}

void execution_access(execution *run, uint32_t address, uint32_t size, bool store)
{
    const context *c = current(run->own);
    if (execution_wants_accesses(run) && c->depth)
        functions_access(run->own->tables, c->calls[c->depth - 1].function, address, size, store, true);
}

uint32_t execution_pc(const execution *run)
{
    const context *c = current(run->own);
    return c->last == EXECUTION_NONE ? 0 : run->all[c->last].insn.pc;
}

/* ---- exceptions ---- */

static uint32_t context_of(struct execution_own *own, uint32_t number)
{
    for (uint32_t i = 0; i < own->context_count; i++)
        if (own->contexts[i].number == number)
            return i;
    own->contexts = memory_room(own->contexts, own->context_count, &own->context_max, sizeof *own->contexts);
    own->contexts[own->context_count] = (context){.number = number, .last = EXECUTION_NONE};
    return (uint32_t)own->context_count++;
}

/* The thread whose registers are at `frame`; a new one if none waits there. */
static uint32_t thread_at(struct execution_own *own, uint32_t frame)
{
    for (size_t i = 0; i < own->thread_count; i++)
        if (own->threads[i].frame == frame) {
            uint32_t found = own->threads[i].context;
            own->threads[i] = own->threads[--own->thread_count];
            return found;
        }
    return context_of(own, EXECUTION_THREAD + own->thread_numbers++);
}

/* The handler that runs ends; what was stopped at `frame` is current. */
static void handler_end(struct execution_own *own, uint32_t frame)
{
    leave_to(own, 0);
    current(own)->last = EXECUTION_NONE;
    if (!own->handler_count)
        return;
    handler ended = own->handlers[--own->handler_count];
    own->current = ended.interrupted;
    if (ended.frame == frame)
        return;
    uint32_t next = thread_at(own, frame);
    own->threads = memory_room(own->threads, own->thread_count, &own->thread_max, sizeof *own->threads);
    own->threads[own->thread_count++] = (waiting){ended.interrupted, ended.frame};
    own->current = next;
}

uint32_t execution_frame(const execution *run)
{
    const struct execution_own *own = run->own;
    return own->handler_count ? own->handlers[own->handler_count - 1].frame : 0;
}

void execution_exception_at(execution *run, const execution_exception *e)
{
    struct execution_own *own = run->own;
    spend(own);
    if (!e->entry || e->chained)
        handler_end(own, e->frame);
    if (e->entry) {
        uint32_t interrupted = own->current;
        own->handlers = memory_room(own->handlers, own->handler_count, &own->handler_max, sizeof *own->handlers);
        own->current = context_of(own, e->to);
        own->handlers[own->handler_count++] = (handler){own->current, interrupted, e->frame};
        leave_to(own, 0); /* only in a recording that contradicts itself */
        current(own)->last = EXECUTION_NONE;
    }
    context *c = current(own);
    if (!c->stack_known || e->entry || e->stack > c->highest)
        c->highest = e->stack;
    c->stack = e->stack;
    c->stack_known = true;
    report_stack(own);
}

/* ---- a run ---- */

execution *execution_new(const image *im, functions *all, execution_choice choice)
{
    execution *run = memory_zero(1, sizeof *run);
    run->im = im;
    run->own = memory_zero(1, sizeof *run->own);
    run->own->tables = all;
    run->own->choice = choice;
    add_functions(run);
    run->own->current = context_of(run->own, 0);
    return run;
}

void execution_free(execution *run)
{
    if (!run)
        return;
    for (size_t i = 0; i < run->own->context_count; i++)
        free(run->own->contexts[i].calls);
    free(run->own->contexts);
    free(run->own->handlers);
    free(run->own->threads);
    free(run->own->function_of);
    numbering_free(&run->own->numbers);
    free(run->own);
    free(run->all);
    free(run->way);
    free(run);
}

uint32_t execution_instruction(execution *run, uint32_t pc, const uint8_t *bytes, unsigned size, unsigned condition)
{
    if (image_differs(run->im, pc, bytes, size))
        return EXECUTION_NONE;
    uint32_t number = numbering_of(&run->own->numbers, pc);
    if (number == run->count) {
        run->all = memory_room(run->all, run->count, &run->own->executed_max, sizeof *run->all);
        run->all[run->count++] = (executed){.ways = EXECUTION_NONE, .function = function_at(run, pc)};
    }
    thumb_decode(&run->all[number].insn, pc, bytes, size, condition);
    return number;
}

void execution_restart(execution *run)
{
    struct execution_own *own = run->own;
    for (own->current = 0; own->current < own->context_count; own->current++) {
        leave_to(own, 0);
        current(own)->last = EXECUTION_NONE;
        current(own)->stack_known = false;
    }
    own->current = context_of(own, 0);
    own->handler_count = own->thread_count = own->thread_numbers = 0;
}

/* The stack of activations that have not ended. */
static void note_open(struct execution_own *own, const context *c)
{
    uint32_t lowest = UINT32_MAX;
    for (size_t i = c->depth; i-- > 0;) {
        const call *open = &c->calls[i];
        if (!open->stack_known || !is_wanted(own, c))
            return;
        lowest = open->lowest < lowest ? open->lowest : lowest;
        functions_stack(own->tables, open->function, open->stack - lowest);
    }
}

void execution_finish(execution *run)
{
    struct execution_own *own = run->own;
    end_block(own);
    spend(own);
    if (!own->tables)
        return;
    for (size_t i = 0; i < own->context_count; i++)
        note_open(own, &own->contexts[i]);
    for (uint32_t i = 0; i < run->count; i++)
        if (run->all[i].count)
            functions_line(own->tables, run->all[i].function, place_at(run->im, run->all[i].insn.pc),
                           run->all[i].count);
    functions_finish(own->tables);
}
