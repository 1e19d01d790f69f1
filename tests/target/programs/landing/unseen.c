/* SPDX-License-Identifier: MIT */
/* Compiled without probes. */
#include <setjmp.h>

#include "landing.h"

static jmp_buf place;

int unseen_step(int depth, node *next)
{
    if (depth == 1 && setjmp(place))
        return 7;
    if (depth == 4)
        longjmp(place, 1);
    return walk(depth + 1, next) + 1;
}
