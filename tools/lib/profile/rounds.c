/* SPDX-License-Identifier: MIT */
/* The steps: 1. find a function's loops, when one of its paths comes first; 2. turn each distinct path into the few
 * steps that it makes in the nest of loops; 3. make these steps each time that the path comes. */
#include "tools/lib/profile/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/numbering.h"

typedef enum step_kind { STEP_ENTER, STEP_AGAIN, STEP_LEAVE, STEP_LAND } step_kind;

typedef struct step {
    step_kind kind;
    uint32_t loop; /* STEP_LAND: the block, a local number */
} step;

/* The loops of a function: numbers first .. first + count - 1, outer ones before those that they hold. */
typedef struct nest {
    bool known;
    uint32_t first, count;
    uint8_t *holds; /* count rows of block_count */
} nest;

typedef struct path_steps {
    uint32_t first, count;
} path_steps;

struct rounds {
    const descriptors *known;
    nest *nests; /* by function */
    rounds_loop *loops;
    uint32_t *function; /* of each loop */
    size_t loop_count, loops_max, functions_max;
    numbering paths;
    path_steps *taken; /* by number */
    size_t taken_count, taken_max;
    step *steps;
    size_t step_count, steps_max;
    uint32_t *blocks;
    size_t blocks_max;
};

rounds *rounds_new(const descriptors *known)
{
    rounds *all = memory_zero(1, sizeof *all);
    all->known = known;
    all->nests = memory_zero(known->count + 1, sizeof *all->nests);
    for (size_t i = 0; i < known->count; i++)
        if (known->function[i].block_count > all->blocks_max)
            all->blocks_max = known->function[i].block_count;
    all->blocks = memory_zero(all->blocks_max + 1, sizeof *all->blocks);
    return all;
}

void rounds_free(rounds *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->known->count; i++)
        free(all->nests[i].holds);
    numbering_free(&all->paths);
    free(all->nests);
    free(all->loops);
    free(all->function);
    free(all->taken);
    free(all->steps);
    free(all->blocks);
    free(all);
}

void rounds_clear(rounds *all)
{
    for (size_t i = 0; i < all->loop_count; i++)
        all->loops[i] = (rounds_loop){.head = all->loops[i].head};
}

const rounds_loop *rounds_loops(const rounds *all, size_t *count)
{
    *count = all->loop_count;
    return all->loops;
}

/* ---- step 1 ---- */

enum { UNSEEN, OPEN, DONE };

/* Depth first from a block: an edge to a block that is open is a back edge. `way` is the next edge of each open
 * block. */
static void search(const ballarus *g, uint8_t *state, uint32_t *stack, uint32_t *way, bool *back, uint32_t from)
{
    size_t depth = 0;
    if (state[from] != UNSEEN)
        return;
    state[from] = OPEN;
    way[from] = g->first[from];
    stack[depth++] = from;
    while (depth) {
        uint32_t block = stack[depth - 1];
        if (way[block] == g->first[block + 1]) {
            state[block] = DONE;
            depth--;
            continue;
        }
        uint32_t edge = g->out[way[block]++], to = g->edge[edge].to;
        if (to == BALLARUS_EXIT)
            continue;
        back[edge] = state[to] == OPEN;
        if (state[to] == UNSEEN) {
            state[to] = OPEN;
            way[to] = g->first[to];
            stack[depth++] = to;
        }
    }
}

static bool *back_edges(const descriptor_function *f)
{
    const ballarus *g = f->graph;
    bool *back = memory_zero(g->edge_count + 1, sizeof *back);
    uint8_t *state = memory_zero(g->block_count + 1, 1);
    uint32_t *stack = memory_zero(2 * (size_t)g->block_count + 1, sizeof *stack);
    for (uint32_t k = g->first[g->block_count]; k < g->first[g->block_count + 1]; k++)
        if (g->edge[g->out[k]].to != BALLARUS_EXIT)
            search(g, state, stack, stack + g->block_count, back, g->edge[g->out[k]].to);
    for (uint32_t b = 0; b < g->block_count; b++)
        search(g, state, stack, stack + g->block_count, back, b);
    free(state);
    free(stack);
    return back;
}

