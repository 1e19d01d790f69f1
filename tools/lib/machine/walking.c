/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/walking.h"

#include <string.h>

#include "tools/lib/base/memory.h"

void walk_keep_live(const walk *w, uint32_t step, routine_state *state)
{
    routine_forget(state, ~w->r->steps[step].live);
}

uint32_t walk_add_start(walk *w, const walk_start *s)
{
    uint32_t number = starts_add(&w->starts, s);
    w->given_up |= number == ROUTINE_NONE;
    return number == ROUTINE_NONE ? 0 : number;
}

/* Does a path start where this start is? */
static bool starts_here(const descriptor_function *f, const walk_start *s, const descriptor_path *path,
                        const uint32_t *blocks)
{
    if (path->entry || s->block == AT_ENTRY)
        return path->entry && s->block == AT_ENTRY;
    if (s->block == AT_LANDING)
        return path->count && f->block[blocks[0]].flags & DESCRIPTOR_BLOCK_LANDING;
    return path->count && blocks[0] == s->block;
}

/* False: there is no such path, or it does not start here. */
static bool expand(const walk *w, const walk_start *from, uint32_t path, descriptor_path *info)
{
    return path - w->f->path_base < w->f->path_count &&
           descriptor_expand(w->all, path, w->blocks, w->f->block_count, info) &&
           starts_here(w->f, from, info, w->blocks);
}

static void add_found(walk *w, found f)
{
    w->found = memory_room(w->found, w->found_count, &w->found_max, sizeof *w->found);
    w->found[w->found_count++] = f;
}

/* A path ends that began at a start; `count`: the instructions since then. */
static void end_path(walk *w, const walk_start *from, const walker *at, uint32_t path, tally count)
{
    const routine_step *s = &w->r->steps[at->step];
    descriptor_path info;
    if (!expand(w, from, path, &info))
        return;
    bool call_ends = info.enters != BALLARUS_NONE && w->f->block[info.enters].flags & DESCRIPTOR_BLOCK_NORETURN;
    bool ends = info.exit || call_ends || info.enters == BALLARUS_NONE;
    walk_start next = {.step = s->next, .block = ends ? NO_START : info.enters, .state = at->state};
    next.call_ends = call_ends;
    routine_execute(w->r, s, &next.state);
    if (s->leaves || s->next == ROUTINE_NONE) {
        memset(&next.state, 0, sizeof next.state);
        next.step = ROUTINE_NONE;
        next.ended = true;
    } else {
        walk_keep_live(w, next.step, &next.state);
    }
    uint32_t number = walk_add_start(w, &next);
    add_found(w, (found){path - w->f->path_base, count, ends ? number : ROUTINE_NONE, 0, ROUTINE_NONE, at->route,
                         s->rare_count});
}

/* The only path of a pack: what it says after its highest bit. */
static uint32_t packed_path(const walk *w, const walker *at)
{
    uint32_t first = 1;
    while (first < w->f->path_count)
        first *= 2;
    return w->f->path_base + (at->state.r[1] - first);
}

void walk_end_path(walk *w, uint32_t from, const walker *at)
{
    const walk_start origin = w->starts.all[from];
    bool pack = routine_ends_pack(&w->r->steps[at->step]);
    unsigned needed = pack ? 3 : 1;
    if ((at->state.known & needed) == needed)
        end_path(w, &origin, at, pack ? packed_path(w, at) : at->state.r[0], at->count);
}

/* ---- loops ---- */

static bool is_rotated(const walk *w, uint32_t rest)
{
    for (size_t i = 0; i < w->rotated_count; i++)
        if (w->rotated[i] == rest)
            return true;
    return false;
}

static void add_rotated(walk *w, uint32_t rest)
{
    if (is_rotated(w, rest))
        return;
    w->rotated = memory_room(w->rotated, w->rotated_count, &w->rotated_max, sizeof *w->rotated);
    w->rotated[w->rotated_count++] = rest;
}

static tally since(const tally *now, const tally *then)
{
    return (tally){now->all - then->all, now->own - then->own, now->heads & ~then->heads};
}

