/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/functions.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/profile/functions_tables.h"
#include "tools/lib/recording/by_context.h"

functions *functions_new(void)
{
    functions *all = memory_zero(1, sizeof *all);
    all->own = memory_zero(1, sizeof *all->own);
    all->node = memory_zero(64, sizeof *all->node);
    all->own->node_max = 64;
    all->node_count = 1;
    all->node[0] = (call_node){.function = FUNCTIONS_NONE, .context = FUNCTIONS_NONE};
    return all;
}

void functions_free(functions *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->own->stack_count; i++) {
        free(all->own->stacks[i].frames);
        free(all->own->stacks[i].live);
        free(all->own->stacks[i].calling);
        free(all->own->stacks[i].ended);
    }
    free(all->own->stacks);
    free(all->own->nodes.slots);
    free(all->own->edges.slots);
    free(all->own->wanted);
    free(all->own->orders);
    free(all->own);
    free(all->all);
    free(all->node);
    free(all->edge);
    free(all->line);
    free(all->path);
    free(all);
}

void functions_listen(functions *all, functions_listener listener)
{
    all->own->listener = listener;
}

uint32_t functions_add(functions *all, const char *name, function_place place)
{
    all->all = memory_room(all->all, all->count, &all->own->all_max, sizeof *all->all);
    all->all[all->count] = (function_cost){.name = name, .place = place};
    return (uint32_t)all->count++;
}

void functions_clock(functions *all, uint64_t now)
{
    all->own->clocked = true;
    all->own->now = now;
}

bool functions_clocked(const functions *all)
{
    return all->own->clocked;
}

bool functions_only(functions *all, const char *name)
{
    bool any = false;
    all->own->wanted = memory_zero(all->count + 1, sizeof *all->own->wanted);
    for (size_t i = 0; i < all->count; i++)
        any |= all->own->wanted[i] = !strcmp(all->all[i].name, name);
    return any;
}

bool functions_wanted(const functions *all, uint32_t function)
{
    return !all->own->wanted || (function != FUNCTIONS_NONE && all->own->wanted[function]);
}

static uint64_t time_of(const functions *all)
{
    return all->own->clocked ? all->own->now : all->total;
}

bool functions_listened(const functions *all)
{
    return all->own->listener.enter || all->own->listener.leave || all->own->listener.gap;
}

/* ---- stacks ---- */

functions_context *functions_stack_of(functions *all, uint32_t context)
{
    struct functions_own *own = all->own;
    own->stacks = by_context(own->stacks, &own->stack_count, &own->stack_max, sizeof *own->stacks, context, &own->last);
    functions_context *s = &own->stacks[own->last];
    if (!s->live) {
        s->root = functions_node_of(all, 0, context);
        s->live = memory_zero(all->count + 1, sizeof *s->live);
    }
    return s;
}

uint32_t *functions_under_way(functions_context *s, uint32_t edge)
{
    while (s->calling_count <= edge) {
        s->calling = memory_room(s->calling, s->calling_count, &s->calling_max, sizeof *s->calling);
        s->calling[s->calling_count++] = 0;
    }
    return &s->calling[edge];
}

void functions_push(functions *all, functions_context *s, uint32_t function, uint32_t edge)
{
    uint32_t node = functions_chain_of(all, s, function);
    s->frames = memory_room(s->frames, s->depth, &s->max, sizeof *s->frames);
    s->frames[s->depth++] = (functions_frame){function, node, edge, s->spent, time_of(all), {0}};
    s->live[function]++;
    if (edge != FUNCTIONS_NONE)
        ++*functions_under_way(s, edge);
    if (all->own->listener.enter && functions_wanted(all, function))
        all->own->listener.enter(all->own->listener.own, &(functions_moment){s->context, time_of(all), s->spent},
                                 function);
}