/* The blocks of the loop of a head: backwards from the ends of its back edges. */
static void mark_loop(const ballarus *g, const bool *back, uint32_t head, uint8_t *holds)
{
    bool grows = true;
    holds[head] = 1;
    for (uint32_t e = 0; e < g->edge_count; e++)
        if (back[e] && g->edge[e].to == head)
            holds[g->edge[e].from] = 1;
    while (grows) { /* once per level of nested loops, since edges mostly lead on */
        grows = false;
        for (uint32_t e = g->edge_count; e-- > 0;) {
            const ballarus_edge *edge = &g->edge[e];
            if (edge->from == BALLARUS_ENTRY || edge->to == BALLARUS_EXIT || edge->to == head || !holds[edge->to])
                continue;
            grows |= !holds[edge->from];
            holds[edge->from] = 1;
        }
    }
}

/* A loop before it has its number. */
typedef struct found {
    uint32_t head;
    size_t size;
} found;

static int by_size(const void *a, const void *b)
{
    const found *x = a, *y = b;
    return x->size != y->size ? (x->size < y->size ? 1 : -1) : x->head < y->head ? -1 : x->head > y->head;
}

static void add_loop(rounds *all, uint32_t function, uint32_t head)
{
    all->loops = memory_room(all->loops, all->loop_count, &all->loops_max, sizeof *all->loops);
    all->function = memory_room(all->function, all->loop_count, &all->functions_max, sizeof *all->function);
    all->function[all->loop_count] = function;
    all->loops[all->loop_count++] = (rounds_loop){.head = head};
}

static nest *nest_of(rounds *all, uint32_t function)
{
    const descriptor_function *f = &all->known->function[function];
    const ballarus *g = f->graph;
    nest *n = &all->nests[function];
    if (n->known)
        return n;
    bool *back = back_edges(f);
    found *loops = memory_zero(g->block_count + 1, sizeof *loops);
    *n = (nest){.known = true, .first = (uint32_t)all->loop_count};
    for (uint32_t b = 0; b < g->block_count; b++) {
        bool head = false;
        for (uint32_t e = 0; e < g->edge_count && !head; e++)
            head = back[e] && g->edge[e].to == b;
        loops[n->count].head = b;
        n->count += head;
    }
    uint8_t *holds = memory_zero((size_t)n->count * g->block_count + 1, 1);
    for (uint32_t i = 0; i < n->count; i++) {
        memset(holds, 0, g->block_count);
        mark_loop(g, back, loops[i].head, holds);
        for (uint32_t b = 0; b < g->block_count; b++)
            loops[i].size += holds[b];
    }
    qsort(loops, n->count, sizeof *loops, by_size);
    memset(holds, 0, (size_t)n->count * g->block_count);
    for (uint32_t i = 0; i < n->count; i++) {
        mark_loop(g, back, loops[i].head, holds + (size_t)i * g->block_count);
        add_loop(all, function, f->block_base + loops[i].head);
    }
    n->holds = holds;
    free(back);
    free(loops);
    return n;
}

/* ---- step 2 ---- */

static void add_step(rounds *all, step_kind kind, uint32_t loop)
{
    all->steps = memory_room(all->steps, all->step_count, &all->steps_max, sizeof *all->steps);
    all->steps[all->step_count++] = (step){kind, loop};
}

/* Control goes from one block to another; BALLARUS_NONE: from or to no block of the function. */
static void add_move(rounds *all, const descriptor_function *f, const nest *n, uint32_t from, uint32_t to)
{
    const uint8_t *holds = n->holds;
    uint32_t blocks = f->block_count;
    for (uint32_t i = n->count; from != BALLARUS_NONE && i-- > 0;)
        if (holds[(size_t)i * blocks + from] && (to == BALLARUS_NONE || !holds[(size_t)i * blocks + to]))
            add_step(all, STEP_LEAVE, n->first + i);
    for (uint32_t i = 0; to != BALLARUS_NONE && i < n->count; i++) {
        bool inside = from != BALLARUS_NONE && holds[(size_t)i * blocks + from];
        if (!holds[(size_t)i * blocks + to])
            continue;
        if (!inside)
            add_step(all, STEP_ENTER, n->first + i);
        else if (all->loops[n->first + i].head == f->block_base + to)
            add_step(all, STEP_AGAIN, n->first + i);
    }
}

