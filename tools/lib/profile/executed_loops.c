/* SPDX-License-Identifier: MIT */
#include "tools/lib/profile/executed_loops.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

enum { NEW, WITHIN, DONE };

typedef struct ways_step {
    uint32_t at, next; /* an instruction, and the way out of it to look at; EXECUTION_NONE: none is left */
} ways_step;

typedef struct ways_walk {
    const execution *run;
    uint8_t *state; /* of instructions */
    bool *back;     /* by way */
    ways_step *stack;
    size_t depth;
} ways_walk;

static void enter(ways_walk *w, uint32_t at)
{
    w->state[at] = WITHIN;
    w->stack[w->depth++] = (ways_step){at, w->run->all[at].ways};
}

static void walk_from(ways_walk *w, uint32_t root)
{
    if (w->state[root] != NEW)
        return;
    enter(w, root);
    while (w->depth) {
        ways_step *top = &w->stack[w->depth - 1];
        if (top->next == EXECUTION_NONE) {
            w->state[top->at] = DONE;
            w->depth--;
            continue;
        }
        uint32_t number = top->next;
        const executed_way *way = &w->run->way[number];
        top->next = way->next;
        if (w->state[way->to] == WITHIN)
            w->back[number] = true;
        else if (w->state[way->to] == NEW)
            enter(w, way->to);
    }
}

bool *executed_back_ways(const execution *run)
{
    ways_walk w = {.run = run,
                   .state = memory_zero(run->count + 1, 1),
                   .back = memory_zero(run->way_count + 1, sizeof *w.back),
                   .stack = memory_zero(run->count + 1, sizeof *w.stack)};
    for (uint32_t i = 0; i < run->count; i++)
        if (run->all[i].entered)
            walk_from(&w, i);
    for (uint32_t i = 0; i < run->count; i++)
        walk_from(&w, i); /* entered before the recording began */
    free(w.state);
    free(w.stack);
    return w.back;
}
