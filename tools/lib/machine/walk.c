/* SPDX-License-Identifier: MIT */
/* Starts (the entry, what follows a probe, where a computed goto arrives) are walked one by one; each walk that ends at
 * a path probe may add one. Starts differ by their place, the constants that matter there, and the block that is
 * entered. */
#include "tools/lib/machine/walk.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/machine/routes.h"

/* Beyond these the function is given up: its paths are not known. */
enum { STEPS_MAX = 1 << 24, STARTS_MAX = 1 << 16, SEEN_MAX = 1 << 22 };
/* Instead of a block that a start enters. */
#define AT_ENTRY (BALLARUS_NONE - 1)
#define AT_LANDING (BALLARUS_NONE - 2)
#define NO_START BALLARUS_NONE /* no path starts here: the activation ends, or goes to a landing */

typedef struct tally {
    uint32_t all, own;
    uint64_t heads; /* heads of cycles that were passed */
} tally;

typedef struct start {
    uint32_t step, block;
    bool call_ends; /* the first call does not return */
    routine_state state;
    bool ended; /* some walk left the function, or went away, and these are the least and the most that it took */
    walk_cost end;
    uint64_t end_heads;
} start;

/* A walk to a path probe. */
typedef struct found {
    uint32_t path;
    tally count;
    uint32_t next; /* the start that it led to, if the path goes on to the end of that; else ROUTINE_NONE */
    uint32_t route;
} found;

typedef struct walker {
    uint32_t step;
    uint32_t route; /* the way here, where ways are kept */
    tally count;
    routine_state state;
} walker;

/* A set of 64-bit hashes; 0 is none. Two that are equal by chance would lose a walk: of 2^22, one in 2^21. */
typedef struct hashed {
    uint64_t hash;
    uint32_t route; /* of the walk that came first */
} hashed;

typedef struct hashes {
    hashed *slot;
    size_t count, max;
} hashes;

typedef struct entry {
    uint32_t path; /* + 1; 0: free */
    walk_cost cost;
} entry;

struct walk {
    const routine *r;
    const descriptors *all;
    const descriptor_function *f;
    start *starts;
    uint32_t start_count;
    size_t start_max;
    uint32_t *start_slots; /* number + 1, open addressing */
    hashes seen;
    found *found;
    size_t found_count, found_max;
    walker *stack;
    size_t depth, stack_max;
    routes *routes; /* NULL: ways are not kept */
    uint32_t steps; /* taken in all */
    uint64_t loops; /* heads of cycles that a walk came to twice */
    bool given_up;
    uint32_t *blocks; /* scratch */
    entry *entries;   /* by path, open addressing */
    size_t entry_count, entry_max;
};

/* ---- sets ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static uint64_t hash_state(const routine_state *state)
{
    uint64_t hash = mix(state->flags, state->known);
    for (uint64_t left = state->known; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        hash = mix(hash, i < ROUTINE_SLOT_BIT ? state->r[i] : state->slot[i - ROUTINE_SLOT_BIT]);
    }
    return hash;
}

static size_t hash_slot(const hashes *set, uint64_t hash)
{
    size_t at = hash & (set->max - 1);
    while (set->slot[at].hash && set->slot[at].hash != hash)
        at = (at + 1) & (set->max - 1);
    return at;
}

/* False: it was there, and *route becomes what stands with it. */
static bool add_hash(hashes *set, uint64_t hash, uint32_t *route)
{
    if (2 * set->count >= set->max) {
        hashes old = *set;
        set->max = old.max ? 2 * old.max : 256;
        set->slot = memory_zero(set->max, sizeof *set->slot);
        for (size_t i = 0; i < old.max; i++)
            if (old.slot[i].hash)
                set->slot[hash_slot(set, old.slot[i].hash)] = old.slot[i];
        free(old.slot);
    }
    hash += !hash;
    size_t at = hash_slot(set, hash);
    if (set->slot[at].hash) {
        *route = set->slot[at].route;
        return false;
    }
    set->slot[at] = (hashed){hash, *route};
    set->count++;
    return true;
}

/* ---- starts ---- */

/* What does not matter from a step on is forgotten, so that equal is equal. */
static void keep_live(const walk *w, uint32_t step, routine_state *state)
{
    routine_forget(state, ~w->r->steps[step].live);
}

static bool is_same(const start *a, const start *b)
{
    return a->step == b->step && a->block == b->block && a->call_ends == b->call_ends &&
           a->state.known == b->state.known && a->state.flags == b->state.flags &&
           !memcmp(a->state.r, b->state.r, sizeof a->state.r) &&
           !memcmp(a->state.slot, b->state.slot, sizeof a->state.slot);
}

