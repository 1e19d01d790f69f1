/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/functions_parts.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/profile/functions_tables.h"

functions *functions_part_new(const functions *all)
{
    functions *part = functions_new();
    for (size_t i = 0; i < all->count; i++)
        (void)functions_add(part, all->all[i].name, all->all[i].place);
    part->own->orders = memory_zero(all->count + 1, sizeof *part->own->orders);
    return part;
}

void functions_part_open(functions *part, uint32_t context, const functions_call *call)
{
    functions_context *s = functions_stack_of(part, context);
    uint32_t edge = call->entered ? functions_edge_of(part, call->caller, call->function, call->from) : FUNCTIONS_NONE;
    functions_push(part, s, call->function, edge);
    s->frames[s->depth - 1].at = call->at;
    s->before = s->depth;
}

size_t functions_context_count(const functions *all)
{
    return all->own->stack_count;
}

uint32_t functions_context_number(const functions *all, size_t index)
{
    return all->own->stacks[index].context;
}

size_t functions_depth(const functions *all, size_t index)
{
    return all->own->stacks[index].depth;
}

functions_call functions_call_at(const functions *all, size_t index, size_t depth)
{
    const functions_frame *frame = &all->own->stacks[index].frames[depth];
    functions_call call = {.function = frame->function, .at = frame->at, .entered = frame->edge != FUNCTIONS_NONE};
    if (call.entered) {
        call.caller = all->edge[frame->edge].caller;
        call.from = all->edge[frame->edge].place;
    }
    return call;
}

/* ---- the sum ---- */

typedef struct adding {
    functions *all, *part;
    uint32_t *node, *edge; /* of the part: their numbers in all */
    uint64_t time;         /* of all, where the part begins */
} adding;

/* A node stands after its parent, and both tables have their nodes in the order in which they were first needed. */
static void add_nodes(adding *a)
{
    a->node = memory_zero(a->part->node_count, sizeof *a->node);
    for (size_t i = 1; i < a->part->node_count; i++) {
        const call_node *from = &a->part->node[i];
        uint32_t label = from->function == FUNCTIONS_NONE ? from->context : from->function;
        a->node[i] = functions_node_of(a->all, a->node[from->parent], label);
        a->all->node[a->node[i]].calls += from->calls;
        a->all->node[a->node[i]].self += from->self;
    }
}

static void add_edges(adding *a)
{
    a->edge = memory_zero(a->part->edge_count + 1, sizeof *a->edge);
    for (size_t i = 0; i < a->part->edge_count; i++) {
        const call_edge *from = &a->part->edge[i];
        a->edge[i] = functions_edge_of(a->all, from->caller, from->callee, from->place);
        a->all->edge[a->edge[i]].calls += from->calls;
        a->all->edge[a->edge[i]].inclusive += from->inclusive;
    }
}

/* An activation from before the part ended in it. */
static void end_call(adding *a, functions_context *s, const functions_ended *ended)
{
    const functions_frame *top = &s->frames[--s->depth];
    uint64_t cost = s->spent + ended->spent - top->spent;
    s->live[top->function]--;
    if (ended->outermost)
        a->all->all[top->function].inclusive += cost;
    if (top->edge == FUNCTIONS_NONE)
        return;
    --*functions_under_way(s, top->edge);
    if (ended->first_of_edge)
        a->all->edge[top->edge].inclusive += cost;
    if (ended->whole)
        functions_note_whole(&a->part->all[top->function], &a->part->own->orders[top->function], ended->order, cost,
                             top->time);
}

/* One began in the part, and is open at its end. */
static void begin_call(adding *a, functions_context *s, functions_frame frame)
{
    frame.node = a->node[frame.node];
    frame.edge = frame.edge == FUNCTIONS_NONE ? FUNCTIONS_NONE : a->edge[frame.edge];
    frame.spent += s->spent;
    frame.time += a->time;
    s->frames = memory_room(s->frames, s->depth, &s->max, sizeof *s->frames);
    s->frames[s->depth++] = frame;
    s->live[frame.function]++;
    if (frame.edge != FUNCTIONS_NONE)
        ++*functions_under_way(s, frame.edge);
}

static void add_context(adding *a, const functions_context *from)
{
    functions_context *s = functions_stack_of(a->all, from->context);
    for (size_t i = 0; i < from->ended_count; i++)
        end_call(a, s, &from->ended[i]);
    for (size_t i = 0; i < from->before; i++)
        s->frames[i].at = from->frames[i].at;
    for (size_t i = from->before; i < from->depth; i++)
        begin_call(a, s, from->frames[i]);
    s->spent += from->spent;
}

static void add_function(function_cost *to, const function_cost *from)
{
    to->calls += from->calls;
    to->self += from->self;
    to->more += from->more;
    to->estimated += from->estimated;
    to->inclusive += from->inclusive;
    if (from->whole && (!to->whole || from->min < to->min)) {
        to->min = from->min;
        to->min_at = from->min_at;
    }
    if (from->whole && (!to->whole || from->max > to->max)) {
        to->max = from->max;
        to->max_at = from->max_at;
    }
    to->whole += from->whole;
    to->whole_sum += from->whole_sum;
}

void functions_add_part(functions *all, functions *part)
{
    adding a = {.all = all, .part = part, .time = all->total};
    add_nodes(&a);
    add_edges(&a);
    for (size_t i = 0; i < part->count; i++) {
        part->all[i].min_at += a.time;
        part->all[i].max_at += a.time;
    }
    for (size_t i = 0; i < part->own->stack_count; i++)
        add_context(&a, &part->own->stacks[i]);
    for (size_t i = 0; i < part->count; i++)
        add_function(&all->all[i], &part->all[i]);
    all->total += part->total;
    all->more += part->more;
    all->estimated += part->estimated;
    all->flat += part->flat;
    all->deeper += part->deeper;
    if (part->own->charged)
        all->own->charged = a.node[part->own->charged];
    free(a.node);
    free(a.edge);
}