static path_steps make_steps(rounds *all, uint32_t path)
{
    const descriptor_function *f = descriptors_of_path(all->known, path);
    const nest *n = nest_of(all, (uint32_t)(f - all->known->function));
    ballarus_ends ends;
    path_steps made = {.first = (uint32_t)all->step_count};
    size_t count = ballarus_expand(f->graph, path - f->path_base, all->blocks, all->blocks_max, &ends);
    if (count == SIZE_MAX || !n->count)
        return made;
    if (count && !ends.from_entry && f->block[all->blocks[0]].flags & DESCRIPTOR_BLOCK_LANDING)
        add_step(all, STEP_LAND, all->blocks[0]);
    for (size_t i = ends.from_entry ? 0 : 1; i < count; i++)
        add_move(all, f, n, i ? all->blocks[i - 1] : BALLARUS_NONE, all->blocks[i]);
    if (count && ends.edge != BALLARUS_NONE && f->edge_kind[ends.edge] != DESCRIPTOR_EDGE_AWAY) {
        uint32_t to = f->graph->edge[ends.edge].to;
        add_move(all, f, n, all->blocks[count - 1], to == BALLARUS_EXIT ? BALLARUS_NONE : to);
    } else if (count && ends.edge == BALLARUS_NONE && f->block[all->blocks[count - 1]].flags & DESCRIPTOR_BLOCK_TAIL) {
        add_move(all, f, n, all->blocks[count - 1], BALLARUS_NONE);
    }
    made.count = (uint32_t)all->step_count - made.first;
    return made;
}

/* ---- step 3 ---- */

static void count_entry(rounds_loop *loop, uint64_t times)
{
    loop->min = loop->entries && loop->min < times ? loop->min : times;
    loop->max = loop->max > times ? loop->max : times;
    loop->entries++;
    loop->sum += times;
    loop->bin[63 - __builtin_clzll(times)]++;
}

static void enter(rounds_stack *s, uint32_t loop, bool whole)
{
    s->open = memory_room(s->open, s->count, &s->max, sizeof *s->open);
    s->open[s->count++] = (rounds_open){loop, whole, 1};
}

/* The depth at which a loop of the activation is innermost; `base`: control is not in it. */
static size_t depth_of(const rounds_stack *s, size_t base, uint32_t loop)
{
    size_t depth = s->count;
    while (depth > base && s->open[depth - 1].loop != loop)
        depth--;
    return depth;
}

static void leave(rounds *all, rounds_stack *s, size_t depth)
{
    for (; s->count >= depth; s->count--)
        if (s->open[s->count - 1].whole)
            count_entry(&all->loops[s->open[s->count - 1].loop], s->open[s->count - 1].rounds);
}

/* Leaves the loops that do not hold a block. */
static void land(rounds *all, rounds_stack *s, size_t base, uint32_t block)
{
    while (s->count > base) {
        uint32_t loop = s->open[s->count - 1].loop, function = all->function[loop];
        const nest *n = &all->nests[function];
        if (n->holds[(size_t)(loop - n->first) * all->known->function[function].block_count + block])
            break;
        leave(all, s, s->count);
    }
}

void rounds_path(rounds *all, rounds_stack *stack, size_t base, uint32_t path)
{
    uint32_t number = numbering_of(&all->paths, path);
    if (number == all->taken_count) {
        all->taken = memory_room(all->taken, all->taken_count, &all->taken_max, sizeof *all->taken);
        path_steps made = make_steps(all, path);
        all->taken[all->taken_count++] = made;
    }
    path_steps taken = all->taken[number];
    for (uint32_t i = 0; i < taken.count; i++) {
        step at = all->steps[taken.first + i];
        size_t depth = at.kind == STEP_AGAIN || at.kind == STEP_LEAVE ? depth_of(stack, base, at.loop) : base;
        if (at.kind == STEP_LAND)
            land(all, stack, base, at.loop);
        else if (at.kind == STEP_ENTER || depth == base)
            enter(stack, at.loop, at.kind == STEP_ENTER);
        else if (at.kind == STEP_AGAIN)
            stack->open[depth - 1].rounds++;
        if (at.kind == STEP_LEAVE)
            leave(all, stack, depth > base ? depth : stack->count);
    }
}
