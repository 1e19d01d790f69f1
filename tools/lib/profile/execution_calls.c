/* SPDX-License-Identifier: MIT */
/* Step 1 of execution_run.c: what led to an instruction from the one before in its context. */
#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/profile/execution_parts.h"

void execution_spend(struct execution_own *own)
{
    execution_context *c = execution_current(own);
    if (own->unspent && execution_is_wanted(own, c))
        functions_spend(own->tables, c->number, own->unspent, 0, false);
    own->unspent = 0;
}

void execution_report_stack(struct execution_own *own)
{
    const execution_context *c = execution_current(own);
    if (!c->begun || !c->stack_known || !execution_is_wanted(own, c) || !functions_wants_stack(own->tables))
        return;
    execution_spend(own);
    functions_stack_now(own->tables, c->number, c->highest - c->stack);
}

static void enter(execution *run, uint32_t function, uint32_t return_to)
{
    struct execution_own *own = run->own;
    execution_context *c = execution_current(own);
    execution_spend(own);
    if (execution_is_wanted(own, c)) {
        if (c->depth && c->calls[c->depth - 1].last != EXECUTION_NONE)
            functions_at(own->tables, c->number,
                         execution_place(run->im, run->all[c->calls[c->depth - 1].last].insn.pc));
        functions_enter(own->tables, c->number, function);
    }
    c->calls = memory_room(c->calls, c->depth, &c->max, sizeof *c->calls);
    c->calls[c->depth++] = (execution_call){.function = function,
                                            .return_to = return_to,
                                            .last = EXECUTION_NONE,
                                            .stack_known = c->stack_known,
                                            .stack = c->stack,
                                            .lowest = c->stack};
}

static void leave(struct execution_own *own)
{
    execution_context *c = execution_current(own);
    execution_call *top = &c->calls[--c->depth];
    execution_spend(own);
    if (own->ways.end && top->last != EXECUTION_NONE)
        own->ways.end(own->ways.own, &top->walked, c->number, top->last);
    if (c->depth && top->stack_known && top->lowest < c->calls[c->depth - 1].lowest)
        c->calls[c->depth - 1].lowest = top->lowest;
    if (!execution_is_wanted(own, c))
        return;
    functions_leave(own->tables, c->number, top->function);
    if (top->stack_known)
        functions_stack(own->tables, top->function, top->stack - top->lowest);
}

void execution_leave_to(struct execution_own *own, size_t depth)
{
    while (execution_current(own)->depth > depth)
        leave(own);
}

/* A jump out of the function: another activation in its place, for which the same caller waits. */
static void jump(execution *run, uint32_t function)
{
    execution_context *c = execution_current(run->own);
    uint32_t return_to = c->calls[c->depth - 1].return_to;
    leave(run->own);
    enter(run, function, return_to);
}

static void go_back(execution *run, uint32_t pc, uint32_t function)
{
    execution_context *c = execution_current(run->own);
    size_t depth = c->depth;
    while (depth && c->calls[depth - 1].return_to != pc)
        depth--;
    if (depth > 1) {
        execution_leave_to(run->own, depth - 1);
        if (c->calls[c->depth - 1].function != function) /* the call was the last instruction of its function */
            jump(run, function);
        return;
    }
    const image_symbol *s = image_function(&run->im->symbols, pc);
    for (depth = c->depth; depth && c->calls[depth - 1].function != function;)
        depth--;
    if (depth && !(s && s->address == pc))
        execution_leave_to(run->own, depth);
    else
        jump(run, function);
}

static void begin_thread(execution *run, execution_context *c, uint32_t entry)
{
    c->begun = true;
    if (c->number >= VECTORS_THREAD)
        vectors_begin(run->im, c->number, entry);
    execution_report_stack(run->own);
}

void execution_follow(execution *run, const executed *to)
{
    execution_context *c = execution_current(run->own);
    if (!c->begun)
        begin_thread(run, c, to->insn.pc);
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
