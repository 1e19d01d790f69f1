/* SPDX-License-Identifier: MIT */
#include <stdint.h>

uint32_t weak_one(uint32_t x);
uint32_t weak_one(uint32_t x)
{
    return x & 1 ? x : x * 9;
}
