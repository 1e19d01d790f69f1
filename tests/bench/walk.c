/* SPDX-License-Identifier: MIT */
/* A loop whose accesses and values are all predicted, except for the first few. tests/bench/numbers.sh measures the
 * cost of a predicted one with it. */
#include <stdint.h>
#include <stdio.h>

enum { COUNT = 4096, ROUNDS = 32 };
static uint32_t cells[COUNT];

__attribute__((noinline)) static uint32_t walk(volatile const uint32_t *at)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < COUNT; i++)
        sum += at[i];
    return sum;
}

int main(void)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < ROUNDS; i++)
        sum += walk(cells);
    printf("%u\n", (unsigned)sum);
    return 0;
}
