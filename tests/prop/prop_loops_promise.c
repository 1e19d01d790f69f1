/* SPDX-License-Identifier: MIT */
/* The promise of the greedy method: at most 2 iterations fewer per loop than a perfect nest has. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/nest_methods.h"
#include "tools/lib/loops/greedy.h"
#include "tools/lib/loops/optimal.h"
#include "tools/lib/loops/text.h"

/* A loop by its body, expanded and turned to its least rotation. */
typedef struct plain_loop {
    uint32_t *body;
    size_t size;
    uint32_t iterations;
} plain_loop;

static uint32_t *expand_body(const nest *n, uint32_t loop, uint32_t *out)
{
    for (uint32_t i = 0; i < n->loops[loop].size; i++) {
        uint32_t item = n->items[n->loops[loop].first + i];
        if (!nest_is_loop(n, item)) {
            *out++ = n->symbols[item];
            continue;
        }
        for (uint32_t l = 0; l < nest_loop_of(n, item)->iterations; l++)
            out = expand_body(n, item - n->alphabet, out);
    }
    return out;
}

static size_t least_rotation(const uint32_t *s, size_t size)
{
    size_t best = 0;
    for (size_t i = 1; i < size; i++)
        for (size_t k = 0; k < size; k++) {
            uint32_t a = s[(i + k) % size], b = s[(best + k) % size];
            if (a < b)
                best = i;
            if (a != b)
                break;
        }
    return best;
}

static plain_loop *plain_loops(const nest *n)
{
    uint64_t *lengths = nest_body_lengths(n);
    plain_loop *loops = calloc(n->loop_count + 1, sizeof *loops);
    for (uint32_t i = 0; i < n->loop_count; i++) {
        size_t size = lengths[i];
        uint32_t *twice = malloc(2 * size * sizeof *twice);
        expand_body(n, i, twice);
        memcpy(twice + size, twice, size * sizeof *twice);
        size_t first = least_rotation(twice, size);
        loops[i] = (plain_loop){malloc(size * sizeof *twice), size, n->loops[i].iterations};
        memcpy(loops[i].body, twice + first, size * sizeof *twice);
        free(twice);
    }
    free(lengths);
    return loops;
}

static void free_plain(plain_loop *loops, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(loops[i].body);
    free(loops);
}

static bool keeps_promise(const nest *best, const plain_loop *wanted, method *find, const char *text, size_t size)
{
    nest *n = nest_of(find, text, size);
    plain_loop *got = plain_loops(n);
    bool kept = expands_to(n, text, size);
    for (uint32_t i = 0; i < best->loop_count && kept; i++) {
        bool found = wanted[i].iterations < 4; /* 2 fewer may not be a loop */
        for (uint32_t k = 0; k < n->loop_count && !found; k++)
            found = got[k].size == wanted[i].size && got[k].iterations + 2 >= wanted[i].iterations &&
                    !memcmp(got[k].body, wanted[i].body, got[k].size * sizeof *got[k].body);
        kept = found;
    }
    free_plain(got, n->loop_count);
    nest_free(n);
    return kept;
}

/* Appends a perfect nest: each body contains one loop, with symbols before and after it. */
static void perfect_nest(check_random *random, unsigned depth, unsigned letters, char *out, size_t *size)
{
    unsigned before = check_random_below(random, 3), after = check_random_below(random, 3);
    if (depth == 0)
        before += 1 + check_random_below(random, 2);
    else if (before + after == 0)
        before = 1;
    for (unsigned i = 0; i < before; i++)
        out[(*size)++] = (char)('a' + check_random_below(random, letters));
    if (depth) {
        size_t first = *size;
        perfect_nest(random, depth - 1, letters, out, size);
        size_t body = *size - first;
        for (unsigned l = 1 + check_random_below(random, 8); l; l--) {
            memcpy(out + *size, out + first, body);
            *size += body;
        }
    }
    for (unsigned i = 0; i < after; i++)
        out[(*size)++] = (char)('a' + check_random_below(random, letters));
}

static void perfect_nests_lose_at_most_2_iterations(void)
{
    enum { LEVELS = 4 };
    static char text[16384];
    check_random random = {23};
    for (unsigned i = 0; i < (check_quick() ? 200 : 2500); i++) {
        size_t size = 0;
        perfect_nest(&random, 1 + check_random_below(&random, LEVELS - 1), 2 + check_random_below(&random, 12), text,
                     &size);
        if (size > sizeof text / 4)
            continue;
        size_t body = size;
        for (unsigned l = check_random_below(&random, 4); l; l--, size += body)
            memcpy(text + size, text, body);
        nest *best = nest_of(nest_optimal, text, size);
        plain_loop *wanted = plain_loops(best);
        bool greedy = keeps_promise(best, wanted, nest_greedy, text, size);
        bool near = keeps_promise(best, wanted, nest_near_optimal, text, size);
        free_plain(wanted, best->loop_count);
        nest_free(best);
        CHECK(greedy);
        CHECK(near);
    }
}

/* Section VII: greedy loses the outer loop of this one, the additions keep it. */
static void the_pathological_example_of_section_vii(void)
{
    static const char unit[] = "abcabcabcdbcdbcdbcdacdacdacdabdabd";
    char text[5 * sizeof unit] = "";
    for (unsigned i = 0; i < 5; i++)
        strcat(text, unit);
    nest *n = nest_of(nest_near_optimal, text, strlen(text));
    uint64_t *lengths = nest_body_lengths(n);
    bool found = false;
    for (uint32_t i = 0; i < n->loop_count; i++)
        found |= lengths[i] == strlen(unit) && n->loops[i].iterations >= 4;
    free(lengths);
    nest_free(n);
    CHECK(found);
}

int main(void)
{
    RUN(the_pathological_example_of_section_vii);
    RUN(perfect_nests_lose_at_most_2_iterations);
    return check_failed();
}
