/* SPDX-License-Identifier: MIT */
#include "tests/lib/check.h"

#include <stddef.h>

static bool test_failed; /* a check of the running test failed */
static int tests_failed;

static void print_number(int64_t value)
{
    char text[21];
    size_t at = sizeof text - 1;
    uint64_t rest = value < 0 ? 0u - (uint64_t)value : (uint64_t)value;
    text[at] = 0;
    do
        text[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        text[--at] = '-';
    check_print(text + at);
}

void check_fail(const char *file, int line, const char *text)
{
    test_failed = true;
    check_print("# ");
    check_print(file);
    check_print(":");
    print_number(line);
    check_print(": ");
    check_print(text);
    check_print("\n");
}

void check_fail_values(const char *file, int line, const char *text, int64_t left, int64_t right)
{
    check_fail(file, line, text);
    check_print("#   left ");
    print_number(left);
    check_print(", right ");
    print_number(right);
    check_print("\n");
}

unsigned check_amount(unsigned quick, unsigned usual, unsigned most)
{
    return check_quick() ? quick : check_long() ? most : usual;
}

bool check_failing(void)
{
    return test_failed;
}

void check_run(const char *name, void (*test)(void))
{
    test_failed = false;
    test();
    check_print(test_failed ? "not ok " : "ok ");
    check_print(name);
    check_print("\n");
    tests_failed += test_failed;
}

int check_failed(void)
{
    return tests_failed != 0;
}

uint32_t check_random_next(check_random *random)
{
    uint32_t x = random->state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return random->state = x;
}

uint32_t check_random_below(check_random *random, uint32_t bound)
{
    return (uint32_t)(((uint64_t)check_random_next(random) * bound) >> 32);
}