/* The arguments of the call, as port/cortex-m/probes.h says, and the block that the passes begin with. */
typedef struct loop_end {
    uint32_t first, rest, after, block;
} loop_end;

static bool read_end(const walk *w, const walker *at, loop_end *end)
{
    descriptor_path info;
    *end = (loop_end){at->state.r[0], at->state.r[1], at->state.r[2], BALLARUS_NONE};
    if ((at->state.known & 7) != 7 || end->rest - w->f->path_base >= w->f->path_count ||
        !descriptor_expand(w->all, end->rest, w->blocks, w->f->block_count, &info))
        return false;
    end->block = info.enters;
    return info.enters != BALLARUS_NONE;
}

/* The passes: what led to the first, and all others. */
static void add_passes(walk *w, const walker *at, const loop_end *end)
{
    uint32_t first = end->first - w->f->path_base, rest = end->rest - w->f->path_base;
    add_found(w, (found){first, at->at_head, ROUTINE_NONE, at->loop, rest, ROUTES_NONE, 0});
    add_found(w, (found){rest, {0}, ROUTINE_NONE, at->loop, ROUTINE_NONE, ROUTES_NONE, 0});
}

void walk_end_passes(walk *w, uint32_t from, walker *at)
{
    const routine_step *s = &w->r->steps[at->step];
    const walk_start origin = w->starts.all[from], head = {.block = BALLARUS_NONE};
    loop_end end;
    bool known = read_end(w, at, &end), ends_path = s->call == ROUTINE_LOOP_PATH;
    uint32_t none = end.first + end.after - end.rest;
    descriptor_path info;
    walk_start again = head;
    if (known && s->within) {
        at->again = end.block;
        none = end.after;
    } else if (known && !at->loop) {
        add_rotated(w, end.rest - w->f->path_base);
    }
    bool passes = known && !s->within && at->loop && expand(w, &origin, end.first, &info) && info.enters == end.block;
    if (passes) {
        again = (walk_start){.step = s->next, .block = end.block, .begun = since(&at->count, &at->at_head)};
        add_passes(w, at, &end);
    }
    at->loop = s->within ? at->loop : 0;
    if (ends_path && known) {
        if (passes)
            end_path(w, &again, at, end.after, again.begun);
        end_path(w, &origin, at, none, at->count);
        return;
    }
    routine_execute(w->r, s, &at->state);
    if (!known)
        return;
    at->state.known |= 1;
    at->state.r[0] = none;
    if (passes && s->next != ROUTINE_NONE) {
        again.state = at->state;
        again.state.r[0] = end.after;
        walk_keep_live(w, again.step, &again.state);
        walk_add_start(w, &again);
    }
}

bool walk_pass_head(walk *w, walker *at)
{
    uint32_t loop = w->r->steps[at->step].counted;
    if (at->loop != loop) {
        at->loop = loop;
        at->at_head = at->count;
        return true;
    }
    pass *p = &w->passes[loop - 1];
    tally count = since(&at->count, &at->at_head);
    p->heads |= count.heads;
    if (at->again == BALLARUS_NONE) {
        starts_widen(&p->cost, !p->ended, starts_cost(&count));
        p->ended = true;
        return false;
    }
    starts_widen(&p->slow, !p->slow_ended, starts_cost(&count));
    p->slow_ended = true;
    walk_add_start(w, &(walk_start){.step = at->step, .block = at->again, .state = at->state});
    return false;
}

bool walk_pass_cost(const walk *w, const found *f, walk_cost *cost, uint64_t *heads)
{
    const pass *p = &w->passes[f->loop - 1];
    if (f->rest != ROUTINE_NONE && is_rotated(w, f->rest))
        return true;
    *cost = p->cost;
    cost->rare = p->slow.most > p->cost.least ? p->slow.most - p->cost.least : 0;
    cost->rare_all = p->slow.most_all > p->cost.least_all ? p->slow.most_all - p->cost.least_all : 0;
    *heads |= p->heads;
    return p->ended;
}
