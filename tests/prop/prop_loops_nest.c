/* SPDX-License-Identifier: MIT */
/* Loop nests on the host, against their definitions. */
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tests/lib/nest_methods.h"
#include "tests/lib/nest_oracle.h"
#include "tools/lib/loops/greedy.h"
#include "tools/lib/loops/optimal.h"
#include "tools/lib/loops/text.h"

/* ---- worked examples ---- */

static void example(method *find, const char *text, const char *want)
{
    CHECK(writes(find, text, strlen(text), want));
}

static void the_first_example_of_the_paper(void)
{
    example(nest_optimal, "abaababaabaab", "(ab(a)^2b)^2(a)^2b");
    example(nest_greedy, "abaababaabaab", "ab(a)^2ba(b(a)^2)^2b");
}

static void the_second_example_of_the_paper(void)
{
    example(nest_optimal, "abaababaababaabaab", "(ab(a)^2b)^3(a)^2b");
    example(nest_greedy, "abaababaababaabaab", "(ab(a)^2b)^2a(b(a)^2)^2b");
}

static void the_loop_in_a_loop_of_the_paper(void)
{
    const char *text = "EababababFEababababFEababababF";
    example(nest_optimal, text, "(E(ab)^4F)^3");
    example(nest_greedy, text, "(E(ab)^4F)^3");
    example(nest_near_optimal, text, "(E(ab)^4F)^3");
}

static void the_short_examples_of_the_paper(void)
{
    example(nest_optimal, "abababab", "(ab)^4");
    example(nest_optimal, "abcdabcdabcdabcd", "(abcd)^4");
    example(nest_optimal, "", "");
    example(nest_greedy, "", "");
    example(nest_near_optimal, "", "");
    example(nest_optimal, "a", "a");
}

static void lu_class_c(void)
{
    CHECK(is_its_own_nest(nest_optimal, NAS_LU_C, NAS_LU_C_SIZE));
    CHECK(is_its_own_nest(nest_greedy, NAS_LU_C, NAS_LU_C_SIZE));
    CHECK(is_its_own_nest(nest_near_optimal, NAS_LU_C, NAS_LU_C_SIZE));
}

static void lu_class_b(void)
{
    CHECK(is_its_own_nest(nest_optimal, NAS_LU_B, NAS_LU_B_SIZE));
    CHECK(is_its_own_nest(nest_greedy, NAS_LU_B, NAS_LU_B_SIZE));
    CHECK(is_its_own_nest(nest_near_optimal, NAS_LU_B, NAS_LU_B_SIZE));
}

/* ---- against the definitions ---- */

static bool agrees(const char *text, size_t size)
{
    static char want[4 * ORACLE_MAX + 64];
    oracle_optimal(text, size, want);
    EXPECT(writes(nest_optimal, text, size, want));
    oracle_greedy(text, size, want);
    EXPECT(writes(nest_greedy, text, size, want));
    return keeps(nest_near_optimal, text, size);
}

static bool agrees_on_all(unsigned letters, unsigned longest)
{
    char text[16];
    for (unsigned size = 0; size <= longest; size++) {
        memset(text, 'a', sizeof text);
        for (;;) {
            EXPECT(agrees(text, size));
            unsigned i = 0;
            while (i < size && ++text[i] == (char)('a' + letters))
                text[i++] = 'a';
            if (i == size)
                break;
        }
    }
    return true;
}

static void all_strings_over_2_symbols(void)
{
    CHECK(agrees_on_all(2, check_quick() ? 11 : 14));
}

static void all_strings_over_3_symbols(void)
{
    CHECK(agrees_on_all(3, check_quick() ? 7 : 10));
}

static void random_strings(void)
{
    check_random random = {11};
    char text[ORACLE_MAX];
    for (unsigned i = 0; i < check_amount(300, 1500, 3000); i++) {
        size_t size = check_random_below(&random, 120);
        unsigned letters = 1 + check_random_below(&random, 5);
        for (size_t k = 0; k < size; k++)
            text[k] = (char)('a' + check_random_below(&random, letters));
        CHECK(agrees(text, size));
    }
}

static void random_nests(void)
{
    check_random random = {5};
    char text[ORACLE_MAX];
    for (unsigned i = 0; i < check_amount(300, 2000, 4000); i++) {
        size_t size = 0;
        random_nest(&random, 1 + check_random_below(&random, 12), 1 + check_random_below(&random, 4), text, &size,
                    20 + check_random_below(&random, i % 20 ? 150 : 380));
        /* Some noise in every other nest. */
        for (unsigned k = 0; size && k < i % 2 * check_random_below(&random, 4); k++)
            text[check_random_below(&random, (uint32_t)size)] = 'z';
        CHECK(agrees(text, size));
    }
}

/* Strings made of two words in the order of a random shorter string: runs that overlap each other in chains. */
static void random_morphisms(void)
{
    check_random random = {17};
    char text[ORACLE_MAX], word[2][8];
    for (unsigned i = 0; i < check_amount(200, 1000, 2000); i++) {
        size_t size = 0, length[2];
        for (unsigned w = 0; w < 2; w++) {
            length[w] = 1 + check_random_below(&random, 6);
            for (size_t k = 0; k < length[w]; k++)
                word[w][k] = (char)('a' + check_random_below(&random, 2));
        }
        unsigned words = 5 + check_random_below(&random, 30), bias = 1 + check_random_below(&random, 5);
        for (unsigned k = 0; k < words; k++) {
            unsigned w = check_random_below(&random, bias) == 0;
            memcpy(text + size, word[w], length[w]);
            size += length[w];
        }
        CHECK(agrees(text, size));
    }
}

int main(void)
{
    RUN(the_first_example_of_the_paper);
    RUN(the_second_example_of_the_paper);
    RUN(the_loop_in_a_loop_of_the_paper);
    RUN(the_short_examples_of_the_paper);
    RUN(lu_class_c);
    RUN(lu_class_b);
    RUN(all_strings_over_2_symbols);
    RUN(all_strings_over_3_symbols);
    RUN(random_strings);
    RUN(random_nests);
    RUN(random_morphisms);
    return check_failed();
}
