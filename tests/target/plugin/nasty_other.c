/* SPDX-License-Identifier: MIT */
/* Functions of the same names as in other files, and a weak one that another file overrides. */
#include <stdint.h>

static __attribute__((noinline)) uint32_t first(uint32_t x)
{
    return x > 2 ? x * 7 : x;
}

__attribute__((weak, noinline)) uint32_t weak_one(uint32_t x)
{
    return x + 1000;
}

uint32_t other_file(uint32_t x);
uint32_t other_file(uint32_t x)
{
    uint32_t total = 0;
    while (x-- > 0)
        total += first(x);
    return total;
}
