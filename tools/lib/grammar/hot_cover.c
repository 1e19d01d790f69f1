/* SPDX-License-Identifier: MIT */
/* One walk over the stream with the automaton of Aho and Corasick ("Efficient string matching", 1975): a state is the
 * longest beginning of a subpath that the symbols so far end with. */
#include <stdlib.h>

#include "core/base.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/grammar/hot.h"
#include "tools/lib/grammar/hot_finder.h"

typedef struct finding {
    hot_path *paths;
    const uint64_t *costs;
    uint32_t *kind; /* by terminal: 1 + its column; 0: no subpath has it */
    size_t kinds, states;
    uint32_t *next; /* by state and column; state 0 is the start */
    uint32_t *path; /* by state: 1 + the subpath that ends there; 0: none */
    uint32_t *also; /* by state: the longest shorter one with a path; 0: none */
    uint64_t *end;  /* by subpath: symbols of the stream up to the end of its last occurrence */
} finding;

static uint32_t *step(const finding *f, uint32_t state, uint32_t terminal)
{
    return &f->next[state * f->kinds + f->kind[terminal] - 1];
}

static void number_symbols(finding *f, size_t count)
{
    f->states = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < f->paths[i].length; k++, f->states++)
            if (!f->kind[f->paths[i].symbols[k]])
                f->kind[f->paths[i].symbols[k]] = (uint32_t)++f->kinds;
}

static void add_paths(finding *f, size_t count)
{
    uint32_t used = 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t state = 0;
        for (size_t k = 0; k < f->paths[i].length; k++) {
            uint32_t *to = step(f, state, f->paths[i].symbols[k]);
            if (!*to)
                *to = used++;
            state = *to;
        }
        f->path[state] = (uint32_t)i + 1;
    }
    f->states = used;
}

/* A step that a state lacks leads where that of its longest shorter state leads. Shorter states are filled in first. */
static void complete(finding *f)
{
    uint32_t *queue = memory_zero(f->states, sizeof *queue), *shorter = memory_zero(f->states, sizeof *shorter);
    for (size_t from = 0, to = 1; from < to; from++) {
        uint32_t state = queue[from], other = shorter[state];
        f->also[state] = f->path[other] ? other : f->also[other];
        for (size_t k = 0; k < f->kinds; k++) {
            uint32_t *target = &f->next[state * f->kinds + k], there = state ? f->next[other * f->kinds + k] : 0;
            if (!*target) {
                *target = there;
                continue;
            }
            shorter[*target] = there;
            queue[to++] = *target;
        }
    }
    free(queue);
    free(shorter);
}

/* An occurrence ends after `place` symbols of the stream. */
static void take(finding *f, size_t path, uint64_t place)
{
    hot_path *p = &f->paths[path];
    uint64_t fresh = place - f->end[path];
    for (size_t k = p->length; k > 0 && fresh > 0; k--, fresh--)
        p->covered = add_capped(p->covered, f->costs ? f->costs[p->symbols[k - 1]] : 1);
    f->end[path] = place;
}

/* The paths that end where the automaton is in `state`. */
static void take_ended(finding *f, uint32_t state, uint64_t end)
{
    for (uint32_t s = state; s; s = f->also[s])
        if (f->path[s])
            take(f, f->path[s] - 1, end);
}

static void read_stream(finding *f, const grammar *g)
{
    uint32_t symbols[4096], state = 0;
    uint64_t place = 0;
    grammar_walk *walk = grammar_walk_open(g);
    for (size_t count; (count = grammar_walk_terminals(walk, symbols, WEFT_COUNT(symbols))) > 0; place += count)
        for (size_t i = 0; i < count; i++) {
            state = f->kind[symbols[i]] ? *step(f, state, symbols[i]) : 0;
            take_ended(f, state, place + i + 1);
        }
    grammar_walk_close(walk);
}

void hot_cover(const grammar *g, const uint64_t *costs, hot_path *paths, size_t count)
{
    finding f = {.paths = paths, .costs = costs, .kind = memory_zero(g->terminal_count, sizeof *f.kind)};
    number_symbols(&f, count);
    f.next = memory_zero(f.states * f.kinds, sizeof *f.next);
    f.path = memory_zero(f.states, sizeof *f.path);
    f.also = memory_zero(f.states, sizeof *f.also);
    f.end = memory_zero(count, sizeof *f.end);
    add_paths(&f, count);
    complete(&f);
    for (size_t i = 0; i < count; i++)
        paths[i].covered = 0;
    read_stream(&f, g);
    free(f.kind);
    free(f.next);
    free(f.path);
    free(f.also);
    free(f.end);
}
