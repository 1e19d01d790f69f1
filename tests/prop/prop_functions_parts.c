/* SPDX-License-Identifier: MIT */
/* Tables of parts of a random run add up to one table of all of it: recursion, several contexts, longjmps, activations
 * whose beginning was not recorded, gaps; costs that are often equal, or 0. Places of parts are random, so activations
 * are often open over several of them. */
#include "tests/lib/check.h"
#include "tests/lib/same_functions.h"
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
    bool same = same_open_calls(r.whole, r.sum);
    functions_finish(r.whole);
    functions_finish(r.sum);
    if (!same || !same_tables(r.whole, r.sum))
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
