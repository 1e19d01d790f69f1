/* SPDX-License-Identifier: MIT */
/* What the test macros ask of a board. */
#include "core/own.h"
#include "port/cortex-m/semihost.h"
#include "tests/lib/check.h"

void check_print(const char *text)
{
    weft_semihost_print(text);
}

bool check_quick(void)
{
    return true;
}

bool check_long(void)
{
    return false;
}