static size_t start_slot(const walk *w, const start *s)
{
    uint64_t hash = mix(mix(hash_state(&s->state), s->step), (uint64_t)s->block << 1 | s->call_ends);
    size_t at = hash & (2 * STARTS_MAX - 1);
    while (w->start_slots[at] && !is_same(&w->starts[w->start_slots[at] - 1], s))
        at = (at + 1) & (2 * STARTS_MAX - 1);
    return at;
}

/* The number of the start. */
static uint32_t add_start(walk *w, const start *s)
{
    size_t at = start_slot(w, s);
    if (w->start_slots[at])
        return w->start_slots[at] - 1;
    if (w->start_count == STARTS_MAX) {
        w->given_up = true;
        return 0;
    }
    w->starts = memory_room(w->starts, w->start_count, &w->start_max, sizeof *w->starts);
    w->starts[w->start_count] = *s;
    w->start_slots[at] = ++w->start_count;
    return w->start_count - 1;
}

static void widen(walk_cost *cost, bool first, walk_cost by)
{
    if (first)
        *cost = by;
    cost->least = by.least < cost->least ? by.least : cost->least;
    cost->most = by.most > cost->most ? by.most : cost->most;
    cost->least_all = by.least_all < cost->least_all ? by.least_all : cost->least_all;
    cost->most_all = by.most_all > cost->most_all ? by.most_all : cost->most_all;
    cost->loops |= by.loops;
}

/* The activation ended, or went away. */
static void end_start(start *s, const tally *t)
{
    if (s->block != NO_START)
        return;
    widen(&s->end, !s->ended, (walk_cost){t->all - t->own, t->all - t->own, t->all, t->all, false});
    s->end_heads |= t->heads;
    s->ended = true;
}

/* ---- walks ---- */

/* Does a path start where this start is? */
static bool starts_here(const descriptor_function *f, const start *s, const descriptor_path *path,
                        const uint32_t *blocks)
{
    if (path->entry || s->block == AT_ENTRY)
        return path->entry && s->block == AT_ENTRY;
    if (s->block == AT_LANDING)
        return path->count && f->block[blocks[0]].flags & DESCRIPTOR_BLOCK_LANDING;
    return path->count && blocks[0] == s->block;
}

/* A walk has come to a path probe. `w->starts` may move. */
static void end_path(walk *w, uint32_t from, const walker *at)
{
    const routine_step *s = &w->r->steps[at->step];
    uint32_t path = at->state.r[0];
    descriptor_path info;
    if (!(at->state.known & 1) || path - w->f->path_base >= w->f->path_count ||
        !descriptor_expand(w->all, path, w->blocks, w->f->block_count, &info) ||
        !starts_here(w->f, &w->starts[from], &info, w->blocks))
        return;
    bool ends = info.exit || info.enters == BALLARUS_NONE;
    start next = {.step = s->next, .block = ends ? NO_START : info.enters, .state = at->state};
    next.call_ends = info.enters != BALLARUS_NONE && w->f->block[info.enters].flags & DESCRIPTOR_BLOCK_NORETURN;
    routine_execute(w->r, s, &next.state);
    if (s->leaves || s->next == ROUTINE_NONE) {
        memset(&next.state, 0, sizeof next.state);
        next.step = ROUTINE_NONE;
        next.ended = true;
    } else {
        keep_live(w, next.step, &next.state);
    }
    w->found = memory_room(w->found, w->found_count, &w->found_max, sizeof *w->found);
    uint32_t number = add_start(w, &next);
    w->found[w->found_count++] = (found){path - w->f->path_base, at->count, ends ? number : ROUTINE_NONE, at->route};
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
    end_start(&w->starts[from], &at->count);
    for (uint32_t i = 0; i < s->table_count; i++) {
        start next = {.step = s->table[i], .block = AT_LANDING, .state = at->state};
        keep_live(w, next.step, &next.state);
        add_start(w, &next);
    }
}

/* A block that begins with setjmp or the like is started again where that returns. */
static bool twice(const walk *w, uint32_t from)
{
    uint32_t block = w->starts[from].block;
    return block < w->f->block_count && w->f->block[block].flags & DESCRIPTOR_BLOCK_TWICE;
}

