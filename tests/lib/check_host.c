/* SPDX-License-Identifier: MIT */
/* What the test macros ask of the host. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/check.h"

void check_print(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

bool check_quick(void)
{
    return getenv("WEFT_QUICK") != NULL;
}

bool check_long(void)
{
    return getenv("WEFT_LONG") != NULL;
}
