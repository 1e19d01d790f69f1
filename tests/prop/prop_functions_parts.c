/* SPDX-License-Identifier: MIT */
/* Tables of parts of a random run add up to one table of all of it: recursion, several contexts, longjmps, activations
 * whose beginning was not recorded, gaps; costs of which many are equal, and none. Places of parts are random, so many
 * activations are open over several of them. */
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/profile/functions.h"
#include "tools/lib/profile/functions_parts.h"

enum { FUNCTIONS = 6, CONTEXTS = 3, LINES = 3 };

typedef struct run {
    check_random random;
    functions *whole, *sum, *part;
} run;

static functions *new_table(void)
{
    static const char *const names[FUNCTIONS] = {"a", "b", "c", "d", "e", "f"};
    functions *all = functions_new();
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        (void)functions_add(all, names[i], (function_place){names[i], i});
    return all;
}

/* The same, to one of the tables. */
typedef struct deed {
    uint32_t what, context, function, cost, line;
} deed;

static void act(functions *all, const deed *d)
{
    function_place place = {"file", d->line};
    if (d->what < 6) {
        functions_enter(all, d->context, d->function);
    } else if (d->what < 12) {
        functions_leave(all, d->context, d->function);
    } else if (d->what < 22) {
        functions_resume(all, d->context, d->function);
        functions_spend(all, d->context, d->cost, d->cost % 2, d->cost % 3 == 0);
        functions_at(all, d->context, place);
    } else if (d->what < 23) {
        functions_flat(all, d->context, d->function, d->line == 1, d->cost, 1, false);
    } else if (d->line == 1 && d->cost == 1) {
        functions_gap(all, (functions_loss){0});
    }
}

/* Ends the part, and begins the next one with what is open. */
static void cut(run *r)
{
    functions *next = functions_part_new(r->sum);
    for (size_t i = 0; i < functions_context_count(r->part); i++)
        for (size_t depth = 0; depth < functions_depth(r->part, i); depth++) {
            functions_call call = functions_call_at(r->part, i, depth);
            functions_part_open(next, functions_context_number(r->part, i), &call);
        }
    functions_add_part(r->sum, r->part);
    functions_free(r->part);
    r->part = next;
}

static bool same_place(function_place a, function_place b)
{
    return a.file == b.file && a.line == b.line;
}

static bool same_functions(const functions *a, const functions *b)
{
    for (size_t i = 0; i < FUNCTIONS; i++) {
        const function_cost *f = &a->all[i], *g = &b->all[i];
        EXPECT(f->calls == g->calls && f->self == g->self && f->more == g->more && f->estimated == g->estimated);
        EXPECT(f->inclusive == g->inclusive);
        EXPECT(f->whole == g->whole && f->whole_sum == g->whole_sum);
        EXPECT(!f->whole || (f->min == g->min && f->max == g->max));
        EXPECT(!f->whole || (f->min_at == g->min_at && f->max_at == g->max_at));
    }
    return true;
}

static bool same_edges(const functions *a, const functions *b)
{
    EXPECT(a->edge_count == b->edge_count);
    for (size_t i = 0; i < a->edge_count; i++) {
        const call_edge *e = &a->edge[i], *g = &b->edge[i];
        EXPECT(e->caller == g->caller && e->callee == g->callee && same_place(e->place, g->place));
        EXPECT(e->calls == g->calls && e->inclusive == g->inclusive);
    }
    return true;
}

static bool same_nodes(const functions *a, const functions *b)
{
    EXPECT(a->node_count == b->node_count);
    for (size_t i = 0; i < a->node_count; i++) {
        const call_node *n = &a->node[i], *g = &b->node[i];
        EXPECT(n->parent == g->parent && n->function == g->function && n->context == g->context);
        EXPECT(n->child == g->child && n->sibling == g->sibling);
        EXPECT(n->calls == g->calls && n->self == g->self && n->inclusive == g->inclusive);
    }
    return true;
}

static bool same_tables(const functions *a, const functions *b)
{
    EXPECT(a->total == b->total && a->more == b->more && a->estimated == b->estimated && a->flat == b->flat);
    EXPECT(functions_charged(a) == functions_charged(b));
    return same_functions(a, b) && same_edges(a, b) && same_nodes(a, b);
}

static void random_run(uint32_t seed, uint32_t deeds, uint32_t mean)
{
    run r = {.random = {seed}, .whole = new_table(), .sum = new_table()};
    r.part = functions_part_new(r.sum);
    uint32_t costs = 1 + check_random_below(&r.random, 3); /* few: many activations are equally long */
    for (uint32_t i = 0; i < deeds; i++) {
        deed d = {check_random_below(&r.random, 24), check_random_below(&r.random, CONTEXTS),
                  check_random_below(&r.random, FUNCTIONS), check_random_below(&r.random, costs),
                  check_random_below(&r.random, LINES)};
        act(r.whole, &d);
        act(r.part, &d);
        if (check_random_below(&r.random, mean) == 0)
            cut(&r);
    }
    functions_add_part(r.sum, r.part);
    functions_finish(r.whole);
    functions_finish(r.sum);
    if (!same_tables(r.whole, r.sum))
        check_fail_values(__FILE__, __LINE__, "seed, deeds", seed, deeds);
    functions_free(r.whole);
    functions_free(r.sum);
    functions_free(r.part);
}

static void parts_add_up_to_the_whole(void)
{
    unsigned rounds = check_amount(2000, 8000, 40000);
    for (uint32_t i = 1; i <= rounds && !check_failing(); i++)
        random_run(i, 10 + i % 300, 1 + i % 60);
}

int main(void)
{
    RUN(parts_add_up_to_the_whole);
    return check_failed();
}