/* The step takes effect, and the walk goes on. */
static void go_on(walk *w, uint32_t from, walker at)
{
    const routine_step *s = &w->r->steps[at.step];
    if (s->call == ROUTINE_PATH) {
        end_path(w, from, &at);
        return;
    }
    if (s->leaves || (s->call == ROUTINE_CALL && w->starts[from].call_ends)) {
        end_start(&w->starts[from], &at.count);
        return;
    }
    if (s->away) {
        go_away(w, from, &at);
        return;
    }
    routine_execute(w->r, s, &at.state);
    if (s->call == ROUTINE_CALL && twice(w, from) && s->next != ROUTINE_NONE) {
        start again = {.step = s->next, .block = w->starts[from].block, .state = at.state};
        keep_live(w, s->next, &again.state);
        add_start(w, &again);
    }
    for (uint32_t i = 0; i < s->table_count; i++)
        push(w, &at, s->table[i]);
    if (s->insn.flow == THUMB_BRANCH)
        push(w, &at, s->target);
    else if (s->insn.flow != THUMB_SWITCH)
        push(w, &at, s->next);
}

/* One step of a walk. */
static void take_step(walk *w, uint32_t from, walker at)
{
    const routine_step *s = &w->r->steps[at.step];
    keep_live(w, at.step, &at.state);
    uint64_t head = s->head ? UINT64_C(1) << (s->head - 1) : 0;
    if (at.count.heads & head) { /* a second time round: no path says how often */
        w->loops |= head;
        return;
    }
    at.count.heads |= head;
    if (s->joined) {
        uint64_t hash = mix(mix(mix(hash_state(&at.state), at.count.heads), (uint64_t)from << 32 | at.step),
                            (uint64_t)at.count.all << 32 | at.count.own);
        uint32_t route = w->routes ? routes_next(w->routes) : 0;
        w->given_up |= w->seen.count == SEEN_MAX;
        if (w->given_up)
            return;
        if (!add_hash(&w->seen, hash, &route)) {
            if (w->routes)
                routes_meet(w->routes, route, at.route);
            return;
        }
    }
    if (w->routes)
        at.route = routes_add(w->routes, at.step, at.route);
    at.count.all += 1 + s->more;
    at.count.own += s->own + s->more_own;
    unsigned ways = routine_decide(s, &at.state);
    bool divides = s->related || s->call || s->insn.flow != THUMB_NEXT;
    if (ways == (ROUTINE_YES | ROUTINE_NO) && !divides) { /* of what it may change only the flags may matter */
        routine_forget(&at.state, s->writes & 1u << THUMB_FLAGS);
        push(w, &at, s->next);
        return;
    }
    if (ways & ROUTINE_NO) {
        walker passes = at;
        routine_assume(s, &passes.state, false);
        push(w, &passes, s->next);
    }
    if (ways & ROUTINE_YES) {
        routine_assume(s, &at.state, true);
        go_on(w, from, at);
    }
}

static void walk_from(walk *w, uint32_t from)
{
    walker at = {.state = w->starts[from].state, .route = ROUTES_NONE};
    push(w, &at, w->starts[from].step);
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
    if (f->next != ROUTINE_NONE) {
        if (!w->starts[f->next].ended)
            return;
        end = w->starts[f->next].end;
        heads |= w->starts[f->next].end_heads;
    }
    entry *e = entry_of(w, f->path);
    uint32_t own = f->count.own, all = f->count.all;
    widen(&e->cost, !e->path,
          (walk_cost){all - own + end.least, all - own + end.most, all + end.least_all, all + end.most_all,
                      heads & w->loops});
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
    w->start_slots = memory_zero(2 * STARTS_MAX, sizeof *w->start_slots);
    w->blocks = memory_zero(f->block_count + 1, sizeof *w->blocks);
    if (r->known)
        add_start(w, &(start){.block = AT_ENTRY, .state = {.flags = ROUTINE_ANY_FLAGS}});
    for (uint32_t i = 0; i < w->start_count && !w->given_up; i++)
        walk_from(w, i);
    w->entry_max = 64;
    while (w->entry_max < 2 * w->found_count)
        w->entry_max *= 2;
    w->entries = memory_zero(w->entry_max, sizeof *w->entries);
    for (size_t i = 0; !w->given_up && i < w->found_count; i++)
        add_cost(w, &w->found[i]);
    if (ways)
        keep_routes(w);
    free(w->starts);
    free(w->start_slots);
    free(w->seen.slot);
    free(w->stack);
    free(w->blocks);
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
    size_t low = 0, high = w->found_count, count = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->found[middle].path < path)
            low = middle + 1;
        else
            high = middle;
    }
    *steps = NULL;
    for (; w->routes && low < w->found_count && w->found[low].path == path; low++)
        count = routes_common(w->routes, w->found[low].route, steps, count);
    return count;
}