void functions_note_whole(function_cost *f, functions_order *best, uint64_t order, uint64_t cost, uint64_t at)
{
    if (!f->whole || cost < f->min || (best && cost == f->min && order < best->min)) {
        f->min = cost;
        f->min_at = at;
        if (best)
            best->min = order;
    }
    if (!f->whole || cost > f->max || (best && cost == f->max && order < best->max)) {
        f->max = cost;
        f->max_at = at;
        if (best)
            best->max = order;
    }
    f->whole++;
    f->whole_sum += cost;
}

/* Of a part of a run: what it cost before is known later. */
static void pop_earlier(functions *all, functions_context *s, bool ended)
{
    const functions_frame *top = &s->frames[--s->depth];
    s->before = s->depth;
    functions_ended end = {.spent = s->spent, .order = all->own->ended++, .whole = ended};
    end.outermost = --s->live[top->function] == 0;
    end.first_of_edge = top->edge != FUNCTIONS_NONE && --*functions_under_way(s, top->edge) == 0;
    s->ended = memory_room(s->ended, s->ended_count, &s->ended_max, sizeof *s->ended);
    s->ended[s->ended_count++] = end;
}

static void pop(functions *all, functions_context *s, bool ended)
{
    if (s->depth <= s->before) {
        pop_earlier(all, s, ended);
        return;
    }
    functions_frame *top = &s->frames[--s->depth];
    function_cost *f = &all->all[top->function];
    uint64_t cost = s->spent - top->spent;
    if (--s->live[top->function] == 0)
        f->inclusive += cost;
    if (top->edge != FUNCTIONS_NONE) {
        if (--*functions_under_way(s, top->edge) == 0)
            all->edge[top->edge].inclusive += cost;
        if (ended)
            functions_note_whole(f, all->own->orders ? &all->own->orders[top->function] : NULL, all->own->ended, cost,
                                 top->time);
    }
    all->own->ended++;
    if (all->own->listener.leave && functions_wanted(all, top->function))
        all->own->listener.leave(all->own->listener.own, &(functions_moment){s->context, time_of(all), s->spent},
                                 top->function);
}

/* The depth at which the innermost activation of a function is the top; 0: there is none. */
static size_t depth_of(const functions_context *s, uint32_t function)
{
    size_t depth = s->live[function] ? s->depth : 0;
    while (depth && s->frames[depth - 1].function != function)
        depth--;
    return depth;
}

void functions_at(functions *all, uint32_t context, function_place place)
{
    functions_context *s = functions_stack_of(all, context);
    if (s->depth)
        s->frames[s->depth - 1].at = place;
}

void functions_enter(functions *all, uint32_t context, uint32_t function)
{
    functions_context *s = functions_stack_of(all, context);
    const functions_frame *top = s->depth ? &s->frames[s->depth - 1] : NULL;
    uint32_t edge =
        functions_edge_of(all, top ? top->function : FUNCTIONS_NONE, function, top ? top->at : (function_place){0});
    functions_push(all, s, function, edge);
    all->edge[edge].calls++;
    all->all[function].calls++;
    all->node[s->frames[s->depth - 1].node].calls++;
}

void functions_leave(functions *all, uint32_t context, uint32_t function)
{
    functions_context *s = functions_stack_of(all, context);
    size_t depth = depth_of(s, function);
    while (depth && s->depth >= depth)
        pop(all, s, true);
}

void functions_resume(functions *all, uint32_t context, uint32_t function)
{
    functions_context *s = functions_stack_of(all, context);
    size_t depth = depth_of(s, function);
    while (depth && s->depth > depth)
        pop(all, s, true);
    if (!depth)
        functions_push(all, s, function, FUNCTIONS_NONE);
}

static void add_cost(functions *all, uint32_t node, uint64_t least, uint64_t more, bool estimated)
{
    function_cost *f = &all->all[all->node[node].function];
    all->own->charged = node;
    all->node[node].self += least;
    f->self += least;
    f->more += more;
    f->estimated += estimated ? least : 0;
    all->total += least;
    all->more += more;
    all->estimated += estimated ? least : 0;
}

