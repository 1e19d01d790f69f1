/* SPDX-License-Identifier: MIT */
/* A longjmp in code without probes (unseen.c) leaves a recursive routine with probes. The routine goes on in an
 * older activation, at the call where the newest one stood. */
#include <stdio.h>

#include "landing.h"

static node nodes[8];

int walk(int depth, node *at)
{
    at->begun += depth;
    int result = unseen_step(depth, at + 1);
    at->ended += result;
    at->sum += at->begun;
    return result;
}

int main(void)
{
    int all = 0;
#ifdef SETS_HANDLER
    set_new_handler(NULL);
#endif
    volatile int rounds[3] = {0, 0, 0};
    for (int round = 0; round < 3; round++)
        all += rounds[round] = walk(0, nodes);
    printf("landing: %d\n", all);
    return 0;
}
