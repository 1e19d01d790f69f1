/* SPDX-License-Identifier: MIT */
/* 1. Counting. A *place* is what an activation remembers: its last k - 1 paths, or all of them while it has fewer. An
 *    *edge* leads from place to place by the next path. So each event is one step along an edge, and the edge counts:
 *
 *        k = 3, stream 1 2 3 2 3      places   ( )  (1)  (1 2)  (2 3)  (3 2)
 *                                     edges    ( )-1->(1)-2->(1 2)-3->(2 3)-2->(3 2)-3->(2 3)
 *
 *    The edge that followed an edge the last time is tried first; other edges are found by a hash. A place keeps its
 *    last path only, and the place before it: the chain of these is its sequence, the last path first.
 * Steps 2 to 4, which read what was counted: sequences_order.c. */
#include "tools/lib/profile/sequences.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/profile/sequences_places.h"

static void table_init(table *t)
{
    t->mask = 255;
    t->slot = memory_zero(t->mask + 1u, sizeof *t->slot);
}

static void begin(sequences *all)
{
    all->places_max = all->edges_max = 0;
    all->places = memory_room(NULL, 0, &all->places_max, sizeof *all->places);
    all->edges = memory_room(NULL, 0, &all->edges_max, sizeof *all->edges);
    all->places[ROOT] = (place){0};
    all->edges[ROOT] = (edge){0};
    all->place_count = all->edge_count = 1;
    all->full = all->steps = (table){0};
    table_init(&all->full);
    table_init(&all->steps);
}

sequences *sequences_new(unsigned k)
{
    sequences *all = memory_zero(1, sizeof *all);
    all->k = k;
    begin(all);
    return all;
}

static void free_counted(sequences *all)
{
    free(all->places);
    free(all->edges);
    free(all->full.slot);
    free(all->steps.slot);
}

void sequences_forget(sequences *all)
{
    free_counted(all);
    begin(all);
    all->events = 0;
}

static void sieve_free(sieve *s)
{
    if (!s)
        return;
    free(s->edges);
    if (!s->lent) {
        free(s->origin);
        sequences_free(s->brief);
    }
    free(s);
}

void sequences_free(sequences *all)
{
    if (!all)
        return;
    free_counted(all);
    free(all->windows);
    sorted_windows_free(&all->sorted);
    sieve_free(all->sieve);
    if (all->stream) {
        free(all->stream->numbers);
        numbering_free(&all->stream->of);
        free(all->stream->starts);
    }
    free(all->stream);
    free(all);
}

unsigned sequences_k(const sequences *all)
{
    return all->sieve ? all->k + all->sieve->added : all->k;
}

uint64_t sequences_events(const sequences *all)
{
    return all->events;
}

/* ---- step 1 ---- */

static uint32_t hash_of_edge(const sequences *all, uint32_t number)
{
    return hash_on(all->edges[number].from, all->edges[number].path);
}

static uint32_t hash_of_full(const sequences *all, uint32_t number)
{
    return all->places[number].hash;
}

static bool edge_is_entered(const sequences *all, uint32_t number)
{
    (void)all;
    return number != ROOT;
}

static bool full_is_entered(const sequences *all, uint32_t number)
{
    return all->places[number].length == all->k - 1;
}

/* What a table holds: of the elements up to a number those that are entered. */
typedef struct elements {
    uint32_t (*hash)(const sequences *all, uint32_t number);
    bool (*entered)(const sequences *all, uint32_t number);
} elements;

static inline void table_put(table *t, uint32_t number, uint32_t hash)
{
    uint32_t slot = hash & t->mask;
    while (t->slot[slot])
        slot = (slot + 1) & t->mask;
    t->slot[slot] = number;
}

/* Enters the youngest element, which the table does not have. */
static void table_enter(const sequences *all, table *t, uint32_t youngest, elements kind)
{
    if (++t->used <= t->mask / 2) {
        table_put(t, youngest, kind.hash(all, youngest));
        return;
    }
    free(t->slot);
    t->mask = 2 * t->mask + 1;
    t->slot = memory_table(t->mask + (size_t)1, sizeof *t->slot);
    for (uint32_t number = 0; number <= youngest; number++)
        if (kind.entered(all, number))
            table_put(t, number, kind.hash(all, number));
}

static uint32_t new_place(sequences *all, place p)
{
    if (all->place_count == UINT32_MAX)
        memory_grow(NULL, SIZE_MAX, 2); /* more than a number can name: ends the program */
    all->places = memory_room(all->places, all->place_count, &all->places_max, sizeof *all->places);
    all->places[all->place_count] = p;
    return all->place_count++;
}

static bool same_paths(const sequences *all, uint32_t a, uint32_t b, unsigned length)
{
    for (; length && a != b; length--, a = all->places[a].before, b = all->places[b].before)
        if (all->places[a].path != all->places[b].path)
            return false;
    return true;
}

