/* SPDX-License-Identifier: MIT */
/* Arrays of an arena (tools/lib/base/arena.h): all zero at first, aligned, and none is part of another. */
#include <stddef.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/base/arena.h"

enum { ARRAYS = 3000 };

static uint8_t *arrays[ARRAYS];
static size_t sizes[ARRAYS];

/* Mostly small ones, some larger than a piece. */
static bool arrays_take(arena *a, check_random *random)
{
    static const size_t elements[] = {1, 2, 4, 8, 16, 24, 40};
    for (unsigned i = 0; i < ARRAYS; i++) {
        size_t element = elements[check_random_below(random, sizeof elements / sizeof *elements)];
        size_t count = check_random_below(random, i % 1000 == 999 ? 200000 : i % 100 == 99 ? 3000 : 20);
        arrays[i] = arena_zero(a, count, element);
        sizes[i] = count * element;
        EXPECT((uintptr_t)arrays[i] % (element & -element) == 0);
        for (size_t k = 0; k < sizes[i]; k++)
            EXPECT(!arrays[i][k]);
        memset(arrays[i], (int)(1 + i % 255), sizes[i]);
    }
    return true;
}

static void arrays_are_zero_and_apart(void)
{
    check_random random = {23};
    arena a = {0};
    for (int again = 0; again < 2; again++) {
        CHECK(arrays_take(&a, &random));
        for (unsigned i = 0; i < ARRAYS; i++)
            for (size_t k = 0; k < sizes[i]; k++)
                CHECK_EQ(arrays[i][k], 1 + i % 255);
        arena_free(&a);
    }
}

static void an_empty_arena_has_nothing_to_free(void)
{
    arena a = {0};
    arena_free(&a);
    CHECK(arena_zero(&a, 0, 8) != NULL);
    arena_free(&a);
}

int main(void)
{
    RUN(arrays_are_zero_and_apart);
    RUN(an_empty_arena_has_nothing_to_free);
    return check_failed();
}
