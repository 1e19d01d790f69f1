/* SPDX-License-Identifier: MIT */
#include "tools/lib/wet/activation.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

typedef struct branch_note {
    wet_origin instance;
    uint64_t when; /* 0: did not execute */
} branch_note;

typedef struct activation {
    struct activation *below;
    uint32_t procedure, return_to;
    uint32_t branch; /* of the caller; CFG_NO_BRANCH */
    wet_origin from;
    bool handler;
    uint32_t frame;
    wet_interrupted interrupted; /* of a handler */
    branch_note branches[];
} activation;

/* What waits while another thread runs: the activations below a handler, under the handler's frame. */
typedef struct waiting {
    uint32_t frame;
    activation *top;
    wet_interrupted interrupted;
} waiting;

struct wet_activations {
    const cfg *graph;
    activation *top;
    uint64_t when;
    waiting *threads;
    uint32_t thread_count;
};

wet_activations *wet_activations_new(const cfg *graph)
{
    wet_activations *all = memory_zero(1, sizeof *all);
    all->graph = graph;
    return all;
}

static void drop_all(activation *top)
{
    while (top) {
        activation *below = top->below;
        free(top);
        top = below;
    }
}

void wet_activations_free(wet_activations *all)
{
    drop_all(all->top);
    for (uint32_t i = 0; i < all->thread_count; i++)
        drop_all(all->threads[i].top);
    free(all->threads);
    free(all);
}

static activation *push(wet_activations *all, uint32_t procedure)
{
    activation *a = memory_zero(1, sizeof *a + cfg_branches(all->graph, procedure) * sizeof(branch_note));
    a->below = all->top;
    a->procedure = procedure;
    a->return_to = UINT32_MAX;
    a->branch = CFG_NO_BRANCH;
    return all->top = a;
}

static void pop(wet_activations *all)
{
    activation *a = all->top;
    all->top = a->below;
    free(a);
}

void wet_activation_call(wet_activations *all, uint32_t procedure, uint32_t return_to, uint32_t branch, wet_origin from)
{
    activation *a = push(all, procedure);
    a->return_to = return_to;
    a->branch = branch;
    a->from = from;
}

void wet_activation_jump(wet_activations *all, uint32_t procedure, wet_origin from)
{
    if (!all->top) { /* only in a recording that contradicts itself */
        push(all, procedure)->from = from;
        return;
    }
    activation old = *all->top;
    pop(all);
    activation *a = push(all, procedure);
    a->return_to = old.return_to;
    a->branch = old.branch;
    a->handler = old.handler;
    a->frame = old.frame;
    a->interrupted = old.interrupted;
    a->from = from;
}

void wet_activation_start(wet_activations *all, uint32_t procedure)
{
    if (!all->top)
        push(all, procedure);
    else if (all->top->procedure != procedure) /* only in a recording that contradicts itself */
        wet_activation_jump(all, procedure, all->top->from);
}

/* Returns the branch of `a` that called what stood on it; CFG_NO_BRANCH: none. */
static uint32_t pop_to(wet_activations *all, const activation *a)
{
    uint32_t branch = CFG_NO_BRANCH;
    while (all->top != a) {
        branch = all->top->branch;
        pop(all);
    }
    return branch;
}

/* The nearest activation of a procedure, down to a handler's; NULL: none. */
static activation *activation_of(const wet_activations *all, uint32_t procedure)
{
    activation *a = all->top;
    while (a && a->procedure != procedure)
        a = a->handler ? NULL : a->below;
    return a;
}

void wet_activation_return(wet_activations *all, uint32_t procedure, uint32_t pc, wet_origin from)
{
    for (activation *a = all->top; a; a = a->below) {
        if (a->return_to == pc && a->below) {
            pop_to(all, a);
            pop(all);
            if (all->top->procedure != procedure) /* the call was the last instruction of its procedure */
                wet_activation_jump(all, procedure, from);
            return;
        }
        if (a->handler)
            break;
    }
    activation *same = cfg_procedure_start(all->graph, procedure) != pc ? activation_of(all, procedure) : NULL;
    if (!same) {
        wet_activation_jump(all, procedure, from);
        return;
    }
    uint32_t branch = pop_to(all, same);
    if (branch != CFG_NO_BRANCH)
        wet_activation_branch(all, branch, from);
}

/* The innermost handler ends, and what was stopped at `frame` is on top: nothing if that never ran. Returns where it
 * was stopped. */
static wet_interrupted handler_end(wet_activations *all, uint32_t frame)
{
    wet_interrupted at = {UINT32_MAX, false, {0, 0}};
    uint32_t own = frame;
    while (all->top && !all->top->handler)
        pop(all);
    if (all->top) {
        own = all->top->frame;
        at = all->top->interrupted;
        pop(all);
    }
    if (own == frame)
        return at;
    waiting next = {frame, NULL, {UINT32_MAX, false, {0, 0}}};
    for (uint32_t i = 0; i < all->thread_count; i++)
        if (all->threads[i].frame == frame) {
            next = all->threads[i];
            all->threads[i] = all->threads[--all->thread_count];
            break;
        }
    all->threads = memory_grow(all->threads, all->thread_count + 1, sizeof *all->threads);
    all->threads[all->thread_count++] = (waiting){own, all->top, at};
    all->top = next.top;
    return next.interrupted;
}

void wet_activation_interrupt(wet_activations *all, uint32_t procedure, uint32_t frame, bool chained,
                              wet_interrupted at)
{
    if (chained)
        at = handler_end(all, frame);
    activation *a = push(all, procedure);
    a->handler = true;
    a->frame = frame;
    a->interrupted = at;
}

wet_interrupted wet_activation_resume(wet_activations *all, uint32_t procedure, uint32_t frame)
{
    wet_interrupted at = handler_end(all, frame);
    if (!all->top)
        push(all, procedure);
    return at;
}

uint32_t wet_activation_procedure(const wet_activations *all)
{
    return all->top ? all->top->procedure : UINT32_MAX;
}

uint32_t wet_activation_frame(const wet_activations *all)
{
    const activation *a = all->top;
    while (a && !a->handler)
        a = a->below;
    return a ? a->frame : 0;
}

void wet_activation_branch(wet_activations *all, uint32_t branch, wet_origin instance)
{
    all->top->branches[branch] = (branch_note){instance, ++all->when};
}

wet_origin wet_activation_parent(const wet_activations *all, const uint32_t *branches, uint32_t count)
{
    uint64_t latest = 0;
    wet_origin parent = all->top->from;
    for (uint32_t i = 0; i < count; i++) {
        const branch_note *note = &all->top->branches[branches[i]];
        if (note->when > latest) {
            latest = note->when;
            parent = note->instance;
        }
    }
    return parent;
}
