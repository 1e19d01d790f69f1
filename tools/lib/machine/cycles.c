/* SPDX-License-Identifier: MIT */
#include "tools/lib/machine/cycles.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"

enum { HEADS_MAX = 64 };

/* ---- cycles without a path probe ---- */

enum { NEW, ON_THE_WAY, DONE };

typedef struct search {
    uint8_t *color;
    uint32_t *stack, depth;
} search;

static void take_way(routine *r, search *s, uint32_t to)
{
    if (to == ROUTINE_NONE || r->steps[to].counted)
        return;
    if (s->color[to] == NEW)
        s->stack[s->depth++] = to;
    if (s->color[to] == ON_THE_WAY && !r->steps[to].head) {
        r->known &= r->heads < HEADS_MAX;
        r->steps[to].head = (uint8_t)++r->heads;
    }
}

/* One step of a search in depth. A step that ends a path has no ways here: what follows it is a start of its own. */
static void search_on(routine *r, search *f)
{
    uint32_t at = f->stack[f->depth - 1];
    routine_step *s = &r->steps[at];
    if (f->color[at] != NEW) {
        f->color[at] = DONE;
        f->depth--;
        return;
    }
    f->color[at] = ON_THE_WAY;
    if (routine_ends_path(s) && s->condition >= THUMB_ALWAYS)
        return;
    take_way(r, f, s->next);
    take_way(r, f, s->target);
    for (uint32_t i = 0; !s->away && i < s->table_count; i++)
        take_way(r, f, s->table[i]);
}

void cycles_find_heads(routine *r)
{
    size_t ways = 1;
    for (uint32_t i = 0; i < r->count; i++)
        ways += 2 + r->steps[i].table_count;
    search f = {memory_zero(r->count + 1, 1), memory_zero(ways, sizeof *f.stack), 0};
    for (uint32_t root = 0; root < r->count; root++) {
        if (f.color[root] == NEW)
            f.stack[f.depth++] = root;
        while (f.depth)
            search_on(r, &f);
    }
    free(f.color);
    free(f.stack);
}

static void count_way(routine *r, uint8_t *ways, uint32_t to)
{
    if (to != ROUTINE_NONE && ways[to] < 2)
        r->steps[to].joined = ++ways[to] == 2;
}

void cycles_find_joins(routine *r)
{
    uint8_t *ways = memory_zero(r->count + 1, 1);
    for (uint32_t i = 0; i < r->count; i++)
        r->steps[i].joined = false;
    for (uint32_t i = 0; i < r->count; i++) {
        count_way(r, ways, r->steps[i].next);
        count_way(r, ways, r->steps[i].target);
        for (uint32_t k = 0; k < r->steps[i].table_count; k++)
            count_way(r, ways, r->steps[i].table[k]);
    }
    free(ways);
}
