/* SPDX-License-Identifier: MIT */
/* Recursion: once in itself, twice, and through another function. What a debugger does at `leaving` in any depth is to
 * stay in that call. */
#include <stdint.h>
#include <stdio.h>

static volatile uint32_t sum, depth_of_last;

__attribute__((noinline)) static void leaving(uint32_t levels)
{
    depth_of_last = levels;
}

__attribute__((noinline)) static uint32_t twice(uint32_t levels)
{
    uint32_t value = levels + 1;
    if (levels) {
        value += twice(levels - 1);
        value += twice(levels - 1) * 2;
    }
    leaving(levels);
    sum += value;
    return value;
}

__attribute__((noinline)) static uint32_t odd(uint32_t levels);

__attribute__((noinline)) static uint32_t even(uint32_t levels)
{
    uint32_t value = levels ? odd(levels - 1) + 1 : 1;
    leaving(levels);
    return value;
}

__attribute__((noinline)) static uint32_t odd(uint32_t levels)
{
    uint32_t value = levels ? even(levels - 1) + 2 : 0;
    leaving(levels);
    return value;
}

int main(void)
{
    uint32_t a = twice(4), b = even(7);
    printf("%u %u %u\n", (unsigned)a, (unsigned)b, (unsigned)sum);
    return 0;
}
