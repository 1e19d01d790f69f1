/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/program/runtime.h"
#include "core/own.h"

#include "port/cortex-m/semihost.h"
#include "port/cortex-m/weft_target.h"

/* C++ registers destructors of static objects with it; its value says nothing in a program of one part. */
void *__dso_handle __attribute__((weak));

__attribute__((weak)) void weft_target_begin(void)
{
}

__attribute__((weak)) void weft_target_end(void)
{
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