uint32_t functions_charged(const functions *all)
{
    return all->own->charged;
}

void functions_spend(functions *all, uint32_t context, uint64_t least, uint64_t more, bool estimated)
{
    functions_context *s = functions_stack_of(all, context);
    if (!s->depth)
        return;
    s->spent += least;
    add_cost(all, s->frames[s->depth - 1].node, least, more, estimated);
    if (all->own->listener.spend && functions_wanted(all, s->frames[s->depth - 1].function))
        all->own->listener.spend(all->own->listener.own, &(functions_moment){context, time_of(all), s->spent},
                                 all->own->charged, least);
}

bool functions_wants_costs(const functions *all)
{
    return all->own->listener.spend;
}

void functions_flat(functions *all, uint32_t context, uint32_t function, bool call, uint64_t least, uint64_t more,
                    bool estimated)
{
    uint32_t node = functions_node_of(all, functions_stack_of(all, context)->root, function);
    all->node[node].calls += call;
    all->all[function].calls += call;
    all->all[function].inclusive += least;
    all->flat++;
    add_cost(all, node, least, more, estimated);
}

void functions_stack(functions *all, uint32_t function, uint32_t bytes)
{
    function_cost *f = &all->all[function];
    if (!f->stack_known || bytes > f->stack)
        f->stack = bytes;
    f->stack_known = true;
}

void functions_line(functions *all, uint32_t function, function_place place, uint64_t self)
{
    if (!functions_wanted(all, function))
        return;
    all->line = memory_room(all->line, all->line_count, &all->own->line_max, sizeof *all->line);
    all->line[all->line_count++] = (line_cost){function, place, self};
}

static void end_all(functions *all)
{
    for (size_t i = 0; i < all->own->stack_count; i++)
        while (all->own->stacks[i].depth)
            pop(all, &all->own->stacks[i], false);
}

void functions_gap(functions *all, functions_loss loss)
{
    end_all(all);
    if (all->own->listener.gap)
        all->own->listener.gap(all->own->listener.own, &(functions_moment){FUNCTIONS_NONE, time_of(all), 0}, &loss);
}

bool functions_wants_stack(const functions *all)
{
    return all->own->listener.stack;
}

bool functions_wants_accesses(const functions *all)
{
    return all->own->listener.access;
}

void functions_access(functions *all, uint32_t function, uint32_t address, uint32_t size, bool store, bool known)
{
    if (all->own->listener.access && functions_wanted(all, function))
        all->own->listener.access(all->own->listener.own, function, address, size, store, known);
}

void functions_stack_now(functions *all, uint32_t context, uint32_t bytes)
{
    const functions_context *s = functions_stack_of(all, context);
    all->own->listener.stack(all->own->listener.own, &(functions_moment){context, time_of(all), s->spent}, bytes);
}

/* Keeps only what the wanted functions did. */
static void forget_others(functions *all)
{
    size_t kept = 0;
    all->total = all->more = all->estimated = all->flat = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        function_cost *f = &all->all[i];
        if (!functions_wanted(all, i))
            *f = (function_cost){.name = f->name, .place = f->place};
        all->total += f->self;
        all->more += f->more;
        all->estimated += f->estimated;
    }
    for (size_t i = 1; i < all->node_count; i++)
        if (!functions_wanted(all, all->node[i].function))
            all->node[i].calls = all->node[i].self = 0;
    for (size_t i = 0; i < all->edge_count; i++)
        if (functions_wanted(all, all->edge[i].caller) || functions_wanted(all, all->edge[i].callee))
            all->edge[kept++] = all->edge[i];
    all->edge_count = kept;
}

void functions_finish(functions *all)
{
    end_all(all);
    if (all->own->wanted)
        forget_others(all);
    /* A node stands after its parent. */
    for (size_t i = all->node_count; i-- > 0;) {
        all->node[i].inclusive += all->node[i].self;
        if (i)
            all->node[all->node[i].parent].inclusive += all->node[i].inclusive;
    }
}
