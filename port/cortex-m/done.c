/* SPDX-License-Identifier: MIT */
/* In a file of its own, since programs without a recorder use it too. */
#include "core/own.h"
#include "port/cortex-m/weft_target.h"

__attribute__((noinline)) void weft_target_done(void)
{
    __asm volatile("" : : : "memory");
}
