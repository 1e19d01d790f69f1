/* SPDX-License-Identifier: MIT */
/* The choice of words without a column on random graphs, against a naive reading of its promises: no cycle, no cost
 * above the maximum, nothing kept that could be dropped after the others, the larger dropped before the smaller. */
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/wet/choice.h"

enum { WORDS = 12, NEEDS = 4, ROUNDS = 20000, STORED = 0, FOUND = 1, CANDIDATE = 2 };

typedef struct graph {
    unsigned count, kind[WORDS], bytes[WORDS], need_count[WORDS], use[WORDS][NEEDS], need[WORDS][NEEDS],
        hop[WORDS][NEEDS];
} graph;

static graph random_graph(check_random *random)
{
    graph g = {.count = 1 + check_random_below(random, WORDS)};
    for (unsigned i = 0; i < g.count; i++) {
        g.kind[i] = check_random_below(random, 4);
        g.kind[i] = g.kind[i] == 3 || (g.kind[i] == FOUND && i == 0) ? CANDIDATE : g.kind[i];
        g.bytes[i] = check_random_below(random, 6);
        for (unsigned k = 0; g.kind[i] != STORED && k < NEEDS && check_random_below(random, 4); k++) {
            g.use[i][k] = k ? g.use[i][k - 1] + check_random_below(random, 2) : 0;
            g.need[i][k] = check_random_below(random, g.kind[i] == FOUND ? i : g.count);
            g.hop[i][k] = check_random_below(random, 3);
            g.need_count[i]++;
        }
    }
    return g;
}

/* Steps to find a word. More than `left` are not counted, which also ends at cycles. */
static unsigned naive_cost(const graph *g, const bool *found, unsigned at, unsigned left)
{
    unsigned cost = 1;
    if (!found[at] || !left)
        return 1;
    for (unsigned k = 0; k < g->need_count[at];) {
        unsigned use = g->use[at][k], most = 0;
        for (; k < g->need_count[at] && g->use[at][k] == use; k++) {
            unsigned other = naive_cost(g, found, g->need[at][k], left - 1) + g->hop[at][k];
            most = other > most ? other : most;
        }
        cost += most;
    }
    return cost;
}

static bool naive_circle(const graph *g, const bool *found, unsigned at, unsigned left)
{
    if (!found[at])
        return false;
    bool circle = left == 0;
    for (unsigned k = 0; !circle && k < g->need_count[at]; k++)
        circle = naive_circle(g, found, g->need[at][k], left - 1);
    return circle;
}

static bool naive_good(const graph *g, const bool *found, unsigned cost_max)
{
    for (unsigned i = 0; i < g->count; i++)
        if (naive_circle(g, found, i, g->count) || (found[i] && naive_cost(g, found, i, g->count) > cost_max))
            return false;
    return true;
}

/* Drops larger ones first, and of equal ones the first. */
static void naive_choice(const graph *g, bool *found, unsigned cost_max)
{
    for (unsigned i = 0; i < g->count; i++)
        found[i] = g->kind[i] == FOUND;
    for (unsigned bytes = 6; bytes-- > 0;)
        for (unsigned i = 0; i < g->count; i++)
            if (g->kind[i] == CANDIDATE && g->bytes[i] == bytes) {
                found[i] = true;
                found[i] = naive_good(g, found, cost_max);
            }
}

static bool same_choice(const graph *g, unsigned cost_max)
{
    bool found[WORDS];
    wet_choice *choice = wet_choice_new();
    for (unsigned i = 0; i < g->count; i++) {
        if (g->kind[i] == STORED)
            wet_choice_stored(choice);
        else if (g->kind[i] == FOUND)
            wet_choice_found(choice);
        else
            wet_choice_candidate(choice, g->bytes[i]);
        for (unsigned k = 0; k < g->need_count[i]; k++)
            wet_choice_need(choice, g->use[i][k], g->need[i][k], g->hop[i][k]);
    }
    wet_choice_run(choice, cost_max);
    naive_choice(g, found, cost_max);
    EXPECT(wet_choice_check(choice, cost_max));
    for (unsigned i = 0; i < g->count; i++)
        EXPECT(wet_choice_is_found(choice, i) == found[i]);
    wet_choice_free(choice);
    return true;
}

static void the_choice_is_that_of_the_naive_one(void)
{
    check_random random = {1};
    for (unsigned round = 0; round < ROUNDS; round++) {
        graph g = random_graph(&random);
        bool found[WORDS];
        for (unsigned i = 0; i < g.count; i++)
            found[i] = g.kind[i] == FOUND;
        unsigned cost_max = 3 + check_random_below(&random, 30);
        if (naive_good(&g, found, cost_max)) /* words that have no column in any case must be within the bound */
            CHECK(same_choice(&g, cost_max));
    }
}

int main(void)
{
    RUN(the_choice_is_that_of_the_naive_one);
    return check_failed();
}