/* The place of k - 1 paths that end with those of another one and `path`. */
static uint32_t full_place(sequences *all, uint32_t before, uint32_t path)
{
    uint32_t hash = hash_on(0, path);
    for (unsigned length = all->k - 2, at = before; length; length--, at = all->places[at].before)
        hash = hash_on(hash, all->places[at].path);
    for (uint32_t slot = hash & all->full.mask, p; (p = all->full.slot[slot]); slot = (slot + 1) & all->full.mask)
        if (all->places[p].hash == hash && all->places[p].path == path &&
            same_paths(all, all->places[p].before, before, all->k - 2))
            return p;
    uint32_t made = new_place(all, (place){before, path, all->k - 1, hash});
    table_enter(all, &all->full, made, (elements){hash_of_full, full_is_entered});
    return made;
}

/* Places of fewer paths are known by the way that leads to them, as the edges of a tree are. */
static uint32_t place_after(sequences *all, uint32_t from, uint32_t path)
{
    uint32_t length = all->places[from].length + 1;
    if (length >= all->k - 1)
        return full_place(all, from, path);
    return new_place(all, (place){from, path, length, 0});
}

static uint32_t new_edge(sequences *all, uint32_t from, uint32_t path)
{
    uint32_t to = place_after(all, from, path);
    if (all->edge_count == UINT32_MAX)
        memory_grow(NULL, SIZE_MAX, 2); /* as for places */
    all->edges = memory_room(all->edges, all->edge_count, &all->edges_max, sizeof *all->edges);
    all->edges[all->edge_count] = (edge){.path = path, .to = to, .from = from};
    table_enter(all, &all->steps, all->edge_count, (elements){hash_of_edge, edge_is_entered});
    return all->edge_count++;
}

static uint32_t find_edge(sequences *all, uint32_t from, uint32_t path)
{
    uint32_t known = known_edge(all, from, path);
    return known ? known : new_edge(all, from, path);
}

/* The number of the last edge is an activation's state. */
static inline uint32_t step(sequences *all, uint32_t last, uint32_t path)
{
    uint32_t next = all->edges[last].next;
    if (!next || all->edges[next].path != path) {
        next = find_edge(all, all->edges[last].to, path);
        all->edges[last].next = next;
    }
    return next;
}

uint32_t sequences_sieved(sequences *all, uint32_t last, uint32_t first)
{
    uint32_t number = all->sieve->edges[first].number;
    return number ? step(all, last & OUT ? ROOT : last, number) : OUT | first;
}

static uint32_t sieved_step(sequences *all, uint32_t last, uint32_t path)
{
    sieve *s = all->sieve;
    const edge *edges = s->brief->edges;
    uint32_t at = last & OUT ? last & ~OUT : s->origin[all->edges[last].path], next = s->edges[at].next;
    if (!next || edges[next].path != path) {
        next = known_edge(s->brief, edges[at].to, path);
        s->edges[at].next = next;
        s->strange |= !next;
    }
    return sequences_sieved(all, last, next);
}

void sequences_push(sequences *all, uint32_t *state, uint32_t path)
{
    all->events++;
    if (all->sieve) {
        *state = sieved_step(all, *state, path);
        if (*state & OUT)
            return;
    } else {
        *state = step(all, *state, path);
    }
    all->edges[*state].count++;
}

void sequences_follow(sequences *all, uint32_t *state, uint32_t path)
{
    *state = all->sieve ? sieved_step(all, *state, path) : step(all, *state, path);
}

/* An edge is younger than the place that it leads away from, and so than the first edge that leads there. */
void sequences_merge(sequences *all, const sequences *from)
{
    uint32_t *own_place = memory_zero(from->place_count, sizeof *own_place);
    for (uint32_t i = 1; i < from->edge_count; i++) {
        const edge *e = &from->edges[i];
        uint32_t own = find_edge(all, own_place[e->from], e->path);
        all->edges[own].count += e->count;
        own_place[e->to] = all->edges[own].to;
    }
    all->events += from->events;
    if (all->sieve)
        all->sieve->strange |= from->sieve->strange;
    free(own_place);
}

/* ---- counts of a forest ---- */

/* The current sequence and its beginnings: their places, and how often each is in no longer sequence. */
typedef struct adding {
    sequences *all;
    window open[SEQUENCES_MAX + 1];
    unsigned length;
} adding;

static void close_windows(adding *a, unsigned length)
{
    sequences *all = a->all;
    for (; a->length > length; a->length--) {
        if (!a->open[a->length].count)
            continue;
        all->windows = memory_room(all->windows, all->window_count, &all->windows_max, sizeof *all->windows);
        all->windows[all->window_count++] = a->open[a->length];
    }
}

static void add_sequence(void *context, const uint32_t *path, unsigned length, uint64_t count)
{
    adding *a = context;
    close_windows(a, length - 1);
    window *beginning = &a->open[length - 1];
    a->length = length;
    a->open[length] = (window){new_place(a->all, (place){beginning->place, path[length - 1], 0, 0}), length, count};
    if (length > 1)
        beginning->count -= count;
}

void sequences_add(sequences *all, const kipf *forest)
{
    adding a = {.all = all};
    kipf_each(forest, all->k, NULL, add_sequence, &a);
    close_windows(&a, 0);
    all->events += kipf_events(forest);
}
