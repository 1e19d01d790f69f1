/* SPDX-License-Identifier: MIT */
/* Starts (the entry, what follows a probe, where a computed goto arrives) are walked one by one; each walk that ends at
 * a path probe may add one. Starts differ by their place, the constants that matter there, and the block that is
 * entered. */
#include "tools/lib/machine/walk.h"

#include <stddef.h>
#include <stdlib.h>

#include "tools/lib/base/bisect.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/machine/walking.h"

/* Beyond these the function is given up: its paths are not known. */
enum { STEPS_MAX = 1 << 24, SEEN_MAX = 1 << 22 };

/* The activation ended, or went away. */
static void end_start(walk_start *s, const tally *t)
{
    if (s->block != NO_START)
        return;
    starts_widen(&s->end, !s->ended, starts_cost(t));
    s->end_heads |= t->heads;
    s->ended = true;
}

static void push(walk *w, const walker *at, uint32_t step)
{
    if (step == ROUTINE_NONE)
        return;
    w->stack = memory_room(w->stack, w->depth, &w->stack_max, sizeof *w->stack);
    w->stack[w->depth] = *at;
    w->stack[w->depth++].step = step;
}

/* A computed goto: each of its landings starts paths. */
static void go_away(walk *w, uint32_t from, const walker *at)
{
    const routine_step *s = &w->r->steps[at->step];
    end_start(&w->starts.all[from], &at->count);
    for (uint32_t i = 0; i < s->table_count; i++) {
        walk_start next = {.step = s->table[i], .block = AT_LANDING, .state = at->state};
        walk_keep_live(w, next.step, &next.state);
        walk_add_start(w, &next);
    }
}

/* A block that begins with setjmp or the like is started again where that returns. */
static bool twice(const walk *w, uint32_t from)
{
    uint32_t block = w->starts.all[from].block;
    return block < w->f->block_count && w->f->block[block].flags & DESCRIPTOR_BLOCK_TWICE;
}

/* The step takes effect, and the walk goes on. */
static void go_on(walk *w, uint32_t from, walker at)
{
    const routine_step *s = &w->r->steps[at.step];
    if (s->call == ROUTINE_PATH || routine_ends_pack(s)) {
        walk_end_path(w, from, &at);
        return;
    }
    if (s->leaves || (s->call == ROUTINE_CALL && w->starts.all[from].call_ends)) {
        end_start(&w->starts.all[from], &at.count);
        return;
    }
    if (s->away) {
        go_away(w, from, &at);
        return;
    }
    if (routine_ends_loop(s))
        walk_end_passes(w, from, &at);
    else
        routine_execute(w->r, s, &at.state);
    if (s->call == ROUTINE_LOOP_PATH)
        return;
    if (s->call == ROUTINE_CALL && twice(w, from) && s->next != ROUTINE_NONE) {
        walk_start again = {.step = s->next, .block = w->starts.all[from].block, .state = at.state};
        walk_keep_live(w, s->next, &again.state);
        walk_add_start(w, &again);
    }
    for (uint32_t i = 0; i < s->table_count; i++)
        push(w, &at, s->table[i]);
    if (s->insn.flow == THUMB_BRANCH)
        push(w, &at, s->target != ROUTINE_NONE ? s->target : s->next);
    else if (s->insn.flow != THUMB_SWITCH)
        push(w, &at, s->next);
}

/* One step of a walk. */
static void take_step(walk *w, uint32_t from, walker at)
{
    const routine_step *s = &w->r->steps[at.step];
    walk_keep_live(w, at.step, &at.state);
    if (s->counted && !walk_pass_head(w, &at))
        return;
    uint64_t head = s->head ? UINT64_C(1) << (s->head - 1) : 0;
    if (at.count.heads & head) { /* a second time round: no path says how often */
        w->loops |= head;
        return;
    }
    at.count.heads |= head;
    if (s->joined) {
        uint64_t hash =
            starts_mix(starts_mix(starts_mix(starts_hash(&at.state), at.count.heads), (uint64_t)from << 32 | at.step),
                       (uint64_t)at.count.all << 32 | at.count.own);
        hash = starts_mix(starts_mix(hash, (uint64_t)at.loop << 32 | at.again),
                          (uint64_t)at.at_head.all << 32 | at.at_head.own);
        uint32_t route = w->routes ? routes_next(w->routes) : 0;
        w->given_up |= w->seen.count == SEEN_MAX;
        if (w->given_up)
            return;
        if (!hashes_add(&w->seen, hash, &route)) {
            if (w->routes)
                routes_meet(w->routes, route, at.route);
            return;
        }
    }
    if (w->routes)
        at.route = routes_add(w->routes, at.step, at.route);
    if (!s->rare) {
        at.count.all += 1 + s->more;
        at.count.own += s->own + s->more_own;
    }
    unsigned ways = s->full || s->always ? ROUTINE_YES : s->never ? ROUTINE_NO : routine_decide(s, &at.state);
    bool divides = s->related || s->call || s->insn.flow != THUMB_NEXT;
    if (ways == (ROUTINE_YES | ROUTINE_NO) && !divides) { /* of what it may change only the flags may matter */
        routine_forget(&at.state, s->writes & 1u << THUMB_FLAGS);
        push(w, &at, s->next);
        return;
    }
    if (ways & ROUTINE_NO) {
        walker passes = at;
        if (!s->never)
            routine_assume(s, &passes.state, false);
        push(w, &passes, s->next);
    }
    if (ways & ROUTINE_YES) {
        if (!s->full && !s->always)
            routine_assume(s, &at.state, true);
        go_on(w, from, at);
    }
}

