/* SPDX-License-Identifier: MIT */
/* The steps, for each instruction: 1. what led here from the instruction before in this context - a call, a return, a
 * jump (follow); 2. it is counted, and the way to it (count_step). Instructions of the top activation are given to the
 * tables when it changes. */
#include "tools/lib/profile/execution.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/decode_in.h"
#include "tools/lib/profile/execution_parts.h"

/* Instructions whose cost is added up before it is reported to a listener. */
enum { SPEND_MOST = 32 };

/* ---- functions ---- */

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
            functions_add(own->tables, s->name, execution_declared(run->im, s->address));
    }
    if (own->tables)
        functions_add(own->tables, "?", (function_place){0});
}

static uint32_t function_at(const execution *run, uint32_t pc)
{
    const image_symbol *s = image_function(&run->im->symbols, pc);
    return s ? run->own->function_of[s - run->im->symbols.all] : run->own->nameless;
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

void execution_on_way(execution *run, execution_ways listener)
{
    run->own->ways = listener;
}

/* The next instruction of the top activation. */
static void note_way(execution *run, execution_context *c, uint32_t instruction)
{
    const execution_ways *ways = &run->own->ways;
    execution_call *top = &c->calls[c->depth - 1];
    const thumb_insn *to = &run->all[instruction].insn;
    if (top->last == EXECUTION_NONE) {
        ways->way(ways->own, &top->walked, EXECUTION_NONE, instruction);
        return;
    }
    const thumb_insn *from = &run->all[top->last].insn;
    bool divides = execution_divides(from), backward = to->pc <= from->pc;
    if (backward)
        ways->end(ways->own, &top->walked, c->number, top->last);
    if (backward || divides || to->pc != from->pc + from->size)
        ways->way(ways->own, &top->walked, backward || divides ? EXECUTION_NONE : top->last, instruction);
}

void execution_step(execution *run, uint32_t instruction, bool passed)
{
    struct execution_own *own = run->own;
    executed *e = &run->all[instruction];
    execution_context *c = execution_current(own);
    if (c->last == EXECUTION_NONE || !c->depth || (c->last_passed && run->all[c->last].insn.flow >= THUMB_CALL) ||
        e->function != c->calls[c->depth - 1].function) {
        execution_follow(run, e);
        c = execution_current(own);
    }
    execution_call *top = &c->calls[c->depth - 1];
    if (!own->choice.one_context || own->choice.context == c->number) {
        if (top->last == EXECUTION_NONE)
            e->entered++;
        else
            count_way(run, top->last, instruction);
        e->count++;
    }
    run->steps++;
    if (own->ways.way)
        note_way(run, c, instruction);
    if (own->blocks.block)
        note_block(own, &e->insn);
    own->unspent++;
    top->last = c->last = instruction;
    c->last_passed = passed;
    if (own->unspent == SPEND_MOST && own->tables && functions_wants_costs(own->tables))
        execution_spend(own);
}

/* ---- the stack ---- */

/* msr sets the stack pointer to another stack: how deep the activations are is not known any more. */
static bool sets_other_stack(const thumb_insn *insn)
{
    return insn->size == 4 && insn->bytes[1] == 0xf3 && (insn->bytes[0] & 0xe0) == 0x80;
}

void execution_stack(execution *run, uint32_t stack)
{
    execution_context *c = execution_current(run->own);
    bool known = c->stack_known && c->last != EXECUTION_NONE && !sets_other_stack(&run->all[c->last].insn);
    for (size_t i = 0; !known && i < c->depth; i++)
        c->calls[i].stack_known = false;
    if (!known || stack > c->highest)
        c->highest = stack;
    bool changed = !known || stack != c->stack;
    c->stack_known = true;
    c->stack = stack;
    if (changed)
        execution_report_stack(run->own);
    if (c->depth && stack < c->calls[c->depth - 1].lowest)
        c->calls[c->depth - 1].lowest = stack;
}

/* ---- accesses ---- */

bool execution_wants_accesses(const execution *run)
{
    const struct execution_own *own = run->own;
    return execution_is_wanted(own, execution_current(own)) && functions_wants_accesses(own->tables);
}

void execution_access(execution *run, uint32_t address, uint32_t size, bool store)
{
    const execution_context *c = execution_current(run->own);
    if (execution_wants_accesses(run) && c->depth)
        functions_access(run->own->tables, c->calls[c->depth - 1].function, address, size, store, true);
}

uint32_t execution_pc(const execution *run)
{
    const execution_context *c = execution_current(run->own);
    return c->last == EXECUTION_NONE ? 0 : run->all[c->last].insn.pc;
}

/* ---- exceptions ---- */

static uint32_t context_of(struct execution_own *own, uint32_t number)
{
    for (uint32_t i = 0; i < own->context_count; i++)
        if (own->contexts[i].number == number)
            return i;
    own->contexts = memory_room(own->contexts, own->context_count, &own->context_max, sizeof *own->contexts);
    own->contexts[own->context_count] = (execution_context){.number = number, .last = EXECUTION_NONE};
    return (uint32_t)own->context_count++;
}

/* The activations of the context that runs have ended. */
static void context_end(struct execution_own *own)
{
    execution_leave_to(own, 0);
    execution_current(own)->last = EXECUTION_NONE;
}

uint32_t execution_frame(const execution *run)
{
    return who_runs_frame(&run->own->who);
}

void execution_exception(execution *run, const who_exception *e, uint32_t stack)
{
    struct execution_own *own = run->own;
    execution_spend(own);
    if (!e->entry || e->chained)
        context_end(own);
    who_runs_exception(&own->who, e);
    own->current = context_of(own, own->who.context);
    if (e->entry)
        context_end(own); /* it has some only in a recording that contradicts itself */
    execution_context *c = execution_current(own);
    if (!c->stack_known || e->entry || stack > c->highest)
        c->highest = stack;
    c->stack = stack;
    c->stack_known = true;
    execution_report_stack(own);
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
    who_runs_free(&run->own->who);
    free(run->own->function_of);
    numbering_free(&run->own->numbers);
    free(run->own);
    free(run->all);
    free(run->way);
    free(run);
}

uint32_t execution_instruction(execution *run, uint32_t pc, const uint8_t *bytes, unsigned size, unsigned condition)
{
    if (!compared_add(&run->own->fits, pc, bytes, size))
        return EXECUTION_NONE;
    uint32_t number = numbering_of(&run->own->numbers, pc);
    if (number == run->count) {
        run->all = memory_room(run->all, run->count, &run->own->executed_max, sizeof *run->all);
        run->all[run->count++] = (executed){.ways = EXECUTION_NONE, .function = function_at(run, pc)};
    }
    thumb_decode_in(&run->all[number].insn, run->im, pc, bytes, size, condition);
    return number;
}

struct compared_image *execution_compared(execution *run)
{
    return &run->own->fits;
}

bool execution_fits(const execution *run, char *message, size_t message_size)
{
    return compared_fits(&run->own->fits, message, message_size);
}

uint32_t execution_find(const execution *run, uint32_t pc)
{
    uint32_t number = numbering_find(&run->own->numbers, pc);
    return number == run->count ? EXECUTION_NONE : number;
}

void execution_restart(execution *run)
{
    struct execution_own *own = run->own;
    execution_ways ways = own->ways;
    own->ways = (execution_ways){0}; /* what was open has not ended */
    own->fits = (compared_image){.im = run->im};
    for (own->current = 0; own->current < own->context_count; own->current++) {
        execution_leave_to(own, 0);
        execution_current(own)->last = EXECUTION_NONE;
        execution_current(own)->stack_known = execution_current(own)->begun = false;
    }
    own->current = context_of(own, 0);
    who_runs_free(&own->who);
    own->ways = ways;
}

/* The stack of activations that have not ended. */
static void note_open(struct execution_own *own, const execution_context *c)
{
    uint32_t lowest = UINT32_MAX;
    for (size_t i = c->depth; i-- > 0;) {
        const execution_call *open = &c->calls[i];
        if (!open->stack_known || !execution_is_wanted(own, c))
            return;
        lowest = open->lowest < lowest ? open->lowest : lowest;
        functions_stack(own->tables, open->function, open->stack - lowest);
    }
}

void execution_finish(execution *run)
{
    struct execution_own *own = run->own;
    end_block(own);
    execution_spend(own);
    if (!own->tables)
        return;
    for (size_t i = 0; i < own->context_count; i++)
        note_open(own, &own->contexts[i]);
    for (uint32_t i = 0; i < run->count; i++)
        if (run->all[i].count)
            functions_line(own->tables, run->all[i].function, execution_place(run->im, run->all[i].insn.pc),
                           run->all[i].count);
    functions_finish(own->tables);
}

static int by_address(const void *a, const void *b)
{
    const executed *x = *(const executed *const *)a, *y = *(const executed *const *)b;
    return x->insn.pc < y->insn.pc ? -1 : x->insn.pc > y->insn.pc;
}

const executed **execution_by_address(const execution *run)
{
    const executed **order = memory_zero(run->count + 1, sizeof *order);
    for (uint32_t i = 0; i < run->count; i++)
        order[i] = &run->all[i];
    qsort(order, run->count, sizeof *order, by_address);
    return order;
}
