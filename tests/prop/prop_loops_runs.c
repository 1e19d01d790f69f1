/* SPDX-License-Identifier: MIT */
/* Runs against their definition, and the work of finding them in strings that are hard on run-finders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/lib/check.h"
#include "tools/lib/loops/repeats.h"

enum { SIZE_MAX_HERE = 400 };

static bool is_primitive(const uint32_t *root, size_t size)
{
    for (size_t p = 1; p < size; p++)
        if (size % p == 0 && !memcmp(root, root + p, (size - p) * sizeof *root))
            return false;
    return true;
}

static size_t runs_by_definition(const uint32_t *text, size_t size, run *out)
{
    size_t count = 0;
    for (uint32_t p = 1; 2 * p <= size; p++)
        for (uint32_t i = 0; i + p < size;) {
            uint32_t end = i;
            while (end + p < size && text[end] == text[end + p])
                end++;
            if (end - i >= p && is_primitive(text + i, p))
                out[count++] = (run){i, end + p, p};
            i = end + 1;
        }
    return count;
}

static int compare_runs(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(run));
}

static bool agrees(const uint32_t *text, size_t size)
{
    static run want[SIZE_MAX_HERE * 2];
    run_list got = {0};
    size_t count = runs_by_definition(text, size, want);
    runs_find_all(text, size, &got);
    if (count)
        qsort(want, count, sizeof *want, compare_runs);
    if (got.count)
        qsort(got.all, got.count, sizeof *got.all, compare_runs);
    bool same = got.count == count && (!count || !memcmp(got.all, want, count * sizeof *want));
    runs_free(&got);
    EXPECT(same);
    return true;
}

static bool agrees_on_all(unsigned letters, unsigned longest)
{
    uint32_t text[24];
    for (unsigned size = 0; size <= longest; size++) {
        memset(text, 0, sizeof text);
        for (;;) {
            EXPECT(agrees(text, size));
            unsigned i = 0;
            while (i < size && ++text[i] == letters)
                text[i++] = 0;
            if (i == size)
                break;
        }
    }
    return true;
}

static void all_short_strings(void)
{
    CHECK(agrees_on_all(2, check_amount(12, 14, 16)));
    CHECK(agrees_on_all(3, check_amount(8, 9, 10)));
    CHECK(agrees_on_all(4, check_amount(6, 7, 8)));
}

/* Copies of what stands before, with a change now and then. */
static void random_repetitions(void)
{
    check_random random = {7};
    uint32_t text[SIZE_MAX_HERE];
    for (unsigned i = 0; i < check_amount(2000, 10000, 20000); i++) {
        size_t size = 0, max = 1 + check_random_below(&random, SIZE_MAX_HERE);
        unsigned letters = 1 + check_random_below(&random, 6);
        while (size < max) {
            size_t back = check_random_below(&random, 40), length = check_random_below(&random, 60);
            if (back == 0 || back > size || check_random_below(&random, 4) == 0) {
                text[size++] = check_random_below(&random, letters);
                continue;
            }
            for (; length && size < max; length--, size++)
                text[size] = text[size - back];
        }
        CHECK(agrees(text, size));
    }
}

/* Processor seconds for a word u repeated in an increasing or decreasing chain, and morphic words, of n symbols. */
static double seconds_for(unsigned kind, size_t n)
{
    uint32_t *text = malloc(n * sizeof *text);
    for (size_t i = 0, a = 1, b = 2; i < n; i++) {
        size_t root = 1;
        while (root * root < n)
            root++;
        switch (kind) {
        case 0: /* a^k b a^k b ... */
            text[i] = i % root == root - 1;
            break;
        case 1: /* a^k b a^(k-1) b ... as k falls */
            text[i] = a == 1;
            if (--a == 0)
                a = b++;
            break;
        case 2: /* (ab)^k c ... */
            text[i] = i % root == root - 1 ? 2 : i % root % 2;
            break;
        case 3: /* rising, then the same again */
            text[i] = (uint32_t)(i % (n / 2));
            break;
        case 4: /* falling */
            text[i] = (uint32_t)(n - i);
            break;
        case 5: /* the ruler */
            text[i] = (uint32_t)__builtin_ctzll(i + 1);
            break;
        case 6: /* the ruler, upside down */
            text[i] = 64 - (uint32_t)__builtin_ctzll(i + 1);
            break;
        default: /* period doubling */
            text[i] = __builtin_ctzll(i + 1) & 1;
        }
    }
    run_list list = {0};
    clock_t start = clock();
    runs_find_all(text, n, &list);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    runs_free(&list);
    free(text);
    return seconds;
}

/* Quadratic work would be 10^10 steps here, which take ten seconds or more; it takes 0.15. WEFT_LONG: 10^12 steps. */
static void no_string_is_quadratic(void)
{
    for (unsigned kind = 0; kind < 8; kind++) {
        double seconds = seconds_for(kind, check_amount(100000, 100000, 1000000));
        if (seconds > 4)
            fprintf(stderr, "# kind %u: %.1f s\n", kind, seconds);
        CHECK(seconds <= 4);
    }
}

int main(void)
{
    RUN(all_short_strings);
    RUN(random_repetitions);
    RUN(no_string_is_quadratic);
    return check_failed();
}
