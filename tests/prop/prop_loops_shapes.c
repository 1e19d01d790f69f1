/* SPDX-License-Identifier: MIT */
/* The shapes of the NAS benchmarks of table III, rebuilt: each method finds their loops. */
#include <stdlib.h>

#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tools/lib/loops/greedy.h"
#include "tools/lib/loops/optimal.h"

typedef nest *method(const uint32_t *symbols, size_t size);

typedef struct trace {
    uint32_t symbols[50000];
    size_t size;
    uint32_t fresh; /* symbols that occur once */
    check_random random;
} trace;

static void irregular(trace *t, size_t size)
{
    while (size--)
        t->symbols[t->size++] = 1000 + t->fresh++;
}

/* Random symbols, no two equal ones side by side. */
static void mixed(trace *t, size_t size)
{
    while (size--) {
        uint32_t symbol = check_random_below(&t->random, 24);
        while (t->size && t->symbols[t->size - 1] == symbol)
            symbol = check_random_below(&t->random, 24);
        t->symbols[t->size++] = symbol;
    }
}

static void repeat(trace *t, size_t body, unsigned iterations)
{
    for (size_t i = 0; i < body * (iterations - 1); i++, t->size++)
        t->symbols[t->size] = t->symbols[t->size - body];
}

static void distinct(trace *t, size_t size, uint32_t base)
{
    for (size_t i = 0; i < size; i++)
        t->symbols[t->size++] = base + (uint32_t)i;
}

static bool has_loop(const nest *n, const uint64_t *lengths, size_t body, uint32_t least, uint32_t most)
{
    for (uint32_t i = 0; i < n->loop_count; i++)
        if (lengths[i] == body && n->loops[i].iterations >= least && n->loops[i].iterations <= most)
            return true;
    return false;
}

/* Whether the nest has the loop (body)^iterations and, unless inner is 0, (inner)^inner_iterations in it. Optimal
 * finds them exactly; the other methods may miss 2 iterations. */
static bool has_structure(const trace *t, size_t size, size_t body, uint32_t iterations, size_t inner,
                          uint32_t inner_iterations)
{
    static method *const methods[] = {nest_optimal, nest_greedy, nest_near_optimal};
    EXPECT(t->size == size);
    for (int m = 0; m < 3; m++) {
        nest *n = methods[m](t->symbols, t->size);
        uint64_t *lengths = nest_body_lengths(n);
        bool good = n->length == size && has_loop(n, lengths, body, iterations - (m ? 2 : 0), iterations);
        if (inner)
            good =
                good && has_loop(n, lengths, inner, inner_iterations - (m && inner_iterations > 3), inner_iterations);
        nest_stats stats = nest_measure(n);
        good = good && stats.symbols < size / 5;
        free(lengths);
        nest_free(n);
        EXPECT(good);
    }
    return true;
}

static trace nas;

static void nas_bt(void) /* (85)^200 = (13 + (4)^3 + ... + (4)^3)^200 */
{
    nas = (trace){.random = {1}};
    irregular(&nas, 50);
    for (uint32_t i = 0; i < 6; i++) {
        distinct(&nas, i == 5 ? 3 : 2, 100 + 10 * i);
        distinct(&nas, 4, 200 + 10 * i);
        repeat(&nas, 4, 3);
    }
    repeat(&nas, 85, 200);
    irregular(&nas, 56);
    CHECK(has_structure(&nas, 17106, 85, 200, 4, 3));
}

static void nas_sp(void) /* (67)^400 */
{
    nas = (trace){.random = {2}};
    irregular(&nas, 40);
    mixed(&nas, 67);
    repeat(&nas, 67, 400);
    irregular(&nas, 48);
    CHECK(has_structure(&nas, 26888, 67, 400, 0, 0));
}

static void nas_cg(void) /* (552)^75 = ((21)^26 + 6)^75 */
{
    nas = (trace){.random = {3}};
    irregular(&nas, 300);
    distinct(&nas, 21, 100);
    repeat(&nas, 21, 26);
    distinct(&nas, 6, 200);
    repeat(&nas, 552, 75);
    irregular(&nas, 254);
    CHECK(has_structure(&nas, 41954, 552, 75, 21, 26));
}

static void nas_mg_b(void) /* (416)^20 */
{
    nas = (trace){.random = {4}};
    irregular(&nas, 300);
    mixed(&nas, 416);
    repeat(&nas, 416, 20);
    irregular(&nas, 289);
    CHECK(has_structure(&nas, 8909, 416, 20, 0, 0));
}

static void nas_mg_c(void) /* (470)^20 */
{
    nas = (trace){.random = {5}};
    irregular(&nas, 300);
    mixed(&nas, 470);
    repeat(&nas, 470, 20);
    irregular(&nas, 347);
    CHECK(has_structure(&nas, 10047, 470, 20, 0, 0));
}

int main(void)
{
    RUN(nas_bt);
    RUN(nas_sp);
    RUN(nas_cg);
    RUN(nas_mg_b);
    RUN(nas_mg_c);
    return check_failed();
}