static void walk_from(walk *w, uint32_t from)
{
    walker at = {.count = w->starts.all[from].begun,
                 .again = BALLARUS_NONE,
                 .route = ROUTES_NONE,
                 .state = w->starts.all[from].state};
    push(w, &at, w->starts.all[from].step);
    while (w->depth && !w->given_up) {
        w->given_up |= w->steps++ == STEPS_MAX;
        take_step(w, from, w->stack[--w->depth]);
    }
}

/* ---- costs ---- */

static entry *entry_of(const walk *w, uint32_t path)
{
    size_t at = (path * 2654435761u >> 3) & (w->entry_max - 1);
    while (w->entries[at].path && w->entries[at].path != path + 1)
        at = (at + 1) & (w->entry_max - 1);
    return &w->entries[at];
}

static void add_cost(walk *w, const found *f)
{
    walk_cost end = {0};
    uint64_t heads = f->count.heads;
    if (f->loop && !walk_pass_cost(w, f, &end, &heads))
        return;
    if (f->next != ROUTINE_NONE) {
        if (!w->starts.all[f->next].ended)
            return;
        end = w->starts.all[f->next].end;
        heads |= w->starts.all[f->next].end_heads;
    }
    entry *e = entry_of(w, f->path);
    uint32_t own = f->count.own, all = f->count.all;
    starts_widen(&e->cost, !e->path,
                 (walk_cost){all - own + end.least, all - own + end.most, all + end.least_all,
                             all + end.most_all + f->full, end.rare, end.rare_all, heads & w->loops});
    e->path = f->path + 1;
}

static int path_order(const void *a, const void *b)
{
    const found *x = a, *y = b;
    return x->path < y->path ? -1 : x->path > y->path;
}

/* From now on the ways can be asked for. */
static void keep_routes(walk *w)
{
    if (w->given_up)
        w->found_count = 0;
    if (w->found_count)
        qsort(w->found, w->found_count, sizeof *w->found, path_order);
    routes_settle(w->routes);
}

walk *walk_new(const routine *r, const descriptors *all, const descriptor_function *f, bool ways)
{
    walk *w = memory_zero(1, sizeof *w);
    *w = (walk){.r = r, .all = all, .f = f, .given_up = !r->known};
    w->routes = ways ? routes_new() : NULL;
    w->blocks = memory_zero(f->block_count + 1, sizeof *w->blocks);
    w->passes = memory_zero(r->counted + 1, sizeof *w->passes);
    if (r->known)
        walk_add_start(w, &(walk_start){.block = AT_ENTRY, .state = {.flags = ROUTINE_ANY_FLAGS}});
    for (uint32_t i = 0; i < w->starts.count && !w->given_up; i++)
        walk_from(w, i);
    w->entry_max = 64;
    while (w->entry_max < 2 * w->found_count)
        w->entry_max *= 2;
    w->entries = memory_zero(w->entry_max, sizeof *w->entries);
    for (size_t i = 0; !w->given_up && i < w->found_count; i++)
        add_cost(w, &w->found[i]);
    if (ways)
        keep_routes(w);
    starts_free(&w->starts);
    free(w->seen.slot);
    free(w->stack);
    free(w->blocks);
    free(w->passes);
    free(w->rotated);
    return w;
}

void walk_free(walk *w)
{
    if (!w)
        return;
    free(w->entries);
    free(w->found);
    routes_free(w->routes);
    free(w);
}

bool walk_find(const walk *w, uint32_t path, walk_cost *cost)
{
    const entry *e = entry_of(w, path);
    if (e->path)
        *cost = e->cost;
    return e->path;
}

size_t walk_way(const walk *w, uint32_t path, uint32_t **steps)
{
    size_t low = bisect_below(w->found, w->found_count, sizeof *w->found, offsetof(found, path), path), count = 0;
    *steps = NULL;
    for (; w->routes && low < w->found_count && w->found[low].path == path; low++)
        count = routes_common(w->routes, w->found[low].route, steps, count);
    return count;
}
