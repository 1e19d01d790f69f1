/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/program/runtime.h"
#include "core/own.h"

#include "port/cortex-m/semihost.h"

__attribute__((weak)) void weft_target_begin(void)
{
}

__attribute__((weak)) void weft_target_end(void)
{
}

__attribute__((noinline)) void weft_target_done(void)
{
    __asm volatile("" : : : "memory");
}

void weft_target_exit(int code)
{
    static volatile int leaving;
    if (!leaving) {
        leaving = 1;
        weft_target_end();
        weft_target_done();
    }
    weft_semihost_exit(code);
}
